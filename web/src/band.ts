// The predicted error with its band against the true error, over depth, for the selected
// trajectory; the true errors of the others stand behind.
import { area, line } from 'd3-shape';
import { bandTable, inWords, isKnown, isPredicted, level, pointsOf } from './band_points';
import type { BandPoint, Known, Predicted } from './band_points';
import { legendEntry, makeFigure, type Figure } from './figure';
import { formatNumber } from './format';
import { logDomain, makePlot, type Plot } from './plot';
import { pointAt } from './pointing';
import type { CurvesSection, TrajectoryCurve } from './records';
import type { Selection } from './selection';

/** What is drawn of the selected trajectory. */
interface Chosen {
  label: string;
  points: BandPoint[];
  predicted: Predicted[];
  known: Known[];
  signal: BandPoint[]; // C, which stands in where nothing was predicted
}

/** A true error of any trajectory. */
interface Truth {
  label: string;
  depth: number;
  e: number;
}

function chosenOf(curve: TrajectoryCurve): Chosen {
  const points = pointsOf(curve);
  const predicted = points.filter(isPredicted);
  const signal = predicted.length > 0 ? [] : points.filter((point) => point.c > 0);
  return { label: curve.label, points, predicted, known: points.filter(isKnown), signal };
}

function makeFrame(
  width: number,
  curves: readonly TrajectoryCurve[],
  chosen: Chosen,
  truths: readonly Truth[],
  error: string,
): Plot {
  const first = Math.min(...curves.map(({ depth }) => depth[0]!));
  const last = Math.max(...curves.map(({ depth }) => depth.at(-1)!));
  const errors = [
    ...truths.map(({ e }) => e),
    ...chosen.predicted.flatMap((point) => [level(point, -2), level(point, 2)]),
    ...chosen.signal.map(({ c }) => c),
  ];
  return makePlot(
    width,
    Math.min(440, Math.max(300, width * 0.78)),
    {
      label: 'depth',
      kind: 'linear',
      whole: true,
      domain: [first - 0.4, Math.max(last, first + 1) + 0.4],
      ticks: width < 420 ? 5 : 8,
    },
    { label: error, kind: 'log', domain: logDomain(errors) },
  );
}

/** A line over depth as the text of a path. */
function over<Point extends { depth: number }>(
  { x, y }: Plot,
  points: readonly Point[],
  value: (point: Point) => number,
): string {
  const shape = line<Point>(
    (point) => x(point.depth),
    (point) => y(value(point)),
  );
  return shape(points) ?? '';
}

function drawOthers(plot: Plot, truths: readonly Truth[], chosen: string): void {
  const groups = new Map<string, Truth[]>();
  for (const truth of truths) {
    if (truth.label === chosen) continue;
    const group = groups.get(truth.label);
    if (group) group.push(truth);
    else groups.set(truth.label, [truth]);
  }
  const paths = [...groups.values()].map((group) => over(plot, group, ({ e }) => e));
  // So many that they would hide the band are drawn fainter.
  const many = paths.length > 40 ? ' many' : '';
  plot.add('path', { d: paths.join(''), class: `behind${many}` });
}

function drawChosen(plot: Plot, chosen: Chosen, depth: number): void {
  const { x, y, box } = plot;
  const band = (deviations: number) =>
    area<Predicted>()
      .x((p) => x(p.depth))
      .y0((p) => y(level(p, -deviations)))
      .y1((p) => y(level(p, deviations)))(chosen.predicted) ?? '';
  plot.add('path', { d: band(2), class: 'band wide' });
  plot.add('path', { d: band(1), class: 'band' });
  const median = over(plot, chosen.predicted, (point) => level(point, 0));
  plot.add('path', { d: median, class: 'predicted' });
  plot.add('path', { d: over(plot, chosen.signal, ({ c }) => c), class: 'signal' });
  plot.add('path', { d: over(plot, chosen.known, ({ e }) => e), class: 'true-line' });
  for (const point of chosen.known) {
    const r = point.depth === depth ? 5.5 : 3;
    plot.add('circle', { cx: x(point.depth), cy: y(point.e), r, class: 'true-dot' });
  }
  plot.add('line', { x1: x(depth), x2: x(depth), y1: box.top, y2: box.bottom, class: 'cursor' });
}

