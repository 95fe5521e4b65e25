// The page Try Sizes: a field for each symbol, and each condition with its state. Names come from models: they are only
// ever set as text.
import type { GuardInfo } from '../protocol';
import type { FromSizes, SizesState } from '../pageMessages';
import { required } from './elements';

const vscode = acquireVsCodeApi<undefined>();
const SETTLE_MS = 250;
const MARKS = { holds: '✓', fails: '✗', unknown: '○' } as const;

const empty = required('empty');
const content = required('content');
const heading = required('unit');
const fields = required('fields');
const verdict = required('summary');
const guards = required('guards');
let timer: number | undefined;
let shownUnit = '';

window.addEventListener('message', ({ data }: MessageEvent<SizesState>) => { show(data); });
required('reset').addEventListener('click', () => {
  clearTimeout(timer);
  for (const input of inputs()) input.value = '';
  send({ kind: 'reset' });
});
send({ kind: 'ready' });

function show(state: SizesState): void {
  empty.hidden = state !== null;
  content.hidden = state === null;
  if (state === null) return;
  heading.textContent = state.unit.unit;
  verdict.textContent = state.summary;
  verdict.className = state.unit.guards.some(({ state }) => state === 'fails') ? 'fails' : '';
  showFields(state);
  guards.replaceChildren(...state.unit.guards.map(guardRow));
}

/** Fields stay where only their sizes change, so that typing goes on undisturbed. */
function showFields({ unit: { unit, symbols } }: NonNullable<SizesState>): void {
  const key = JSON.stringify([unit, symbols.map(({ name }) => name)]);
  if (key !== shownUnit) {
    shownUnit = key;
    fields.replaceChildren(...symbols.map(({ name }) => fieldRow(name)));
  }
  const byName = new Map(symbols.map(({ name, hint }) => [name, hint]));
  for (const input of inputs()) {
    if (input === document.activeElement) continue;
    const hint = byName.get(input.dataset['symbol'] ?? '');
    input.value = hint === null || hint === undefined ? '' : String(hint);
    input.classList.remove('wrong');
  }
}

function fieldRow(symbol: string): HTMLElement {
  const row = document.createElement('label');
  const input = document.createElement('input');
  input.inputMode = 'numeric';
  input.size = 8;
  input.placeholder = 'any';
  input.dataset['symbol'] = symbol;
  input.setAttribute('aria-label', symbol);
  input.addEventListener('input', () => {
    input.classList.toggle('wrong', !/^\s*\d*\s*$/.test(input.value));
    clearTimeout(timer);
    timer = setTimeout(sendFields, SETTLE_MS);
  });
  row.append(textElement('span', symbol), input);
  return row;
}

function guardRow({ text, state, reason, node, range }: GuardInfo, index: number): HTMLElement {
  const row = document.createElement('li');
  row.className = state;
  const button = document.createElement('button');
  button.append(textElement('span', MARKS[state]), textElement('code', text), textElement('small', node));
  button.title = reason;
  button.disabled = range === null;
  button.addEventListener('click', () => { send({ kind: 'jump', guard: index }); });
  row.append(button);
  return row;
}

function sendFields(): void {
  const texts = Object.fromEntries(inputs().map(({ dataset, value }) => [dataset['symbol'] ?? '', value]));
  send({ kind: 'fields', fields: texts });
}

function inputs(): HTMLInputElement[] {
  return [...fields.querySelectorAll('input')];
}

function textElement(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function send(message: FromSizes): void {
  vscode.postMessage(message);
}
