// What the pages and the extension say to each other.
import type { UnitGuards } from './protocol';

/** What the page Try Sizes shows; null where no function or model is at the cursor. */
export type SizesState = { summary: string; unit: UnitGuards } | null;

export type FromSizes =
  | { kind: 'ready' }
  | { kind: 'fields'; fields: Record<string, string> }
  | { kind: 'reset' }
  | { kind: 'jump'; guard: number };

/** What the page of the graph shows: a drawing of ours, in which names are escaped; null where no node is at the cursor. */
export type GraphState = { unit: string; svg: string } | null;

export type FromGraph = { kind: 'ready' } | { kind: 'node' | 'edge'; index: number };
