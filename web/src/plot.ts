// Axes in SVG: a frame of size, two scales, ticks and their labels.
import { scaleLinear, scaleLog } from 'd3-scale';
import { svg } from './dom';
import { formatTick } from './format';

export interface Axis {
  label: string;
  kind: 'linear' | 'log';
  domain: [number, number];
  ticks?: number;
  whole?: boolean; // values between whole numbers mean nothing
}

export interface Plot {
  root: SVGSVGElement;
  x: (value: number) => number;
  y: (value: number) => number;
  /** Pixels of the frame inside the axes. */
  box: { left: number; right: number; top: number; bottom: number };
  /** Adds a shape; shapes stay inside the frame. */
  add<Tag extends keyof SVGElementTagNameMap>(
    tag: Tag,
    attributes: Record<string, string | number>,
  ): SVGElementTagNameMap[Tag];
  /** Adds text, also outside the frame. */
  write(text: string, x: number, y: number, attributes?: Record<string, string | number>): void;
}

const kMargin = { left: 64, right: 14, top: 12, bottom: 42 };
let plots = 0;

/** The least powers of ten, or a little more than the values, that hold all positive values. */
export function logDomain(values: Iterable<number>): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!(value > 0) || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0.1, 10];
  const margin = Math.max(Math.log(high / low) * 0.04, 0.05);
  return [low * Math.exp(-margin), high * Math.exp(margin)];
}

function scaleOf(axis: Axis, range: [number, number]) {
  const scale = axis.kind === 'log' ? scaleLog() : scaleLinear();
  return scale.domain(axis.domain).range(range);
}

/** Whole decades when there are at least two, otherwise 1-2-5 steps. */
function ticksOf(axis: Axis): number[] {
  const [low, high] = axis.domain;
  if (axis.kind === 'linear') {
    const ticks = scaleLinear()
      .domain(axis.domain)
      .ticks(axis.ticks ?? 5);
    return axis.whole ? ticks.filter(Number.isInteger) : ticks;
  }
  const steps = (factors: readonly number[]) => {
    const ticks: number[] = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); ++e)
      for (const factor of factors) ticks.push(Number(`${factor}e${e}`));
    return ticks.filter((tick) => tick >= low && tick <= high);
  };
  const decades = steps([1]);
  if (decades.length >= 3) {
    const every = Math.ceil(decades.length / (axis.ticks ?? 6));
    return decades.filter((_, i) => i % every === 0);
  }
  const few = steps([1, 3]);
  return few.length >= 3 ? few : steps([1, 2, 5]);
}

export function makePlot(width: number, height: number, xAxis: Axis, yAxis: Axis): Plot {
  const clip = `clip-${++plots}`;
  const root = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' });
  const box = {
    left: kMargin.left,
    right: width - kMargin.right,
    top: kMargin.top,
    bottom: height - kMargin.bottom,
  };
  const x = scaleOf(xAxis, [box.left, box.right]);
  const y = scaleOf(yAxis, [box.bottom, box.top]);
  const axes = svg('g', { class: 'axes' });
  for (const tick of ticksOf(xAxis)) {
    const at = x(tick);
    axes.append(
      svg('line', { x1: at, x2: at, y1: box.top, y2: box.bottom, class: 'grid' }),
      svg('text', { x: at, y: box.bottom + 17, 'text-anchor': 'middle' }, formatTick(tick)),
    );
  }
  for (const tick of ticksOf(yAxis)) {
    const at = y(tick);
    axes.append(
      svg('line', { x1: box.left, x2: box.right, y1: at, y2: at, class: 'grid' }),
      svg('text', { x: box.left - 8, y: at + 4, 'text-anchor': 'end' }, formatTick(tick)),
    );
  }
  const middle = (box.top + box.bottom) / 2;
  axes.append(
    svg('line', { x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom, class: 'base' }),
    svg(
      'text',
      { x: (box.left + box.right) / 2, y: height - 6, 'text-anchor': 'middle', class: 'name' },
      xAxis.label,
    ),
    svg(
      'text',
      { transform: `translate(13 ${middle}) rotate(-90)`, 'text-anchor': 'middle', class: 'name' },
      yAxis.label,
    ),
  );
  const frame = {
    x: box.left,
    y: box.top,
    width: box.right - box.left,
    height: box.bottom - box.top,
  };
  const shapes = svg('g', { 'clip-path': `url(#${clip})` });
  root.append(svg('clipPath', { id: clip }, svg('rect', frame)), axes, shapes);
  return {
    root,
    x,
    y,
    box,
    add(tag, attributes) {
      const shape = svg(tag, attributes);
      shapes.append(shape);
      return shape as SVGElementTagNameMap[typeof tag];
    },
    write(text, atX, atY, attributes = {}) {
      root.append(svg('text', { x: atX, y: atY, ...attributes }, text));
    },
  };
}
