// Badges in the explorer: how much was found in a model. Problems of its text, another resource, do not show there;
// those of the file itself do, by VS Code's own badge.
import * as vscode from 'vscode';
import { fileOf } from './modelUri';
import type { ModelFindings } from './protocol';
import type { Server } from './server';

const LARGEST_BADGE = 99;

export class Badges implements vscode.FileDecorationProvider {
  private readonly changeEmitter = new vscode.EventEmitter<vscode.Uri[] | undefined>();
  private readonly counts = new Map<string, number>();
  readonly onDidChangeFileDecorations = this.changeEmitter.event;

  static register(server: Server): vscode.Disposable {
    const badges = new Badges();
    return vscode.Disposable.from(
      vscode.window.registerFileDecorationProvider(badges),
      server.onModelFindings((findings) => { badges.set(findings); }),
      server.onDidChangeState((state) => {
        if (state !== 'running') badges.clear();
      }),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const known = uris.map(fileOf).filter((file) => badges.counts.has(file.toString()));
        if (known.length > 0) badges.changeEmitter.fire(known);
      }),
    );
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const count = this.counts.get(uri.toString());
    if (!count || vscode.languages.getDiagnostics(uri).length > 0) return undefined;
    return new vscode.FileDecoration(
      count > LARGEST_BADGE ? '9+' : String(count),
      count === 1 ? '1 finding by onnxls' : `${count} findings by onnxls`,
      new vscode.ThemeColor('list.warningForeground'),
    );
  }

  private set({ uri, count }: ModelFindings): void {
    const file = fileOf(vscode.Uri.parse(uri));
    this.counts.set(file.toString(), count);
    this.changeEmitter.fire([file]);
  }

  private clear(): void {
    this.counts.clear();
    this.changeEmitter.fire(undefined);
  }
}
