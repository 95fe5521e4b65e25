// The view Try Sizes: what is written into its fields goes to the server, which judges the guards by it.
import * as vscode from 'vscode';
import type { ActiveUnit } from './activeUnit';
import type { FromSizes, SizesState } from './pageMessages';
import { readFields, summary } from './sizes';
import { webviewPage } from './webviewPage';

const STYLE = `
body { padding: 4px 12px 12px; color: var(--vscode-foreground); font: var(--vscode-font-size) var(--vscode-font-family); }
h2 { font-size: 1em; margin: 4px 0 8px; overflow-wrap: anywhere; }
#fields { display: grid; grid-template-columns: 1fr auto; gap: 4px 8px; align-items: center; }
#fields label { display: contents; }
#fields span, code { font-family: var(--vscode-editor-font-family); overflow-wrap: anywhere; }
input { color: var(--vscode-input-foreground); background: var(--vscode-input-background);
  border: 1px solid var(--vscode-input-border, transparent); padding: 2px 4px; font: inherit; }
input.wrong { border-color: var(--vscode-inputValidation-errorBorder); }
input:focus, button:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
#reset { margin: 8px 0; padding: 2px 10px; border: 0; cursor: pointer; font: inherit;
  color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
#summary { margin: 4px 0; }
#summary.fails { color: var(--vscode-errorForeground); }
ul { list-style: none; margin: 0; padding: 0; }
li button { display: flex; gap: 6px; width: 100%; padding: 3px 0; border: 0; background: none; color: inherit;
  font: inherit; text-align: left; cursor: pointer; }
li button:hover { background: var(--vscode-list-hoverBackground); }
li small { margin-left: auto; opacity: 0.7; overflow-wrap: anywhere; }
li.holds span { color: var(--vscode-testing-iconPassed); }
li.fails span, li.fails code { color: var(--vscode-testing-iconFailed); }
`;

const BODY = `
<p id="empty">Put the cursor into an onnxscript function or the text of a model.</p>
<div id="content" hidden>
<h2 id="unit"></h2>
<div id="fields"></div>
<button id="reset">Reset</button>
<p id="summary" role="status"></p>
<ul id="guards"></ul>
</div>
`;

export function registerTrySizes(active: ActiveUnit, extension: vscode.Uri): vscode.Disposable {
  const provider = new TrySizes(active, extension);
  return vscode.Disposable.from(
    vscode.window.registerWebviewViewProvider('onnxls.trySizes', provider),
    vscode.commands.registerCommand('onnxls.trySizes', (...given: unknown[]) => active.showIn('onnxls.trySizes', given)),
    active.onDidChange(() => { provider.post(); }),
  );
}

class TrySizes implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;

  constructor(
    private readonly active: ActiveUnit,
    private readonly extension: vscode.Uri,
  ) {}

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    let visible = view.visible;
    if (visible) this.active.setShown(true);
    view.onDidChangeVisibility(() => {
      if (view.visible === visible) return;
      visible = view.visible;
      this.active.setShown(visible);
    });
    view.onDidDispose(() => {
      this.view = undefined;
      if (visible) this.active.setShown(false);
    });
    view.webview.onDidReceiveMessage((message: FromSizes) => { this.receive(message); });
    const script = 'trySizes.js';
    view.webview.html = webviewPage(view.webview, this.extension, { title: 'Try Sizes', style: STYLE, body: BODY, script });
  }

  post(): void {
    const { guards } = this.active;
    const state: SizesState = guards && { summary: summary(guards.guards), unit: guards };
    void this.view?.webview.postMessage(state);
  }

  private receive(message: FromSizes): void {
    switch (message.kind) {
      case 'ready':
        this.post();
        break;
      case 'fields': {
        const sizes = readFields(message.fields);
        if (sizes !== undefined) void this.active.setSizes(sizes);
        break;
      }
      case 'reset':
        void this.active.setSizes(null);
        break;
      case 'jump':
        void this.active.jumpTo(message.guard);
        break;
    }
  }
}
