// What the status item shows. No VS Code here.
import type { ServerStatus, Sizes } from './protocol';

/** Where the server is `restricted`, a Python may have it that Restricted Mode does not run. */
export type ServerState = 'off' | 'starting' | 'running' | 'failed' | 'restricted';

export const RESTRICTED =
  'In Restricted Mode no Python of this folder is run, and no other has onnxls. Trust the folder to see what it finds.';


export interface StatusText {
  label: string;
  /** Markdown. */
  tooltip: string;
  severity: 'none' | 'warning' | 'error';
}

/** `name` gives the short name of a document by its URI. */
export function statusText(state: ServerState, status: ServerStatus | null, name: (uri: string) => string): StatusText {
  if (state === 'starting') return { label: '$(sync~spin) onnxls', tooltip: 'onnxls is starting.', severity: 'none' };
  if (state === 'failed') return { label: '$(error) onnxls', tooltip: 'onnxls is not running.', severity: 'error' };
  if (state === 'restricted') return { label: '$(shield) onnxls', tooltip: RESTRICTED, severity: 'warning' };
  if (state === 'off' || status === null) return { label: 'onnxls', tooltip: 'onnxls', severity: 'none' };
  const icon = status.busy ? '$(sync~spin)' : status.findings > 0 ? '$(warning)' : '$(check)';
  const lines = [
    `**onnxls ${status.version}**${status.busy ? ' is analysing' : ''}`,
    status.findings === 1 ? '1 finding' : `${status.findings} findings`,
    ...Object.entries(status.hints)
      .filter(([, sizes]) => Object.keys(sizes).length > 0)
      .map(([uri, sizes]) => `Sizes in force in ${escaped(name(uri))}: ${escaped(sizesText(sizes))}`),
  ];
  return {
    label: status.findings > 0 ? `${icon} onnxls ${status.findings}` : `${icon} onnxls`,
    tooltip: lines.join('\n\n'),
    severity: 'none',
  };
}

export function sizesText(sizes: Sizes): string {
  return Object.entries(sizes)
    .map(([symbol, size]) => `${symbol} = ${size}`)
    .join(', ');
}

/** Names come from models, which may hold anything. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!<>|~$&]/g, '\\$&').replace(/\s+/g, ' ');
}
