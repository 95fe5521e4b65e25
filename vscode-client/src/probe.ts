// Asks a Python for the version of the package, in isolated mode and outside any workspace.
import { execFile } from 'node:child_process';
import type { Command, Probed } from './interpreters';

const TIMEOUT_MS = 20_000;

const QUESTION = `
import importlib.metadata, json, sys
try:
    version = importlib.metadata.version("onnxls")
except importlib.metadata.PackageNotFoundError:
    version = None
print(json.dumps({"executable": sys.executable, "version": version}))
`;

export function probe([executable, ...options]: Command, cwd: string): Promise<Probed> {
  return new Promise((resolve) => {
    const settings = { cwd, timeout: TIMEOUT_MS, windowsHide: true };
    execFile(executable, [...options, '-I', '-c', QUESTION], settings, (error, stdout, stderr) => {
      resolve(error ? { runs: false, reason: reasonOf(error, stderr) } : readAnswer(stdout));
    });
  });
}

/** The last line counts: a `sitecustomize` may have printed more. */
export function readAnswer(stdout: string): Probed {
  try {
    const answer: unknown = JSON.parse(stdout.trim().split(/\r?\n/).at(-1) ?? '');
    if (typeof answer === 'object' && answer !== null && 'executable' in answer && 'version' in answer) {
      const { executable, version } = answer;
      if (typeof executable === 'string' && (typeof version === 'string' || version === null)) {
        return { runs: true, executable, version };
      }
    }
  } catch {
    // told below
  }
  return { runs: false, reason: 'it does not answer as Python does' };
}

function reasonOf(error: Error & { code?: unknown; killed?: boolean }, stderr: string): string {
  if (error.code === 'ENOENT') return 'there is no such program';
  if (error.killed) return `no answer within ${TIMEOUT_MS / 1000} s`;
  return stderr.trim().split(/\r?\n/).at(-1) || error.message;
}
