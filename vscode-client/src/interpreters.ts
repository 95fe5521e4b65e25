// Which Python runs the server: the first candidate that has the package. No VS Code here, and nothing is run but `probe`.
import path from 'node:path';
import { isOlder } from './versions';

export const PACKAGE = 'onnxls';
export const LEAST_VERSION = '0.1.0';

/** A way to start Python: the executable, then options for it. */
export type Command = readonly [string, ...string[]];

export interface Candidate {
  command: Command;
  /** Where it was found, in words that go into a message. */
  source: string;
}

/** What running a candidate told: the version of the package (null where it is missing), or that it does not run. */
export type Probed = { runs: true; executable: string; version: string | null } | { runs: false; reason: string };

export type Trouble = 'does-not-run' | 'missing' | 'too-old';

export interface Rejected extends Candidate {
  trouble: Trouble;
  detail: string;
}

export type Choice = { found: Candidate; executable: string; version: string } | { found: null; rejected: Rejected[] };

/** The first candidate with a package that is new enough; candidates are asked one after the other. */
export async function choose(
  candidates: readonly Candidate[],
  probe: (command: Command) => Promise<Probed>,
): Promise<Choice> {
  const rejected: Rejected[] = [];
  for (const candidate of candidates) {
    const probed = await probe(candidate.command);
    if (!probed.runs) rejected.push({ ...candidate, trouble: 'does-not-run', detail: probed.reason });
    else if (probed.version === null) rejected.push({ ...candidate, trouble: 'missing', detail: '' });
    else if (isOlder(probed.version, LEAST_VERSION)) {
      rejected.push({ ...candidate, trouble: 'too-old', detail: probed.version });
    } else return { found: candidate, executable: probed.executable, version: probed.version };
  }
  return { found: null, rejected };
}

/** Without repeats, and in a workspace that is not trusted without what lies inside of it. */
export function admissible(
  candidates: readonly Candidate[],
  folders: readonly string[],
  trusted: boolean,
): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ command }) => {
    const key = command.join('\0');
    if (seen.has(key)) return false;
    seen.add(key);
    return trusted || !folders.some((folder) => isInside(command[0], folder));
  });
}

/** A bare name is looked up on PATH, which is the person's own. */
function isInside(file: string, folder: string): boolean {
  if (!path.isAbsolute(file)) return false;
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** The setting, with `${workspaceFolder}` and a leading `~` replaced; null where it is empty. */
export function fromSetting(setting: readonly string[], folder: string | undefined, home: string): Command | null {
  const [executable, ...options] = setting.map((part) =>
    part.replaceAll('${workspaceFolder}', folder ?? '').replace(/^~(?=$|[\\/])/, home),
  );
  return executable ? [executable, ...options] : null;
}

/** Where virtual environments of a workspace folder usually have their Python. */
export function environmentsIn(folder: string, platform: NodeJS.Platform): string[] {
  const inside = platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'];
  return ['.venv', 'venv'].map((name) => path.join(folder, name, ...inside));
}

export function namesOnPath(platform: NodeJS.Platform): string[] {
  return platform === 'win32' ? ['python', 'python3', 'py'] : ['python3', 'python'];
}

/** The server in isolated mode: neither `PYTHONPATH`, the user's site, nor the working folder is on its module path. */
export function serverCommand(command: Command, more: readonly string[]): Command {
  return [...command, '-I', '-X', 'utf8', '-m', 'onnxls_server.cli', 'server', ...more];
}

export interface Explanation {
  message: string;
  /** One line for a shell that mends it; null where nothing is to be installed. */
  install: string | null;
}

/** Why no candidate will do. The first that runs is the one to install into. */
export function explain(rejected: readonly Rejected[], platform: NodeJS.Platform): Explanation {
  const [first] = rejected;
  if (first === undefined) {
    return { message: 'No Python was found. Install Python 3.11 or newer, or set `onnxls.interpreter`.', install: null };
  }
  const target = rejected.find(({ trouble }) => trouble !== 'does-not-run');
  if (target === undefined) {
    return { message: `${first.command[0]} (${first.source}) does not run: ${first.detail}`, install: null };
  }
  const python = target.command.map((part) => quoted(part, platform)).join(' ');
  const ampersand = platform === 'win32' && python.startsWith("'") ? '& ' : '';
  const install = (options: string) => `${ampersand}${python} -I -m pip install ${options}${PACKAGE}`;
  return target.trouble === 'too-old'
    ? {
        message: `${PACKAGE} ${target.detail} in ${target.command[0]} (${target.source}) is too old: ${LEAST_VERSION} or newer is needed.`,
        install: install('--upgrade '),
      }
    : {
        message: `The Python package ${PACKAGE} is not installed in ${target.command[0]} (${target.source}).`,
        install: install(''),
      };
}

/** For PowerShell on Windows, for a POSIX shell elsewhere. */
function quoted(part: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(part) && (platform === 'win32' || !part.includes('\\'))) return part;
  return platform === 'win32' ? `'${part.replaceAll("'", "''")}'` : `'${part.replaceAll("'", "'\\''")}'`;
}
