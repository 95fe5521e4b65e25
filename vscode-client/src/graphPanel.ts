// The graph around the cursor, beside the editor: the node, its producers and consumers. It follows the cursor.
import * as vscode from 'vscode';
import { place } from './graphLayout';
import { draw } from './graphSvg';
import type { FromGraph, GraphState } from './pageMessages';
import { jump, type Cursor } from './places';
import { method, type Neighbourhood, type PlaceParams } from './protocol';
import type { Server } from './server';
import { webviewPage } from './webviewPage';

const STYLE = `
body { margin: 0; padding: 8px; color: var(--vscode-foreground); }
h2 { font: 600 var(--vscode-font-size) var(--vscode-font-family); margin: 0 0 8px; overflow-wrap: anywhere; }
text { font: 12px var(--vscode-editor-font-family, monospace); fill: var(--vscode-editor-foreground);
  text-anchor: middle; dominant-baseline: central; }
.node rect { fill: var(--vscode-editorWidget-background); stroke: var(--vscode-editorWidget-border, gray); }
.node.center rect { stroke: var(--vscode-focusBorder); stroke-width: 2; }
.node .line0 { font-weight: 600; }
.node .line1 { opacity: 0.8; }
.edge path { fill: none; stroke: var(--vscode-descriptionForeground); }
.edge.failing path { stroke: var(--vscode-editorError-foreground); stroke-width: 2; stroke-dasharray: 6 3; }
.edge.failing text { fill: var(--vscode-editorError-foreground); }
.edge .label { fill: var(--vscode-editor-background); stroke: none; }
.edge .line1 { fill: var(--vscode-editorInlayHint-foreground, currentColor); }
.arrow path { fill: var(--vscode-descriptionForeground); stroke: none; }
.arrow-failing path { fill: var(--vscode-editorError-foreground); stroke: none; }
[data-index] { cursor: pointer; }
[data-index]:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
`;

const BODY = `
<p id="empty">Put the cursor on a node or a value.</p>
<h2 id="unit"></h2>
<div id="drawing"></div>
`;

export function registerGraph(server: Server, cursor: Cursor, extension: vscode.Uri): vscode.Disposable {
  let panel: GraphPanel | undefined;
  const show = () => {
    if (panel) panel.reveal();
    else {
      panel = new GraphPanel(server, cursor, extension);
      panel.onDidClose(() => (panel = undefined));
    }
  };
  return vscode.Disposable.from(vscode.commands.registerCommand('onnxls.showGraph', show), {
    dispose: () => panel?.close(),
  });
}

class GraphPanel {
  private readonly panel: vscode.WebviewPanel;
  private asked = 0;
  private shown: { uri: vscode.Uri; graph: Neighbourhood } | undefined;

  constructor(
    private readonly server: Server,
    private readonly cursor: Cursor,
    extension: vscode.Uri,
  ) {
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.panel = vscode.window.createWebviewPanel('onnxls.graph', 'Graph', beside);
    const refresh = () => void this.refresh();
    const subscriptions = vscode.Disposable.from(
      cursor.onDidMove(refresh),
      server.onStatus(({ busy }) => {
        if (!busy) refresh();
      }),
      this.panel.onDidChangeViewState(refresh),
      this.panel.webview.onDidReceiveMessage((message: FromGraph) => {
        if (message.kind === 'ready') this.post();
        else void this.jumpTo(message.kind, message.index);
      }),
    );
    this.panel.onDidDispose(() => { subscriptions.dispose(); });
    const parts = { title: 'Graph', style: STYLE, body: BODY, script: 'graph.js' };
    this.panel.webview.html = webviewPage(this.panel.webview, extension, parts);
    refresh();
  }

  onDidClose(listener: () => void): void {
    this.panel.onDidDispose(listener);
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
    void this.refresh();
  }

  close(): void {
    this.panel.dispose();
  }

  private async refresh(): Promise<void> {
    const { place: at } = this.cursor;
    if (at === undefined || !this.panel.visible) return;
    this.asked += 1;
    const question = this.asked;
    const { uri } = at.document;
    const params: PlaceParams = { uri: uri.toString(), position: at.position };
    const graph = await this.server.request<Neighbourhood | null>(method.graph, params).catch(() => null);
    if (question === this.asked) this.show(uri, graph);
  }

  /** Where no node is at the cursor, the last graph stays. */
  private show(uri: vscode.Uri, graph: Neighbourhood | null): void {
    if (graph === null && this.shown) return;
    this.shown = graph ? { uri, graph } : undefined;
    this.post();
  }

  private post(): void {
    const state: GraphState = this.shown
      ? { unit: this.shown.graph.unit, svg: draw(place(this.shown.graph)) }
      : null;
    void this.panel.webview.postMessage(state);
  }

  private async jumpTo(kind: 'node' | 'edge', index: number): Promise<void> {
    if (this.shown === undefined) return;
    const { uri, graph } = this.shown;
    const range = (kind === 'node' ? graph.nodes : graph.edges)[index]?.range;
    if (range) await jump(uri, range);
  }
}