function legendOf(chosen: Chosen, others: boolean): HTMLElement[] {
  const entries: HTMLElement[] = [];
  if (chosen.known.length > 0)
    entries.push(legendEntry('line-true', `true error, ${chosen.label}`));
  if (chosen.predicted.length > 0)
    entries.push(
      legendEntry('line-predicted', 'predicted'),
      legendEntry('swatch-band', '68 %'),
      legendEntry('swatch-wide', '95 %'),
    );
  else entries.push(legendEntry('line-signal', `C, ${chosen.label}`));
  if (others) entries.push(legendEntry('line-behind', 'others'));
  return entries;
}

/** What a drawing is called: by the page, by its heading, and at its axis. */
interface Names {
  figure: string;
  title: string;
  error: string;
}

/** For at least one trajectory. */
function makeBandOf(
  curves: readonly TrajectoryCurve[],
  { figure: name, title, error }: Names,
  selection: Selection,
): HTMLElement {
  const curve = () => curves.find(({ label }) => label === selection.trajectory) ?? curves[0]!;
  const truths = curves.flatMap((each) =>
    pointsOf(each)
      .filter(isKnown)
      .map(({ depth, e }) => ({ label: each.label, depth, e })),
  );

  function draw(figure: Figure, width: number): void {
    const chosen = chosenOf(curve());
    const plot = makeFrame(width, curves, chosen, truths, error);
    drawOthers(plot, truths, chosen.label);
    drawChosen(plot, chosen, selection.depth);
    plot.root.setAttribute('aria-label', `${title}, ${chosen.label}`);
    plot.root.setAttribute('aria-describedby', figure.captionId);
    pointAt(
      plot.root,
      truths,
      (truth) => [plot.x(truth.depth), plot.y(truth.e)],
      (truth) => [`${truth.label}, depth ${truth.depth}`, `true ${formatNumber(truth.e)}`],
      (truth) => selection.select({ trajectory: truth.label, depth: truth.depth }),
    );
    const others = truths.some(({ label }) => label !== chosen.label);
    figure.legend.replaceChildren(...legendOf(chosen, others));
    figure.plot.replaceChildren(plot.root);
    const missing =
      chosen.label === selection.trajectory
        ? ''
        : `No curves are stored for ${selection.trajectory}. Shown: ${chosen.label}. `;
    figure.setCaption(missing + inWords(chosen.label, chosen.points, selection.depth));
  }

  const figure = makeFigure(name, title, draw, () => bandTable(curve(), error));
  selection.onChange(figure.redraw);
  return figure.element;
}

/** The error of latents, for at least one trajectory. */
export function makeBand({ trajectories }: CurvesSection, selection: Selection): HTMLElement {
  const predicts = trajectories.some(({ log_mean }) => log_mean);
  const title = predicts ? 'Predicted and true error over depth' : 'Errors over depth';
  return makeBandOf(trajectories, { figure: 'band', title, error: 'error E' }, selection);
}

/** One field's error in the place of the latents'. */
function curveOfField(curve: TrajectoryCurve, field: string): TrajectoryCurve {
  const { label, depth, c } = curve;
  const e = curve.field_errors?.[field];
  return { label, depth, c, ...(e && { e }), ...curve.field_bands?.[field] };
}

/** The errors of decoded fields that something predicts. */
export function makeFieldBands(section: CurvesSection, selection: Selection): HTMLElement[] {
  const curves = section.trajectories;
  const fields = new Set(curves.flatMap(({ field_bands }) => Object.keys(field_bands ?? {})));
  return [...fields].map((field) => {
    const words = field.replaceAll('_', ' ');
    return makeBandOf(
      curves.map((curve) => curveOfField(curve, field)),
      {
        figure: 'field-band',
        title: `Predicted and true error of ${words}`,
        error: `MSE of ${words}`,
      },
      selection,
    );
  });
}
