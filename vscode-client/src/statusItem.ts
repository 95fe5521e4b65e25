// The item in the status bar: whether the server is busy, what it found, and the sizes in force.
import * as vscode from 'vscode';
import type { ServerStatus } from './protocol';
import type { Server } from './server';
import { statusText } from './statusText';

const BACKGROUNDS = {
  none: undefined,
  warning: new vscode.ThemeColor('statusBarItem.warningBackground'),
  error: new vscode.ThemeColor('statusBarItem.errorBackground'),
};

export function showStatus(server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('onnxls.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'onnxls';
  item.command = 'onnxls.showOutput';
  let status: ServerStatus | null = null;
  const update = () => {
    const known = status ?? { busy: false, findings: 0, version: server.version, hints: {} };
    const { label, tooltip, severity } = statusText(server.state, known, shortName);
    const markdown = new vscode.MarkdownString(
      `${tooltip}\n\n[Restart](command:onnxls.restart) | [Output](command:onnxls.showOutput) | [Try sizes](command:onnxls.trySizes)`,
    );
    markdown.isTrusted = { enabledCommands: ['onnxls.restart', 'onnxls.showOutput', 'onnxls.trySizes'] };
    item.text = label;
    item.tooltip = markdown;
    item.backgroundColor = BACKGROUNDS[severity];
    if (server.state === 'off') item.hide();
    else item.show();
  };
  return vscode.Disposable.from(
    item,
    server.onStatus((received) => {
      status = received;
      update();
    }),
    server.onDidChangeState((state) => {
      if (state !== 'running') status = null;
      update();
    }),
  );
}

function shortName(uri: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(uri));
}
