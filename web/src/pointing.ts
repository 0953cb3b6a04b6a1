// Hover and click on points: the nearest one within a finger's reach.
import { Delaunay } from 'd3-delaunay';
import { hideTooltip, showTooltip } from './tooltip';

const kReach = 28; // pixels

/** `position` gives a point's pixels in `root`; `click` is told of the point under the pointer. */
export function pointAt<Point>(
  root: SVGSVGElement,
  points: readonly Point[],
  position: (point: Point) => [number, number],
  describe: (point: Point) => string[],
  click?: (point: Point) => void,
): void {
  if (points.length === 0) return;
  const places = points.map(position);
  const index = Delaunay.from(places);
  const nearest = (event: MouseEvent): Point | undefined => {
    const frame = root.getBoundingClientRect();
    const x = event.clientX - frame.left;
    const y = event.clientY - frame.top;
    const found = index.find(x, y);
    const [px, py] = places[found]!;
    return Math.hypot(px - x, py - y) <= kReach ? points[found] : undefined;
  };
  let shown: Point | undefined;
  root.addEventListener('pointermove', (event) => {
    const point = (shown = nearest(event));
    root.classList.toggle('pointing', point !== undefined && click !== undefined);
    if (point === undefined) hideTooltip();
    else showTooltip(event, describe(point));
  });
  root.addEventListener('pointerleave', () => {
    shown = undefined;
    hideTooltip();
  });
  if (!click) return;
  root.addEventListener('click', (event) => {
    // Clicks come in whole pixels, moves in fractions: what the tooltip names is what is meant.
    const point = shown ?? nearest(event);
    if (point !== undefined) click(point);
  });
}
