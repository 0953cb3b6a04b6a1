// C against E, every trajectory and depth a dot coloured by depth.
import { line } from 'd3-shape';
import { depthColour, depthGradient } from './depth_colour';
import { html, svg } from './dom';
import { legendEntry, makeFigure, numberTable, type Figure } from './figure';
import { count, formatNumber } from './format';
import { logDomain, makePlot, type Plot } from './plot';
import { pointAt } from './pointing';
import type { CurvesSection } from './records';
import type { Selection } from './selection';
import { median, spearman } from './statistics';
import { isDark } from './theme';

interface Point {
  trajectory: string;
  depth: number;
  c: number;
  e: number;
}

// Both axes are logarithmic: points with a zero have no place on them.
function pointsOf(section: CurvesSection): Point[] {
  return section.trajectories.flatMap(({ label, depth, c, e }) =>
    depth.flatMap((at, i) => {
      const point = { trajectory: label, depth: at, c: c[i]!, e: e?.[i] ?? 0 };
      return point.c > 0 && point.e > 0 ? [point] : [];
    }),
  );
}

function byDepth(points: readonly Point[]): Map<number, Point[]> {
  const groups = new Map<number, Point[]>();
  for (const point of points) {
    const group = groups.get(point.depth);
    if (group) group.push(point);
    else groups.set(point.depth, [point]);
  }
  return new Map([...groups].sort(([a], [b]) => a - b));
}

const correlation = (points: readonly Point[]) =>
  spearman(
    points.map((point) => point.c),
    points.map((point) => point.e),
  );

function inWords(points: readonly Point[], groups: Map<number, Point[]>): string {
  const trajectories = new Set(points.map((point) => point.trajectory)).size;
  const whose = trajectories === 1 ? 'one trajectory' : `${trajectories} trajectories`;
  const words = `${count(points.length, 'point')} of ${whose}.`;
  const all = correlation(points);
  if (all === undefined) return words;
  const each = [...groups.values()].map(correlation).filter((r) => r !== undefined);
  const fixed =
    each.length > 0
      ? `, ${median(each).toFixed(2)} at a fixed depth (median over ${count(each.length, 'depth')})`
      : '';
  return `${words} Spearman correlation of C and E: ${all.toFixed(2)} over all points${fixed}.`;
}

function dots(
  points: readonly Point[],
  x: (v: number) => number,
  y: (v: number) => number,
): string {
  return points.map(({ c, e }) => `M${x(c).toFixed(1)},${y(e).toFixed(1)}h0`).join('');
}

function describe({ trajectory, depth, c, e }: Point): string[] {
  return [`${trajectory}, depth ${depth}`, `C ${formatNumber(c)}`, `E ${formatNumber(e)}`];
}

function depthLegend(depths: readonly number[]): HTMLElement {
  return html(
    'span',
    { class: 'entry' },
    'depth',
    html('span', { class: 'end' }, String(depths[0])),
    html('span', { class: 'bar', style: `background:${depthGradient()}`, 'aria-hidden': 'true' }),
    html('span', { class: 'end' }, String(depths.at(-1))),
  );
}

/** None when no trajectory has a true error. */
export function makeScatter(section: CurvesSection, selection: Selection): HTMLElement | undefined {
  const points = pointsOf(section);
  if (points.length === 0) return undefined;
  const groups = byDepth(points);
  const depths = [...groups.keys()];
  const spread = Math.max(1, depths.at(-1)! - depths[0]!);
  const words = inWords(points, groups);

  const colourOf = (depth: number) => depthColour((depth - depths[0]!) / spread);

  // What the selection does not change.
  function drawBase(figure: Figure, width: number): Plot {
    const plot = makePlot(
      width,
      Math.min(440, Math.max(300, width * 0.78)),
      {
        label: 'round-trip error C',
        kind: 'log',
        domain: logDomain(points.map((p) => p.c)),
        ticks: width < 420 ? 4 : 6,
      },
      { label: 'true error E', kind: 'log', domain: logDomain(points.map((p) => p.e)) },
    );
    const { x, y } = plot;
    for (const [depth, group] of groups)
      plot.add('path', { d: dots(group, x, y), class: 'dots', stroke: colourOf(depth) });
    plot.root.setAttribute('aria-label', 'C against E, coloured by depth');
    plot.root.setAttribute('aria-describedby', figure.captionId);
    pointAt(
      plot.root,
      points,
      (p) => [x(p.c), y(p.e)],
      describe,
      (p) => selection.select({ trajectory: p.trajectory, depth: p.depth }),
    );
    figure.plot.replaceChildren(plot.root);
    return plot;
  }

  function drawChosen({ x, y }: Plot, chosen: readonly Point[], layer: SVGGElement): void {
    const path =
      line<Point>(
        (p) => x(p.c),
        (p) => y(p.e),
      )(chosen) ?? '';
    const circles = chosen.map(({ c, e, depth }) => {
      const now = depth === selection.depth;
      const place = { cx: x(c), cy: y(e), r: now ? 7 : 4, fill: colourOf(depth) };
      return svg('circle', { ...place, class: now ? 'chosen now' : 'chosen' });
    });
    layer.replaceChildren(svg('path', { d: path, class: 'chosen-line' }), ...circles);
  }

  let base: { plot: Plot; layer: SVGGElement; key: string } | undefined;
  function draw(figure: Figure, width: number): void {
    const key = `${width} ${isDark()}`;
    if (base?.key !== key) {
      const plot = drawBase(figure, width);
      base = { plot, layer: plot.add('g', {}), key };
    }
    const chosen = points.filter((point) => point.trajectory === selection.trajectory);
    drawChosen(base.plot, chosen, base.layer);
    figure.legend.replaceChildren(depthLegend(depths), legendEntry('ring', selection.trajectory));
    const now = chosen.find((point) => point.depth === selection.depth);
    const selected = now ? ` Selected: ${describe(now).join(', ')}.` : '';
    figure.setCaption(words + selected);
  }

  function table(): HTMLElement {
    return numberTable(
      ['depth', 'points', 'median C', 'median E', 'Spearman'],
      [...groups].map(([depth, group]) => [
        String(depth),
        String(group.length),
        formatNumber(median(group.map((p) => p.c))),
        formatNumber(median(group.map((p) => p.e))),
        correlation(group)?.toFixed(2) ?? 'none',
      ]),
    );
  }

  const figure = makeFigure('scatter', 'C against E', draw, table);
  selection.onChange(figure.redraw);
  return figure.element;
}
