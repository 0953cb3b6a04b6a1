// The predicted error with its band against the true error, over depth, for the selected trajectory;
// the true errors of the others stand behind.
import { area, line } from 'd3-shape';
import { legendEntry, makeFigure, numberTable, type Figure } from './figure';
import { formatNumber, formatRange } from './format';
import { logDomain, makePlot } from './plot';
import { pointAt } from './pointing';
import type { CurvesSection, TrajectoryCurve } from './records';
import type { Selection } from './selection';

interface BandPoint {
  depth: number;
  c: number;
  e: number | undefined;
  mean: number | undefined; // of log E
  sigma: number;
}

function pointsOf(curve: TrajectoryCurve): BandPoint[] {
  return curve.depth.map((depth, i) => ({
    depth,
    c: curve.c[i]!,
    e: curve.e?.[i],
    mean: curve.log_mean?.[i],
    sigma: curve.log_sigma?.[i] ?? 0,
  }));
}

type Predicted = BandPoint & { mean: number };
const isPredicted = (point: BandPoint): point is Predicted => point.mean !== undefined;
const level = (point: Predicted, deviations: number) => Math.exp(point.mean + deviations * point.sigma);

function inWords(curve: TrajectoryCurve, points: readonly BandPoint[], depth: number): string {
  const both = points.filter(isPredicted).filter((point) => point.e !== undefined && point.e > 0);
  const inside = (deviations: number) =>
    both.filter((p) => Math.abs(Math.log(p.e!) - p.mean) <= deviations * p.sigma).length;
  const words: string[] = [];
  if (both.length > 0)
    words.push(
      `${curve.label}: the true error is inside the 68 % band at ${inside(1)} and inside the 95 % band at ${inside(2)} of ${both.length} depths.`,
    );
  const now = points.find((point) => point.depth === depth);
  if (now && isPredicted(now))
    words.push(
      `At depth ${depth} predicted ${formatNumber(level(now, 0))} (95 %: ${formatRange(level(now, -2), level(now, 2))})` +
        (now.e === undefined ? '; the truth is not known.' : `, true ${formatNumber(now.e)}.`),
    );
  if (now && !isPredicted(now)) words.push(`${curve.label}, depth ${depth}: C ${formatNumber(now.c)}, nothing predicted.`);
  return words.join(' ') || `${curve.label} has nothing at depth ${depth}.`;
}

function tableOf(curve: TrajectoryCurve, points: readonly BandPoint[]): HTMLElement {
  const fields = Object.entries(curve.field_errors ?? {});
  const optional = (value: number | undefined) => (value === undefined ? '' : formatNumber(value));
  return numberTable(
    ['depth', 'C', 'true E', 'predicted E', '95 % from', 'to', ...fields.map(([name]) => `MSE ${name}`)],
    points.map((point, i) => [
      String(point.depth),
      formatNumber(point.c),
      optional(point.e),
      ...(isPredicted(point) ? [0, -2, 2].map((k) => formatNumber(level(point, k))) : ['', '', '']),
      ...fields.map(([, errors]) => optional(errors[i])),
    ]),
  );
}

/** For at least one trajectory. Where nothing was predicted, C stands in for the prediction. */
export function makeBand(section: CurvesSection, selection: Selection): HTMLElement {
  const curves = section.trajectories;
  const chosenCurve = () => curves.find((curve) => curve.label === selection.trajectory) ?? curves[0]!;
  const truths = curves.flatMap((curve) =>
    (curve.e ?? []).map((e, i) => ({ label: curve.label, depth: curve.depth[i]!, e })).filter(({ e }) => e > 0),
  );

  function draw(figure: Figure, width: number): void {
    const curve = chosenCurve();
    const points = pointsOf(curve);
    const predicted = points.filter(isPredicted);
    const known = points.filter((point) => point.e !== undefined && point.e > 0);
    const signal = predicted.length > 0 ? [] : points.filter((point) => point.c > 0);
    const first = Math.min(...curves.map((c) => c.depth[0]!));
    const last = Math.max(...curves.map((c) => c.depth.at(-1)!));
    const height = Math.min(440, Math.max(300, width * 0.78));
    const plot = makePlot(
      width,
      height,
      { label: 'depth', kind: 'linear', whole: true, domain: [first - 0.4, Math.max(last, first + 1) + 0.4], ticks: width < 420 ? 5 : 8 },
      {
        label: 'error E',
        kind: 'log',
        domain: logDomain([
          ...truths.map((truth) => truth.e),
          ...predicted.flatMap((point) => [level(point, -2), level(point, 2)]),
          ...signal.map((point) => point.c),
        ]),
      },
    );
    const { x, y, box } = plot;
    const now = x(selection.depth);
    const band = (deviations: number) =>
      area<Predicted>()
        .x((p) => x(p.depth))
        .y0((p) => y(level(p, -deviations)))
        .y1((p) => y(level(p, deviations)))(predicted) ?? '';
    const behind = curves.map((other) =>
      other.label === curve.label || !other.e
        ? ''
        : line<number>((_, i) => x(other.depth[i]!), (e) => y(Math.max(e, 1e-300)))(other.e) ?? '',
    );
    plot.add('path', { d: behind.join(''), class: 'behind' });
    plot.add('path', { d: band(2), class: 'band wide' });
    plot.add('path', { d: band(1), class: 'band' });
    plot.add('path', { d: line<Predicted>((p) => x(p.depth), (p) => y(level(p, 0)))(predicted) ?? '', class: 'predicted' });
    plot.add('path', { d: line<BandPoint>((p) => x(p.depth), (p) => y(p.c))(signal) ?? '', class: 'signal' });
    plot.add('path', { d: line<BandPoint>((p) => x(p.depth), (p) => y(p.e!))(known) ?? '', class: 'true-line' });
    for (const point of known)
      plot.add('circle', { cx: x(point.depth), cy: y(point.e!), r: point.depth === selection.depth ? 5.5 : 3, class: 'true-dot' });
    plot.add('line', { x1: now, x2: now, y1: box.top, y2: box.bottom, class: 'cursor' });
    plot.root.setAttribute('aria-label', `Predicted and true error over depth, ${curve.label}`);
    plot.root.setAttribute('aria-describedby', figure.captionId);
    pointAt(
      plot.root,
      truths,
      (p) => [x(p.depth), y(p.e)],
      (p) => [`${p.label}, depth ${p.depth}`, `true E ${formatNumber(p.e)}`],
      (p) => selection.select({ trajectory: p.label, depth: p.depth }),
    );
    figure.legend.replaceChildren(
      ...(known.length > 0 ? [legendEntry('line-true', `true error, ${curve.label}`)] : []),
      ...(predicted.length > 0
        ? [
            legendEntry('line-predicted', 'predicted'),
            legendEntry('swatch-band', '68 %'),
            legendEntry('swatch-wide', '95 %'),
          ]
        : [legendEntry('line-signal', `C, ${curve.label}`)]),
      ...(truths.some((truth) => truth.label !== curve.label) ? [legendEntry('line-behind', 'others')] : []),
    );
    figure.plot.replaceChildren(plot.root);
    figure.setCaption(inWords(curve, points, selection.depth));
  }

  const predicts = curves.some((curve) => curve.log_mean);
  const title = predicts ? 'Predicted and true error over depth' : 'Errors over depth';
  const figure = makeFigure('band', title, draw, () => {
    const curve = chosenCurve();
    return tableOf(curve, pointsOf(curve));
  });
  selection.onChange(figure.redraw);
  return figure.element;
}
