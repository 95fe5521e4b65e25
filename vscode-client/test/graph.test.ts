import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { place } from '../src/graphLayout';
import { draw } from '../src/graphSvg';
import type { GraphEdge, GraphNode, Neighbourhood } from '../src/protocol';

const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };
const node = (id: string, op = id): GraphNode => ({ id, label: id, op, range });
const edge = (from: string, to: string, more: Partial<GraphEdge> = {}): GraphEdge => ({
  from,
  to,
  value: `${from}_out`,
  type: 'float[N, 4]',
  failing: false,
  range,
  ...more,
});

const around: Neighbourhood = {
  unit: 'net',
  center: 'add',
  nodes: [node('conv'), node('relu'), node('add', 'Add'), node('sum')],
  edges: [edge('conv', 'add'), edge('relu', 'add', { failing: true, type: 'float[M, 4]' }), edge('add', 'sum')],
};

describe('placing', () => {
  const { nodes, edges, width, height } = place(around);
  const at = (id: string) => nodes.find((placed) => placed.node.id === id) ?? assert.fail(id);

  test('data flows from top to bottom', () => {
    assert.ok(at('conv').y < at('add').y);
    assert.ok(at('relu').y < at('add').y);
    assert.ok(at('add').y < at('sum').y);
  });

  test('boxes neither overlap nor leave the plane', () => {
    const boxes = [...nodes, ...edges.map(({ label }) => label)];
    boxes.forEach((one, index) => {
      assert.ok(one.x - one.width / 2 >= 0 && one.x + one.width / 2 <= width);
      assert.ok(one.y - one.height / 2 >= 0 && one.y + one.height / 2 <= height);
      for (const other of boxes.slice(index + 1)) {
        const apart =
          Math.abs(one.x - other.x) >= (one.width + other.width) / 2 ||
          Math.abs(one.y - other.y) >= (one.height + other.height) / 2;
        assert.ok(apart);
      }
    });
  });

  test('the center is marked', () => {
    assert.deepEqual(nodes.filter(({ isCenter }) => isCenter).map((placed) => placed.node.id), ['add']);
  });

  test('several edges between two nodes, an edge to itself, and an edge to nowhere', () => {
    const two = place({
      unit: 'net',
      center: 'a',
      nodes: [node('a'), node('b')],
      edges: [edge('a', 'b'), edge('a', 'b', { value: 'other' }), edge('b', 'b'), edge('a', 'gone')],
    });
    assert.deepEqual(two.edges.map(({ edge: { value } }) => value), ['a_out', 'other', 'b_out']);
    assert.ok(two.edges.every(({ points }) => points.length >= 2));
  });

  test('what is no operator has one line', () => {
    const nodes = [node('mask', ''), node('Add'), node('apply', 'Add')];
    const placed = place({ unit: '', center: 'Add', nodes, edges: [] });
    assert.deepEqual(placed.nodes.map(({ lines }) => lines), [['mask'], ['Add'], ['Add', 'apply']]);
  });

  test('long names are shortened', () => {
    const long = 'encoder/'.repeat(20) + 'MatMul';
    const [placed] = place({ unit: '', center: 'x', nodes: [node(long, 'MatMul')], edges: [] }).nodes;
    assert.ok(placed);
    assert.match(placed.lines[1] ?? '', /^….*MatMul$/);
  });
});

describe('drawing', () => {
  test('each part carries its symbolic shape, and a failing edge is marked', () => {
    const svg = draw(place(around));
    assert.equal(svg.match(/float\[N, 4\]<\/text>/g)?.length, 2);
    assert.match(svg, /class="edge failing"[^>]*><title>relu_out: float\[M, 4\] \(fails\)/);
    assert.match(svg, /✗ relu_out/);
    assert.equal(svg.match(/class="node center"/g)?.length, 1);
  });

  test('only parts with a place can be jumped to', () => {
    const svg = draw(place({ unit: '', center: 'a', nodes: [{ ...node('a'), range: null }, node('b')], edges: [] }));
    assert.deepEqual(svg.match(/data-index="\d"/g), ['data-index="1"']);
  });

  test('names of a model are text, never markup', () => {
    const name = '"><script>alert(1)</script>\u0000';
    const svg = draw(place({ unit: '', center: name, nodes: [node(name)], edges: [edge(name, name, { value: name, type: name })] }));
    assert.doesNotMatch(svg, /<script|\u0000/);
  });
});
