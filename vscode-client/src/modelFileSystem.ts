// Binary models as read-only texts: the file system of the scheme `onnx-text`. The server writes the text.
import * as vscode from 'vscode';
import { method } from './protocol';
import { TEXT_SCHEME, fileOf } from './modelUri';
import type { Server } from './server';

interface Rendered {
  mtime: number;
  fileSize: number;
  bytes: Promise<Uint8Array>;
}

export class ModelFileSystem implements vscode.FileSystemProvider {
  private readonly changeEmitter = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly watched = new Map<string, { uri: vscode.Uri; rendered?: Rendered }>();
  readonly onDidChangeFile = this.changeEmitter.event;

  constructor(private readonly server: Server) {}

  static register(server: Server): vscode.Disposable {
    const files = new ModelFileSystem(server);
    const isReadonly = new vscode.MarkdownString('This text shows a binary model. The model itself is not changed here.');
    return vscode.Disposable.from(
      vscode.workspace.registerFileSystemProvider(TEXT_SCHEME, files, { isReadonly, isCaseSensitive: true }),
      server.onDidChangeState((state) => {
        if (state === 'running') files.readAgain();
      }),
    );
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    const key = uri.toString();
    if (!this.watched.has(key)) this.watched.set(key, { uri });
    const file = fileOf(uri);
    const folder = vscode.Uri.joinPath(file, '..');
    const name = file.path.slice(folder.path.length).replace(/^\//, '');
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, literally(name)));
    const changed = (type: vscode.FileChangeType) => () => { this.changeEmitter.fire([{ type, uri }]); };
    watcher.onDidCreate(changed(vscode.FileChangeType.Created));
    watcher.onDidChange(changed(vscode.FileChangeType.Changed));
    watcher.onDidDelete(changed(vscode.FileChangeType.Deleted));
    return new vscode.Disposable(() => {
      watcher.dispose();
      this.watched.delete(key);
    });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { ctime, mtime, type } = await vscode.workspace.fs.stat(fileOf(uri));
    if (type & vscode.FileType.Directory) throw vscode.FileSystemError.FileIsADirectory(uri);
    const { length } = await this.readFile(uri);
    return { type, ctime, mtime, size: length, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { mtime, size: fileSize } = await vscode.workspace.fs.stat(fileOf(uri));
    const entry = this.watched.get(uri.toString());
    let rendered = entry?.rendered;
    if (rendered?.mtime !== mtime || rendered.fileSize !== fileSize) {
      rendered = { mtime, fileSize, bytes: this.render(uri) };
      if (entry) entry.rendered = rendered;
    }
    return rendered.bytes.catch((error: unknown) => {
      if (entry?.rendered === rendered) delete entry.rendered;
      return apology(error);
    });
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  private async render(uri: vscode.Uri): Promise<Uint8Array> {
    const { text } = await this.server.request<{ text: string }>(method.modelText, { uri: fileOf(uri).toString() });
    return new TextEncoder().encode(text);
  }

  /** A server that has just started may write another text, or the first one. */
  private readAgain(): void {
    const entries = [...this.watched.values()];
    for (const entry of entries) delete entry.rendered;
    this.changeEmitter.fire(entries.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
  }
}

/** Stands in for the text that the server did not write. An error would leave a page that VS Code does not read again. */
function apology(error: unknown): Uint8Array {
  const reason = error instanceof Error ? error.message : String(error);
  const sentences = ['The model cannot be shown as text.', ...reason.split(/[\r\n]+|(?<=\.) /)];
  return new TextEncoder().encode(sentences.map((sentence) => `# ${sentence}\n`).join(''));
}

/** A file name as a glob that matches it alone. */
function literally(name: string): string {
  return name.replace(/[*?{}[\]]/g, '[$&]');
}
