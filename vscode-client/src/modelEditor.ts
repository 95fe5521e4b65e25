// A clicked model opens as its text: the editor that VS Code makes for the binary file gives way to one for the text.
import * as vscode from 'vscode';
import { isModel, textOf } from './modelUri';

const VIEW_TYPE = 'onnxls.modelAsText';

export function registerModelEditor(): vscode.Disposable {
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
