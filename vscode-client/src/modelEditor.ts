// A clicked model opens as its text: the editor that VS Code makes for the binary file gives way to one for the text.
import * as vscode from 'vscode';
import { isModel, textOf } from './modelUri';

const VIEW_TYPE = 'onnxls.modelAsText';

export function registerModelEditor(memory: vscode.Memento): vscode.Disposable {
  void replacePlaceholders(memory);
  return vscode.Disposable.from(
    vscode.window.registerCustomEditorProvider(VIEW_TYPE, new GivesWay(), { supportsMultipleEditorsPerDocument: true }),
    vscode.commands.registerCommand('onnxls.openAsText', openAsText),
  );
}

class GivesWay implements vscode.CustomReadonlyEditorProvider {
  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    // VS Code does not expect the panel to go while this call lasts.
    setTimeout(() => {
      const { visible, viewColumn } = panel;
      panel.dispose();
      // One who has gone on to another editor meanwhile is not called back.
      if (visible) void showText(uri, viewColumn);
    });
  }
}

/**
 * The window that first has the extension opens files before it knows of this editor, and calls a model binary. Later
 * windows wait for the extensions whose editors VS Code remembers; what is binary there was chosen to be.
 */
async function replacePlaceholders(memory: vscode.Memento): Promise<void> {
  const key = 'editorIsRemembered';
  if (memory.get<boolean>(key)) return;
  await memory.update(key, true);
  for (const tab of vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
    if (!(tab.input instanceof vscode.TabInputText) || tab.input.uri.scheme !== 'file' || !isModel(tab.input.uri)) continue;
    const { isActive, group, input } = tab;
    await vscode.window.tabGroups.close(tab);
    if (isActive) await showText(input.uri, group.viewColumn);
  }
}

async function openAsText(uri: vscode.Uri | undefined): Promise<void> {
  const model = uri ?? activeResource();
  if (model && isModel(model)) await showText(model, vscode.ViewColumn.Active);
  else void vscode.window.showInformationMessage('Select a model, a file whose name ends in .onnx, first.');
}

/** `vscode.open` lets the document close with its tab; `openTextDocument` would keep it. */
async function showText(model: vscode.Uri, viewColumn: vscode.ViewColumn | undefined): Promise<void> {
  const column = viewColumn ?? vscode.ViewColumn.Active;
  await vscode.commands.executeCommand('vscode.open', textOf(model), { viewColumn: column });
}

/** Also of a custom editor, such as a graphical viewer. */
function activeResource(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? input.uri : undefined;
}
