// The page of the graph: a click or Enter on a part tells the extension which one.
import type { FromGraph } from '../pageMessages';

const vscode = acquireVsCodeApi<undefined>();

document.addEventListener('click', ({ target }) => { tell(target); });
document.addEventListener('keydown', ({ key, target }) => {
  if (key === 'Enter') tell(target);
});

function tell(target: EventTarget | null): void {
  const part = target instanceof Element ? target.closest<SVGElement>('[data-index]') : null;
  const kind = part?.dataset['kind'];
  if (part && (kind === 'node' || kind === 'edge')) {
    vscode.postMessage({ kind, index: Number(part.dataset['index']) } satisfies FromGraph);
  }
}
