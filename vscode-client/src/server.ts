// One server for the window: found, started, stopped and started again, one after the other and never two at a time.
import * as vscode from 'vscode';
import { State, type LanguageClient } from 'vscode-languageclient/node';
import { makeClient } from './client';
import { candidates, isRestricted } from './environments';
import { choose, explain, serverCommand, type Choice } from './interpreters';
import { probe } from './probe';
import { method, type ModelFindings, type ServerStatus } from './protocol';
import { RESTRICTED, type ServerState } from './statusText';

export class Server implements vscode.Disposable {
  private readonly stateEmitter = new vscode.EventEmitter<ServerState>();
  private readonly statusEmitter = new vscode.EventEmitter<ServerStatus>();
  private readonly findingsEmitter = new vscode.EventEmitter<ModelFindings>();
  private client: LanguageClient | undefined;
  private runningCommand = '';
  private pending: Promise<void> = Promise.resolve();
  private wanted = false;

  readonly onDidChangeState = this.stateEmitter.event;
  readonly onStatus = this.statusEmitter.event;
  readonly onModelFindings = this.findingsEmitter.event;
  state: ServerState = 'off';
  version = '';
  python = '';

  constructor(
    private readonly storage: vscode.Uri,
    private readonly output: vscode.LogOutputChannel,
  ) {}

  /** Starts the server at the first call; later calls wait for it. */
  ensureStarted(): Promise<void> {
    if (!this.wanted) {
      this.wanted = true;
      return this.enqueue(() => this.start());
    }
    return this.pending;
  }

  restart(): Promise<void> {
    this.wanted = true;
    return this.enqueue(async () => {
      await this.stop();
      await this.start();
    });
  }

  /** Restarts only if another Python would run the server now. */
  environmentChanged(): Promise<void> {
    if (!this.wanted) return Promise.resolve();
    return this.enqueue(async () => {
      const choice = await this.search();
      if (choice.found && this.commandOf(choice).join('\0') === this.runningCommand) return;
      await this.stop();
      await this.start(choice);
    });
  }

  /** Rejects where the server does not run. */
  async request<Result>(name: string, params: object, token?: vscode.CancellationToken): Promise<Result> {
    await this.ensureStarted();
    if (this.client === undefined) {
      throw new Error(this.state === 'restricted' ? RESTRICTED : 'The onnxls server is not running.');
    }
    return token ? this.client.sendRequest<Result>(name, params, token) : this.client.sendRequest<Result>(name, params);
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.runningCommand = '';
    if (client) {
      // A server that does not stop in time is ended with its connection.
      await client.dispose().catch((error: unknown) => { this.output.warn(`Stopping: ${String(error)}`); });
      this.setState('off');
    }
  }

  dispose(): void {
    void this.stop();
    this.stateEmitter.dispose();
    this.statusEmitter.dispose();
    this.findingsEmitter.dispose();
  }

  private enqueue(task: () => Promise<void>): Promise<void> {
    this.pending = this.pending.then(task).catch((error: unknown) => {
      this.output.error(String(error));
      this.setState('failed');
    });
    return this.pending;
  }

  private async search(): Promise<Choice> {
    await vscode.workspace.fs.createDirectory(this.storage);
    return choose(await candidates(), (command) => probe(command, this.storage.fsPath));
  }

  private commandOf({ found }: Choice & { found: object }) {
    const more = vscode.workspace.getConfiguration('onnxls').get<string[]>('serverArguments', []);
    return serverCommand(found.command, more);
  }

  private async start(choice?: Choice): Promise<void> {
    this.setState('starting');
    choice ??= await this.search();
    if (!choice.found) {
      if (isRestricted()) {
        // VS Code itself asks for trust, and its question may stand before the person now.
        this.output.warn(RESTRICTED);
        this.setState('restricted');
        return;
      }
      this.setState('failed');
      void this.tellMissing(choice.rejected);
      return;
    }
    const command = this.commandOf(choice);
    this.output.info(`Starting onnxls ${choice.version} (${choice.found.source}): ${command.join(' ')}`);
    this.version = choice.version;
    this.python = choice.executable;
    this.runningCommand = command.join('\0');
    const client = makeClient(command, this.storage.fsPath, this.output);
    this.client = client;
    client.onDidChangeState(({ newState }) => {
      if (this.client !== client) return;
      this.setState(newState === State.Running ? 'running' : newState === State.Starting ? 'starting' : 'failed');
    });
    client.onNotification(method.status, (status: ServerStatus) => { this.statusEmitter.fire(status); });
    client.onNotification(method.modelFindings, (findings: ModelFindings) => { this.findingsEmitter.fire(findings); });
    try {
      await client.start();
    } catch (error) {
      this.output.error(`The server did not start: ${String(error)}`);
      this.setState('failed');
      void this.tellFailure();
    }
  }

  private setState(state: ServerState): void {
    if (this.state === state) return;
    this.state = state;
    void vscode.commands.executeCommand('setContext', 'onnxls.running', state === 'running');
    this.stateEmitter.fire(state);
  }

  private async tellMissing(rejected: Parameters<typeof explain>[0]): Promise<void> {
    const { message, install } = explain(rejected, process.platform);
    this.output.warn(message);
    const answers = { run: 'Install', copy: 'Copy Command', settings: 'Choose Python' };
    const shown = install ? [answers.run, answers.copy, answers.settings] : [answers.settings];
    const text = install ? `${message} To install it: ${install}` : message;
    const answer = await vscode.window.showWarningMessage(text, ...shown);
    if (answer === answers.settings) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'onnxls.interpreter');
    } else if (answer === answers.copy && install) {
      await vscode.env.clipboard.writeText(install);
    } else if (answer === answers.run && install) {
      await this.installIn(install);
    }
  }

  /** In a terminal, where the person sees what is done; the server starts when it has succeeded. */
  private async installIn(command: string): Promise<void> {
    const task = new vscode.Task(
      { type: 'onnxls' },
      vscode.TaskScope.Workspace,
      'Install onnxls',
      'onnxls',
      new vscode.ShellExecution(command, { cwd: this.storage.fsPath }),
    );
    const execution = await vscode.tasks.executeTask(task);
    const ended = vscode.tasks.onDidEndTaskProcess(({ execution: other, exitCode }) => {
      if (other !== execution) return;
      ended.dispose();
      if (exitCode === 0) void this.restart();
    });
  }

  private async tellFailure(): Promise<void> {
    const answers = { output: 'Show Output', restart: 'Restart Server' };
    const answer = await vscode.window.showErrorMessage('The onnxls server did not start.', ...Object.values(answers));
    if (answer === answers.output) this.output.show();
    else if (answer === answers.restart) await this.restart();
  }
}
