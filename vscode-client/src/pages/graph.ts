// The page of the graph: it shows drawings, and tells the extension which part was clicked or entered.
import type { FromGraph, GraphState } from '../pageMessages';
import { required } from './elements';

const vscode = acquireVsCodeApi<undefined>();

window.addEventListener('message', ({ data }: MessageEvent<GraphState>) => {
  required('empty').hidden = data !== null;
  required('unit').textContent = data?.unit ?? '';
  required('drawing').innerHTML = data?.svg ?? '';
});
document.addEventListener('click', ({ target }) => { tell(target); });
document.addEventListener('keydown', ({ key, target }) => {
  if (key === 'Enter') tell(target);
});
send({ kind: 'ready' });

function tell(target: EventTarget | null): void {
  const part = target instanceof Element ? target.closest<SVGElement>('[data-index]') : null;
  const kind = part?.dataset['kind'];
  if (part && (kind === 'node' || kind === 'edge')) send({ kind, index: Number(part.dataset['index']) });
}

function send(message: FromGraph): void {
  vscode.postMessage(message);
}
