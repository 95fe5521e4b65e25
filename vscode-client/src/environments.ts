// Gathers the Pythons that may run the server: from the setting, the extensions for Python, the workspace, and PATH.
import os from 'node:os';
import { access, constants } from 'node:fs/promises';
import * as vscode from 'vscode';
import { admissible, environmentsIn, fromSetting, namesOnPath, type Candidate } from './interpreters';

const ENVIRONMENTS_EXTENSION = 'ms-python.vscode-python-envs';
const PYTHON_EXTENSION = 'ms-python.python';

/** The parts of the two extensions' interfaces that are asked; either extension may be missing. */
interface EnvironmentsApi {
  getEnvironment(scope: vscode.Uri | undefined): Promise<{ execInfo?: { run?: { executable?: string } } } | undefined>;
  onDidChangeEnvironment?: vscode.Event<unknown>;
}

interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(scope?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable?: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath?: vscode.Event<unknown>;
  };
}

/** All candidates, best first. A setting that is filled is the only one: it is followed or complained about. */
export async function candidates(): Promise<Candidate[]> {
  const set = ofSetting();
  const found = set ? [set] : [...(vscode.workspace.isTrusted ? await selectedOrThere() : []), ...onPath()];
  return admissible(found, folderPaths(), vscode.workspace.isTrusted);
}

/** Whether Restricted Mode leaves out candidates: all but what is on PATH, and a setting that leads into the workspace. */
export function isRestricted(): boolean {
  const set = ofSetting();
  return !vscode.workspace.isTrusted && (set === null || admissible([set], folderPaths(), false).length === 0);
}

function ofSetting(): Candidate | null {
  const setting = vscode.workspace.getConfiguration('onnxls').get<string[]>('interpreter', []);
  const set = fromSetting(setting, folderPaths()[0], os.homedir());
  return set && { command: set, source: 'the setting onnxls.interpreter' };
}

async function selectedOrThere(): Promise<Candidate[]> {
  return [...(await ofExtensions(vscode.workspace.workspaceFolders?.[0]?.uri)), ...(await ofWorkspace())];
}

function onPath(): Candidate[] {
  return namesOnPath(process.platform).map((name) => ({ command: [name], source: 'on PATH' }));
}

function folderPaths(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
}

/** Calls `listener` when another environment was selected in one of the extensions for Python. */
export async function onDidChangeEnvironment(listener: () => void): Promise<vscode.Disposable> {
  const [environments, python] = await Promise.all([environmentsApi(), pythonApi()]);
  return vscode.Disposable.from(
    ...[environments?.onDidChangeEnvironment, python?.environments?.onDidChangeActiveEnvironmentPath].flatMap((event) =>
      event ? [event(listener)] : [],
    ),
  );
}

async function ofExtensions(scope: vscode.Uri | undefined): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const environment = await quietly(async () => (await environmentsApi())?.getEnvironment(scope));
  const selected = environment?.execInfo?.run?.executable;
  if (selected) found.push({ command: [selected], source: 'selected in Python Environments' });
  const active = await quietly(async () => {
    const environments = (await pythonApi())?.environments;
    return environments?.resolveEnvironment(environments.getActiveEnvironmentPath(scope));
  });
  const executable = active?.executable?.uri?.fsPath;
  if (executable) found.push({ command: [executable], source: 'selected in the Python extension' });
  return found;
}

async function ofWorkspace(): Promise<Candidate[]> {
  const files = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .flatMap(({ uri }) => environmentsIn(uri.fsPath, process.platform));
  const there = await Promise.all(files.map(isExecutable));
  return files
    .filter((_, index) => there[index])
    .map((file) => ({ command: [file], source: 'in the workspace' }) as const);
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

const environmentsApi = () => exportsOf<EnvironmentsApi>(ENVIRONMENTS_EXTENSION);
const pythonApi = () => exportsOf<PythonApi>(PYTHON_EXTENSION);

async function exportsOf<Api>(id: string): Promise<Api | undefined> {
  return quietly(() => vscode.extensions.getExtension<Api>(id)?.activate());
}

/** Another extension's failure is not ours: it only offers no environment. */
async function quietly<Result>(ask: () => PromiseLike<Result> | undefined): Promise<Result | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}
