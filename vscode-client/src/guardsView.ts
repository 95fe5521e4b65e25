// The view Guards: what the operators of the active function or model need of its sizes.
import * as vscode from 'vscode';
import type { ActiveUnit } from './activeUnit';
import type { GuardState } from './protocol';
import { summary } from './sizes';

const ICONS: Record<GuardState, vscode.ThemeIcon> = {
  holds: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
  fails: new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed')),
  unknown: new vscode.ThemeIcon('circle-large-outline'),
};

const STATE_WORDS: Record<GuardState, string> = { holds: 'holds', fails: 'fails', unknown: 'not decided' };

const JUMP = 'onnxls.jumpToGuard';

export function registerGuardsView(unit: ActiveUnit): vscode.Disposable {
  const changeEmitter = new vscode.EventEmitter<undefined>();
  const provider: vscode.TreeDataProvider<number> = {
    onDidChangeTreeData: changeEmitter.event,
    getChildren: (parent) => (parent === undefined ? [...(unit.guards?.guards.keys() ?? [])] : []),
    getTreeItem: (index) => treeItem(unit, index),
  };
  const view = vscode.window.createTreeView('onnxls.guards', { treeDataProvider: provider });
  return vscode.Disposable.from(
    view,
    changeEmitter,
    vscode.commands.registerCommand(JUMP, (index: number) => unit.jumpTo(index)),
    vscode.commands.registerCommand('onnxls.showGuards', () => vscode.commands.executeCommand('onnxls.guards.focus')),
    view.onDidChangeVisibility(({ visible }) => { unit.setShown(visible); }),
    unit.onDidChange(() => {
      const { guards } = unit;
      view.description = guards?.unit ?? '';
      view.message = guards ? summary(guards.guards) : 'Put the cursor into an onnxscript function or the text of a model.';
      changeEmitter.fire(undefined);
    }),
  );
}

function treeItem(unit: ActiveUnit, index: number): vscode.TreeItem {
  const guard = unit.guards?.guards[index];
  if (guard === undefined) return new vscode.TreeItem('');
  const item = new vscode.TreeItem(guard.text);
  item.description = guard.node;
  item.iconPath = ICONS[guard.state];
  item.tooltip = `${guard.text}\n${guard.reason}\n${STATE_WORDS[guard.state]}`;
  item.accessibilityInformation = { label: `${guard.text}: ${STATE_WORDS[guard.state]}` };
  if (guard.range) item.command = { command: JUMP, title: 'Go to the Operator', arguments: [index] };
  return item;
}
