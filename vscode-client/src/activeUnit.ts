// The guards of the function or model around the cursor, kept up to date; the views show them and ask for sizes here.
import * as vscode from 'vscode';
import { enter, jump, type Cursor } from './places';
import { method, type PlaceParams, type SetSizesParams, type Sizes, type UnitGuards } from './protocol';
import type { Server } from './server';

export class ActiveUnit implements vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  private asked = 0;
  private uri: vscode.Uri | undefined;
  private viewers = 0;
  readonly onDidChange = this.changeEmitter.event;
  guards: UnitGuards | null = null;

  constructor(
    private readonly server: Server,
    private readonly cursor: Cursor,
  ) {
    const refresh = () => void this.refresh();
    this.subscriptions = [
      cursor.onDidMove(refresh),
      server.onDidChangeState(refresh),
      server.onStatus(({ busy }) => {
        if (!busy) refresh();
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions, this.changeEmitter).dispose();
  }

  /** Nothing is asked of the server while no view shows the answer. */
  setShown(shown: boolean): void {
    this.viewers += shown ? 1 : -1;
    if (shown) void this.refresh();
  }

  /** Shows a view. A code lens says of which function or model; a menu gives other arguments. */
  async showIn(view: string, [uri, unit]: unknown[]): Promise<void> {
    if (typeof uri === 'string' && typeof unit === 'string') await enter(vscode.Uri.parse(uri), unit);
    await vscode.commands.executeCommand(`${view}.focus`);
  }

  /** Sizes to judge by; null takes them back. */
  async setSizes(sizes: Sizes | null): Promise<void> {
    if (this.uri === undefined || this.guards === null) return;
    const params: SetSizesParams = { uri: this.uri.toString(), unit: this.guards.unit, sizes };
    await this.ask(this.uri, method.setSizes, params);
  }

  async jumpTo(guard: number): Promise<void> {
    const range = this.guards?.guards[guard]?.range;
    if (this.uri && range) await jump(this.uri, range);
  }

  private async refresh(): Promise<void> {
    if (this.viewers === 0) return;
    const { place } = this.cursor;
    if (place === undefined || this.server.state !== 'running') {
      this.asked += 1;
      this.show(undefined, null);
      return;
    }
    const { uri } = place.document;
    const params: PlaceParams = { uri: uri.toString(), position: place.position };
    await this.ask(uri, method.guards, params);
  }

  /** Only the answer to the last question counts. */
  private async ask(uri: vscode.Uri, name: string, params: object): Promise<void> {
    this.asked += 1;
    const question = this.asked;
    const answer = await this.server.request<UnitGuards | null>(name, params).catch(() => null);
    if (question === this.asked) this.show(uri, answer);
  }

  private show(uri: vscode.Uri | undefined, guards: UnitGuards | null): void {
    this.uri = uri;
    this.guards = guards;
    this.changeEmitter.fire();
  }
}
