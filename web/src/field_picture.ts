// One field as a picture: x to the right, y upwards, a colour for every cell.
import { colourTable, kMissingColour, type MapName, type Rgb } from './colour_map';
import { html } from './dom';
import { formatNumber, formatRange } from './format';
import { valuesOf } from './pixels';
import type { Picture } from './records';
import { hideTooltip, showTooltip } from './tooltip';

export interface ColourRange {
  map: MapName;
  low: number;
  high: number;
}

// Colours as one number each, in the order of bytes the machine has.
function packed(colour: Rgb): number {
  return new Uint32Array(new Uint8ClampedArray([...colour, 255]).buffer)[0]!;
}
const tables: Record<MapName, Uint32Array> = {
  sequential: Uint32Array.from(colourTable('sequential'), packed),
  diverging: Uint32Array.from(colourTable('diverging'), packed),
};
const kMissing = packed(kMissingColour);

/** The range of pictures; symmetric about 0 for a diverging map. */
export function rangeOf(map: MapName, pictures: readonly (Picture | undefined)[]): ColourRange {
  let low = Infinity;
  let high = -Infinity;
  for (const picture of pictures) {
    if (!picture) continue;
    low = Math.min(low, picture.low);
    high = Math.max(high, picture.high);
  }
  if (low > high) [low, high] = [0, 1];
  if (map === 'sequential') return { map, low, high };
  const most = Math.max(Math.abs(low), Math.abs(high));
  return { map, low: -most, high: most };
}

function paint(canvas: HTMLCanvasElement, picture: Picture, range: ColourRange): void {
  const { nx, ny } = picture;
  const values = valuesOf(picture);
  const table = tables[range.map];
  const scale = range.high > range.low ? 255 / (range.high - range.low) : 0;
  const image = new ImageData(nx, ny);
  const pixels = new Uint32Array(image.data.buffer);
  for (let x = 0; x < nx; ++x) {
    for (let y = 0; y < ny; ++y) {
      const value = values[x * ny + y]!;
      const step = scale > 0 ? Math.round((value - range.low) * scale) : 128;
      pixels[(ny - 1 - y) * nx + x] = Number.isNaN(value)
        ? kMissing
        : table[Math.min(255, Math.max(0, step))]!;
    }
  }
  canvas.width = nx;
  canvas.height = ny;
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}

/** A picture under its name; hover tells the value of a cell. */
export function makePicture(
  name: string,
  what: string,
  picture: Picture,
  range: ColourRange,
): HTMLElement {
  const label = `${what}: values ${formatRange(picture.low, picture.high)}`;
  const canvas = html('canvas', { role: 'img', 'aria-label': label, 'data-picture': name });
  paint(canvas, picture, range);
  canvas.addEventListener('pointermove', (event) => {
    const frame = canvas.getBoundingClientRect();
    const cell = (offset: number, size: number, n: number) =>
      Math.min(n - 1, Math.max(0, Math.floor((offset / size) * n)));
    const x = cell(event.clientX - frame.left, frame.width, picture.nx);
    const y = picture.ny - 1 - cell(event.clientY - frame.top, frame.height, picture.ny);
    const value = valuesOf(picture)[x * picture.ny + y]!;
    showTooltip(event, [`${name} ${formatNumber(value)}`, `x ${x}, y ${y}`]);
  });
  canvas.addEventListener('pointerleave', hideTooltip);
  return html('div', { class: 'picture' }, html('div', { class: 'picture-name' }, name), canvas);
}
