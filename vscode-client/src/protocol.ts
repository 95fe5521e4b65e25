// What the extension and the server say to each other beyond the Language Server Protocol. Types only: no VS Code here.
import type { Position, Range } from 'vscode-languageserver-types';

export const method = {
  modelText: 'onnxls/modelText',
  guards: 'onnxls/guards',
  setSizes: 'onnxls/setSizes',
  graph: 'onnxls/graph',
  status: 'onnxls/status',
  modelFindings: 'onnxls/modelFindings',
} as const;

/** Sizes by the names of their symbols. */
export type Sizes = Record<string, number>;

export type GuardState = 'holds' | 'fails' | 'unknown';

export interface GuardInfo {
  text: string;
  kind: string;
  reason: string;
  node: string;
  range: Range | null;
  state: GuardState;
}

/** A function or model: what its operators need of the sizes, judged at the sizes in force. */
export interface UnitGuards {
  unit: string;
  symbols: { name: string; hint: number | null }[];
  guards: GuardInfo[];
}

export interface GraphNode {
  id: string;
  label: string;
  op: string;
  range: Range | null;
}

export interface GraphEdge {
  from: string;
  to: string;
  value: string;
  type: string;
  failing: boolean;
  range: Range | null;
}

/** A node with its producers and consumers. */
export interface Neighbourhood {
  unit: string;
  center: string;
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export interface ServerStatus {
  busy: boolean;
  findings: number;
  version: string;
  hints: Record<string, Sizes>;
}

export interface PlaceParams {
  uri: string;
  position?: Position;
}

export interface SetSizesParams {
  uri: string;
  unit: string;
  sizes: Sizes | null;
}

export interface ModelFindings {
  uri: string;
  count: number;
}
