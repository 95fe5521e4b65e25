// What a person writes into the fields of Try Sizes, and the summary of the guards. No VS Code, no page here.
import type { GuardInfo, Sizes } from './protocol';

const LARGEST = Number.MAX_SAFE_INTEGER;

/** What one field holds: a size, nothing, or what is no size. */
export type Field = { kind: 'size'; size: number } | { kind: 'empty' } | { kind: 'wrong' };

export function readField(text: string): Field {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'empty' };
  const size = /^\d+$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isNaN(size) || size > LARGEST ? { kind: 'wrong' } : { kind: 'size', size };
}

/** The sizes of all fields together; null where none is filled, or undefined where one holds what is no size. */
export function readFields(fields: Record<string, string>): Sizes | null | undefined {
  const sizes: Sizes = {};
  for (const [symbol, text] of Object.entries(fields)) {
    const field = readField(text);
    if (field.kind === 'wrong') return undefined;
    if (field.kind === 'size') sizes[symbol] = field.size;
  }
  return Object.keys(sizes).length > 0 ? sizes : null;
}

/** One line about all guards of a unit. */
export function summary(guards: readonly GuardInfo[]): string {
  if (guards.length === 0) return 'Runs for all sizes.';
  const failing = guards.filter(({ state }) => state === 'fails');
  const refused = failing.filter(({ kind }) => kind === 'assert').length;
  if (refused > 0) return refused === 1 ? 'Does not run: 1 condition fails.' : `Does not run: ${refused} conditions fail.`;
  if (failing.length > 0) return 'Runs, but the shapes shown are of another branch.';
  const open = guards.filter(({ state }) => state === 'unknown').length;
  if (open > 0) return open === 1 ? '1 condition is open.' : `${open} conditions are open.`;
  return guards.length === 1 ? 'Runs: its condition holds.' : `Runs: all ${guards.length} conditions hold.`;
}
