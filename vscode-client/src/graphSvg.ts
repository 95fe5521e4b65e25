// Draws a placed neighbourhood as SVG. Colours are classes of the page's style sheet; each part that can be jumped to
// carries its kind and index.
import { LINE_HEIGHT, type Box, type Layout, type Point } from './graphLayout';
import { escapeHtml } from './html';

export function draw({ width, height, nodes, edges }: Layout): string {
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}"`,
    ` viewBox="0 0 ${round(width)} ${round(height)}" role="img" aria-label="Graph around the cursor">`,
    '<defs>',
    arrowHead('arrow'),
    arrowHead('arrow-failing'),
    '</defs>',
  ];
  edges.forEach(({ edge, points, label }, index) => {
    const failing = edge.failing ? ' failing' : '';
    const marker = edge.failing ? 'arrow-failing' : 'arrow';
    parts.push(
      `<g class="edge${failing}" ${target('edge', index, edge.range !== null)}>`,
      `<title>${escapeHtml(`${edge.value}: ${edge.type}${edge.failing ? ' (fails)' : ''}`)}</title>`,
      `<path d="${path(points)}" marker-end="url(#${marker})"/>`,
      `<rect class="label" ${rectangle(label)}/>`,
      text(label, edge.failing ? label.lines.map((line, at) => (at === 0 ? `✗ ${line}` : line)) : label.lines),
      '</g>',
    );
  });
  nodes.forEach(({ node, lines, isCenter, ...box }, index) => {
    parts.push(
      `<g class="node${isCenter ? ' center' : ''}" ${target('node', index, node.range !== null)}>`,
      `<title>${escapeHtml(`${node.op} ${node.label}`)}</title>`,
      `<rect rx="4" ${rectangle(box)}/>`,
      text(box, lines),
      '</g>',
    );
  });
  parts.push('</svg>');
  return parts.join('');
}

function arrowHead(id: string): string {
  return (
    `<marker id="${id}" class="${id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">` +
    '<path d="M 0 0 L 10 5 L 0 10 z"/></marker>'
  );
}

function target(kind: 'node' | 'edge', index: number, canJump: boolean): string {
  return canJump ? `data-kind="${kind}" data-index="${index}" tabindex="0" role="button"` : '';
}

function rectangle({ x, y, width, height }: Box): string {
  return `x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${round(width)}" height="${round(height)}"`;
}

function text({ x, y }: Point, lines: string[]): string {
  const first = y - ((lines.length - 1) * LINE_HEIGHT) / 2;
  return lines
    .map((line, at) => {
      const place = `x="${round(x)}" y="${round(first + at * LINE_HEIGHT)}"`;
      return `<text class="line${at}" ${place}>${escapeHtml(line)}</text>`;
    })
    .join('');
}

function path(points: Point[]): string {
  return points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'} ${round(x)} ${round(y)}`).join(' ');
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
