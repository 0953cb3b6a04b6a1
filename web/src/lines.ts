// Named lines over a proportion: calibration, and risk against coverage.
import { line } from 'd3-shape';
import { legendEntry, makeFigure, numberTable, type Figure } from './figure';
import { formatNumber, percent } from './format';
import { makePlot } from './plot';
import { pointAt } from './pointing';
import type { CalibrationSection, NamedCurve, RiskCoverageSection } from './records';

interface Wording {
  name: string; // of the figure, for tests and links
  title: string;
  x: string;
  y: string;
  diagonal: boolean;
  inWords: (curve: NamedCurve) => string;
}

const kStyles = 6; // of drawings.css

/** The look of line i: beyond the styles there are, broad and pale ones. */
function styleOf(i: number): string {
  return `series series-${i % kStyles}${i < kStyles ? '' : ' again'}`;
}

/** The value of a curve at x, between its points. */
export function valueAt(curve: NamedCurve, x: number): number {
  const after = curve.x.findIndex((at) => at >= x);
  if (after === 0) return curve.y[0]!;
  if (after < 0) return curve.y.at(-1)!;
  const [x0, x1] = [curve.x[after - 1]!, curve.x[after]!];
  const [y0, y1] = [curve.y[after - 1]!, curve.y[after]!];
  return x1 > x0 ? y0 + ((y1 - y0) * (x - x0)) / (x1 - x0) : y1;
}

function makeLines(curves: readonly NamedCurve[], wording: Wording): HTMLElement {
  const top = wording.diagonal ? 1 : Math.max(...curves.flatMap((curve) => curve.y)) * 1.05 || 1;
  const words = curves.map(wording.inWords).join('\n');

  function draw(figure: Figure, width: number): void {
    const height = Math.min(420, Math.max(280, width * 0.78));
    const plot = makePlot(
      width,
      height,
      { label: wording.x, kind: 'linear', domain: [0, 1] },
      { label: wording.y, kind: 'linear', domain: [0, top] },
    );
    const { x, y } = plot;
    if (wording.diagonal)
      plot.add('line', { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: 'diagonal' });
    curves.forEach((curve, i) => {
      const path = line<number>(
        (_, k) => x(curve.x[k]!),
        (value) => y(value),
      )(curve.y);
      plot.add('path', { d: path ?? '', class: styleOf(i) });
    });
    plot.root.setAttribute('aria-label', wording.title);
    plot.root.setAttribute('aria-describedby', figure.captionId);
    pointAt(
      plot.root,
      curves.flatMap((curve) => curve.x.map((at, k) => ({ curve, x: at, y: curve.y[k]! }))),
      (p) => [x(p.x), y(p.y)],
      (p) => [
        p.curve.label,
        `${wording.x} ${formatNumber(p.x)}`,
        `${wording.y} ${formatNumber(p.y)}`,
      ],
    );
    figure.legend.replaceChildren(
      ...curves.map((curve, i) =>
        legendEntry(styleOf(i), curve.label, curve.note),
      ),
      ...(wording.diagonal ? [legendEntry('line-diagonal', 'perfect')] : []),
    );
    figure.plot.replaceChildren(plot.root);
    figure.setCaption(words);
  }

  const levels = Array.from({ length: 10 }, (_, i) => (i + 1) / 10);
  const table = () =>
    numberTable(
      [wording.x, ...curves.map((curve) => curve.label)],
      levels.map((at) => [
        at.toFixed(1),
        ...curves.map((curve) => formatNumber(valueAt(curve, at))),
      ]),
    );
  return makeFigure(wording.name, wording.title, draw, table).element;
}

export function makeCalibration(section: CalibrationSection): HTMLElement {
  return makeLines(section.curves, {
    name: 'calibration',
    title: 'Observed against nominal coverage',
    x: 'nominal coverage',
    y: 'observed coverage',
    diagonal: true,
    inWords: (curve) => {
      const held = (nominal: number) => percent(valueAt(curve, nominal), 1);
      return `${curve.label}: intervals for 68 % hold ${held(0.68)}, for 95 % ${held(0.95)}.`;
    },
  });
}

export function makeRiskCoverage(section: RiskCoverageSection): HTMLElement {
  return makeLines(section.curves, {
    name: 'risk',
    title: 'Mean error of what is kept',
    x: 'fraction kept',
    y: 'mean error',
    diagonal: false,
    inWords: (curve) => {
      const risk = (kept: number) => formatNumber(valueAt(curve, kept));
      return `${curve.label}: mean error ${risk(0.5)} of the safest half, ${risk(1)} of all.`;
    },
  });
}
