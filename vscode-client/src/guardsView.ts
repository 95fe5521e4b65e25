// The view Guards: what the operators of the active function or model need of its sizes.
import * as vscode from 'vscode';
import type { ActiveUnit } from './activeUnit';
import type { GuardInfo, GuardState } from './protocol';
import { summary } from './sizes';

const ICONS: Record<GuardState, vscode.ThemeIcon> = {
  holds: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
  fails: new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed')),
  unknown: new vscode.ThemeIcon('circle-large-outline'),
};

const STATE_WORDS: Record<GuardState, string> = { holds: 'holds', fails: 'fails', unknown: 'not decided' };

const JUMP = 'onnxls.jumpToGuard';

export function registerGuardsView(active: ActiveUnit): vscode.Disposable {
  const changeEmitter = new vscode.EventEmitter<undefined>();
  const provider: vscode.TreeDataProvider<vscode.TreeItem> = {
    onDidChangeTreeData: changeEmitter.event,
    getChildren: (parent) => (parent ? [] : active.guards?.guards.map(treeItem)),
    getTreeItem: (item) => item,
  };
  const view = vscode.window.createTreeView('onnxls.guards', { treeDataProvider: provider });
  return vscode.Disposable.from(
    view,
    changeEmitter,
    vscode.commands.registerCommand(JUMP, (index: number) => active.jumpTo(index)),
    vscode.commands.registerCommand('onnxls.showGuards', (...given: unknown[]) => active.showIn('onnxls.guards', given)),
    view.onDidChangeVisibility(({ visible }) => { active.setShown(visible); }),
    active.onDidChange(() => {
      const { guards } = active;
      view.description = guards?.unit ?? '';
      view.message = guards ? summary(guards.guards) : 'Put the cursor into an onnxscript function or the text of a model.';
      changeEmitter.fire(undefined);
    }),
  );
}

function treeItem({ text, node, reason, state, range }: GuardInfo, index: number): vscode.TreeItem {
  const item = new vscode.TreeItem(text);
  item.description = node;
  item.iconPath = ICONS[state];
  item.tooltip = `${text}\n${reason}\n${STATE_WORDS[state]}`;
  item.accessibilityInformation = { label: `${text}: ${STATE_WORDS[state]}` };
  if (range) item.command = { command: JUMP, title: 'Go to the Operator', arguments: [index] };
  return item;
}
