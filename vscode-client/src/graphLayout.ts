// Places the nodes and edges of a neighbourhood on a plane, producers above. Lengths are in CSS pixels.
import { Graph, layout } from '@dagrejs/dagre';
import type { GraphEdge, GraphNode, Neighbourhood } from './protocol';

export const LINE_HEIGHT = 16;
const CHARACTER_WIDTH = 7.3;
const PADDING = 12;
const MARGIN = 16;
const LONGEST_LABEL = 40;

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

/** A box is given by its middle. */
export interface PlacedNode extends Box {
  node: GraphNode;
  lines: string[];
  isCenter: boolean;
}

export interface PlacedEdge {
  edge: GraphEdge;
  points: Point[];
  label: Box & { lines: string[] };
}

export interface Layout {
  width: number;
  height: number;
  nodes: PlacedNode[];
  edges: PlacedEdge[];
}

/** Edges of nodes that are not there are left out. */
export function place({ center, nodes, edges }: Neighbourhood): Layout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 24, edgesep: 16, ranksep: 40, marginx: MARGIN, marginy: MARGIN });
  const nodeLines = new Map(nodes.map((node) => [node.id, linesOfNode(node)]));
  for (const [id, lines] of nodeLines) graph.setNode(id, sizeOf(lines));
  const drawn = edges.filter(({ from, to }) => nodeLines.has(from) && nodeLines.has(to));
  drawn.forEach((edge, index) => {
    graph.setEdge(edge.from, edge.to, { ...sizeOf(linesOfEdge(edge)), labelpos: 'c' }, String(index));
  });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as Partial<Box>;
  return {
    width,
    height,
    nodes: nodes.map((node) => ({
      ...(graph.node(node.id) as Box),
      node,
      lines: nodeLines.get(node.id) ?? [],
      isCenter: node.id === center,
    })),
    edges: drawn.map((edge, index) => {
      const { points, x, y, width, height } = graph.edge(edge.from, edge.to, String(index)) as Box & { points: Point[] };
      return { edge, points, label: { x, y, width, height, lines: linesOfEdge(edge) } };
    }),
  };
}

/** What is no operator, such as an input, has only a label. */
function linesOfNode({ op, label }: GraphNode): string[] {
  return [...new Set([op, label])].filter((line) => line !== '').map(shortened);
}

function linesOfEdge({ value, type }: GraphEdge): string[] {
  return [value, type].filter((line) => line !== '').map(shortened);
}

/** The end of a name tells more than its beginning; a type is read from its beginning. */
function shortened(line: string): string {
  if (line.length <= LONGEST_LABEL) return line;
  return line.includes('[') ? `${line.slice(0, LONGEST_LABEL - 1)}…` : `…${line.slice(1 - LONGEST_LABEL)}`;
}

function sizeOf(lines: string[]): { width: number; height: number } {
  const longest = Math.max(0, ...lines.map((line) => line.length));
  return { width: longest * CHARACTER_WIDTH + 2 * PADDING, height: lines.length * LINE_HEIGHT + PADDING };
}
