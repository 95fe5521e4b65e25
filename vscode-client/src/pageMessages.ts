// What the pages and the extension say to each other.
import type { UnitGuards } from './protocol';

/** What the page Try Sizes shows; null where no function or model is at the cursor. */
export type SizesState = { summary: string; unit: UnitGuards } | null;

export type FromSizes =
  | { kind: 'ready' }
  | { kind: 'fields'; fields: Record<string, string> }
  | { kind: 'reset' }
  | { kind: 'jump'; guard: number };

export interface FromGraph {
  kind: 'node' | 'edge';
  index: number;
}
