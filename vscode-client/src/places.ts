// The place that the views speak about: the last cursor in a document that the server knows, and jumps to others.
import * as vscode from 'vscode';
import type { Range } from 'vscode-languageserver-types';
import { LANGUAGE } from './modelUri';

export interface Place {
  document: vscode.TextDocument;
  position: vscode.Position;
}

const SETTLE_MS = 150;

/** Follows the cursor once it rests. A view of ours that takes the focus leaves the place as it was. */
export class Cursor implements vscode.Disposable {
  private readonly moveEmitter = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  readonly onDidMove = this.moveEmitter.event;
  place: Place | undefined;

  constructor() {
    this.follow(vscode.window.activeTextEditor);
    this.subscriptions = [
      vscode.window.onDidChangeActiveTextEditor((editor) => { this.follow(editor); }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => { this.follow(textEditor); }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (this.place?.document === document) this.move(undefined);
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.subscriptions, this.moveEmitter).dispose();
  }

  private follow(editor: vscode.TextEditor | undefined): void {
    if (editor && isServed(editor.document)) {
      this.move({ document: editor.document, position: editor.selection.active });
    } else if (editor && editor.document.uri.scheme !== 'output') this.move(undefined);
  }

  private move(place: Place | undefined): void {
    this.place = place;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.moveEmitter.fire(); }, SETTLE_MS);
  }
}

export function isServed({ languageId }: vscode.TextDocument): boolean {
  return languageId === 'python' || languageId === LANGUAGE;
}

export async function jump(uri: vscode.Uri, { start, end }: Range): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  await vscode.commands.executeCommand('vscode.open', uri, {
    selection: new vscode.Range(start.line, start.character, end.line, end.character),
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One,
    preserveFocus: false,
  });
}

/** Puts the cursor into a function or model, named as the server names it: `outer.inner`. Does nothing where it is gone. */
export async function enter(uri: vscode.Uri, unit: string): Promise<void> {
  const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    uri,
  );
  const found = symbols && named(unit, symbols, '');
  if (found) await jump(uri, new vscode.Range(found.selectionRange.start, found.selectionRange.start));
}

function named(unit: string, symbols: vscode.DocumentSymbol[], prefix: string): vscode.DocumentSymbol | undefined {
  for (const symbol of symbols) {
    const path = prefix + symbol.name;
    const found = path === unit ? symbol : named(unit, symbol.children, `${path}.`);
    if (found) return found;
  }
  return undefined;
}
