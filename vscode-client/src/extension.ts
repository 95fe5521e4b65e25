// Entry point: puts the parts together, and starts the server when something for it is opened.
import * as vscode from 'vscode';
import { ActiveUnit } from './activeUnit';
import { Badges } from './badges';
import { onDidChangeEnvironment } from './environments';
import { registerGraph } from './graphPanel';
import { registerGuardsView } from './guardsView';
import { registerModelEditor } from './modelEditor';
import { ModelFileSystem } from './modelFileSystem';
import { LANGUAGE } from './modelUri';
import { mentionsOnnxscript } from './onnxscript';
import { Cursor } from './places';
import { Server } from './server';
import { showStatus } from './statusItem';
import { registerTrySizes } from './trySizesView';

const ENVIRONMENT_SETTLES_MS = 1_000;

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel('onnxls', { log: true });
  // Folders that extensions store in lie outside of every workspace.
  server = new Server(context.globalStorageUri, output);
  const cursor = new Cursor();
  const unit = new ActiveUnit(server, cursor);
  context.subscriptions.push(
    output,
    server,
    cursor,
    unit,
    showStatus(server),
    ModelFileSystem.register(server),
    registerModelEditor(context.globalState),
    Badges.register(server),
    registerTrySizes(unit, context.extensionUri),
    registerGuardsView(unit),
    registerGraph(server, cursor, context.extensionUri),
    ...registerCommands(server, output, context),
    ...startWhenNeeded(server),
    ...restartOnChanges(server),
  );
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

function registerCommands(
  server: Server,
  output: vscode.LogOutputChannel,
  context: vscode.ExtensionContext,
): vscode.Disposable[] {
  return [
    vscode.commands.registerCommand('onnxls.restart', () => server.restart()),
    vscode.commands.registerCommand('onnxls.showOutput', () => { output.show(); }),
    vscode.commands.registerCommand('onnxls.showVersion', async () => {
      await server.ensureStarted();
      const { version } = context.extension.packageJSON as { version: string };
      const running = server.state === 'running' ? `onnxls ${server.version} in ${server.python}` : 'no server is running';
      void vscode.window.showInformationMessage(`Extension ${version}, ${running}.`);
    }),
  ];
}

function startWhenNeeded(server: Server): vscode.Disposable[] {
  const look = (document: vscode.TextDocument) => {
    const needed =
      document.languageId === LANGUAGE ||
      (document.languageId === 'python' && mentionsOnnxscript(document.getText()));
    if (needed) void server.ensureStarted();
  };
  vscode.workspace.textDocuments.forEach(look);
  void vscode.workspace.findFiles('**/*.onnx', undefined, 1).then((models) => {
    if (models.length > 0) void server.ensureStarted();
  });
  return [
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (server.state === 'off' && contentChanges.some(({ range }) => mentionsOnnxscript(lineOf(document, range)))) {
        look(document);
      }
    }),
  ];
}

function lineOf(document: vscode.TextDocument, { start }: vscode.Range): string {
  return document.lineAt(start.line).text;
}

function restartOnChanges(server: Server): vscode.Disposable[] {
  const ours = ['onnxls.interpreter', 'onnxls.serverArguments'];
  let timer: NodeJS.Timeout | undefined;
  const environments = onDidChangeEnvironment(() => {
    clearTimeout(timer);
    timer = setTimeout(() => void server.environmentChanged(), ENVIRONMENT_SETTLES_MS);
  });
  return [
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (ours.some((section) => change.affectsConfiguration(section))) void server.environmentChanged();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.environmentChanged()),
    new vscode.Disposable(() => {
      clearTimeout(timer);
      void environments.then((subscription) => {
        subscription.dispose();
      });
    }),
  ];
}
