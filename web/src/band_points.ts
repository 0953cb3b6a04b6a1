// One trajectory's errors and predictions, depth by depth, in words and as a table.
import { numberTable } from './figure';
import { formatNumber, formatRange } from './format';
import type { TrajectoryCurve } from './records';

export interface BandPoint {
  depth: number;
  c: number;
  e: number | undefined;
  mean: number | undefined; // of log E
  sigma: number;
}

export type Predicted = BandPoint & { mean: number };
export type Known = BandPoint & { e: number };

export function pointsOf(curve: TrajectoryCurve): BandPoint[] {
  return curve.depth.map((depth, i) => ({
    depth,
    c: curve.c[i]!,
    e: curve.e?.[i],
    mean: curve.log_mean?.[i],
    sigma: curve.log_sigma?.[i] ?? 0,
  }));
}

export function isPredicted(point: BandPoint): point is Predicted {
  return point.mean !== undefined;
}

/** Whether the true error is known and has a place on a logarithmic axis. */
export function isKnown<Point extends BandPoint>(point: Point): point is Point & Known {
  return point.e !== undefined && point.e > 0;
}

/** The predicted error so many deviations above its median. */
export function level(point: Predicted, deviations: number): number {
  return Math.exp(point.mean + deviations * point.sigma);
}

function coverageInWords(label: string, points: readonly BandPoint[]): string[] {
  const both = points.filter(isPredicted).filter(isKnown);
  if (both.length === 0) return [];
  const inside = (deviations: number) =>
    both.filter((p) => Math.abs(Math.log(p.e) - p.mean) <= deviations * p.sigma).length;
  return [
    `${label}: the true error is inside the 68 % band at ${inside(1)}`,
    `and inside the 95 % band at ${inside(2)} of ${both.length} depths.`,
  ];
}

function pointInWords(label: string, point: BandPoint): string {
  const at = `depth ${point.depth}`;
  if (!isPredicted(point)) return `${label}, ${at}: C ${formatNumber(point.c)}, nothing predicted.`;
  const band = formatRange(level(point, -2), level(point, 2));
  const truth =
    point.e === undefined ? '; the truth is not known' : `, true ${formatNumber(point.e)}`;
  return `At ${at} predicted ${formatNumber(level(point, 0))} (95 %: ${band})${truth}.`;
}

export function inWords(label: string, points: readonly BandPoint[], depth: number): string {
  const now = points.find((point) => point.depth === depth);
  const then = now ? pointInWords(label, now) : `${label} has nothing at depth ${depth}.`;
  return [...coverageInWords(label, points), then].join(' ');
}

/** `error` names what is predicted: "error E". */
export function bandTable(curve: TrajectoryCurve, error: string): HTMLElement {
  const fields = Object.entries(curve.field_errors ?? {});
  const optional = (value: number | undefined) => (value === undefined ? '' : formatNumber(value));
  const headings = ['depth', 'C', `true ${error}`, `predicted ${error}`, '95 % from', 'to'];
  return numberTable(
    [...headings, ...fields.map(([name]) => `MSE ${name}`)],
    pointsOf(curve).map((point, i) => [
      String(point.depth),
      formatNumber(point.c),
      optional(point.e),
      ...[0, -2, 2].map((k) => (isPredicted(point) ? formatNumber(level(point, k)) : '')),
      ...fields.map(([, errors]) => optional(errors[i])),
    ]),
  );
}
