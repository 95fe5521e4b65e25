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

type Links = readonly [readonly [title: string, command: string], ...(readonly [string, string])[]];

/** A click on the item is one on the first. */
const LINKS: Links = [
  ['Output', 'onnxls.showOutput'],
  ['Restart', 'onnxls.restart'],
  ['Try sizes', 'onnxls.trySizes'],
];
const LINKS_WHERE_RESTRICTED: Links = [
  ['Manage Workspace Trust', 'workbench.trust.manage'],
  ['Output', 'onnxls.showOutput'],
];

export function showStatus(server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('onnxls.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'onnxls';
  let status: ServerStatus | null = null;
  const update = () => {
    const known = status ?? { busy: false, findings: 0, version: server.version, hints: {} };
    const { label, tooltip, severity } = statusText(server.state, known, shortName);
    const links = server.state === 'restricted' ? LINKS_WHERE_RESTRICTED : LINKS;
    const markdown = new vscode.MarkdownString(
      `${tooltip}\n\n${links.map(([title, command]) => `[${title}](command:${command})`).join(' | ')}`,
    );
    markdown.isTrusted = { enabledCommands: links.map(([, command]) => command) };
    item.command = links[0][1];
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
