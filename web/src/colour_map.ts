// The maps of roundtrip/report/colour_map.cpp: viridis (van der Walt & Smith 2015, CC0) from every
// 17th of its colours by Catmull-Rom splines, and straight lines of lightness in Oklab (Ottosson
// 2020) from blue over near-white to red. A test holds the two implementations together.

export type Rgb = readonly [number, number, number];
export type MapName = 'sequential' | 'diverging';

/** Where there is no number; in neither map. */
export const kMissingColour: Rgb = [232, 62, 160];

const kViridis: readonly Rgb[] = [
  [0.26700401, 0.00487433, 0.32941519],
  [0.28265633, 0.10019576, 0.42216032],
  [0.27713437, 0.18522836, 0.48989831],
  [0.25393498, 0.26525384, 0.52998273],
  [0.22198915, 0.33916114, 0.54875211],
  [0.19063135, 0.40706148, 0.55608907],
  [0.16362543, 0.47113278, 0.55814842],
  [0.13914708, 0.53381201, 0.55529773],
  [0.12056501, 0.59642187, 0.54361058],
  [0.13469183, 0.65863619, 0.5176488],
  [0.20803045, 0.71870095, 0.4728733],
  [0.3277958, 0.77397953, 0.40664011],
  [0.47750446, 0.82144351, 0.31819529],
  [0.64725685, 0.85839991, 0.20986086],
  [0.82494028, 0.88472036, 0.10621724],
  [0.99324789, 0.90615657, 0.1439362],
];

function viridis(position: number): Rgb {
  const last = kViridis.length - 1;
  const scaled = position * last;
  const i = Math.min(Math.floor(scaled), last - 1);
  const t = scaled - i;
  const channel = (index: 0 | 1 | 2) => {
    const a = (n: number) => kViridis[n]![index];
    // Beyond the ends the second difference goes on, which keeps the curvature of the last piece.
    const anchor = (k: number) => {
      if (k < 0) return 3 * a(0) - 3 * a(1) + a(2);
      if (k > last) return 3 * a(last) - 3 * a(last - 1) + a(last - 2);
      return a(k);
    };
    const [p, q, r, s] = [anchor(i - 1), anchor(i), anchor(i + 1), anchor(i + 2)];
    return q + 0.5 * t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)));
  };
  return [channel(0), channel(1), channel(2)];
}

function srgbFromLinear(x: number): number {
  return x <= 0.0031308 ? 12.92 * x : 1.055 * Math.pow(x, 1 / 2.4) - 0.055;
}

function srgbFromOklab(lightness: number, a: number, b: number): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    srgbFromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    srgbFromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    srgbFromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function diverging(position: number): Rgb {
  const [lightest, darkest, most] = [0.97, 0.38, 0.14];
  const side = 2 * position - 1;
  const distance = Math.abs(side);
  const hue = ((side < 0 ? 258 : 24) * Math.PI) / 180;
  const chroma = most * Math.sin((Math.min(1, 1.35 * distance) * Math.PI) / 2);
  const lightness = lightest + (darkest - lightest) * distance;
  return srgbFromOklab(lightness, chroma * Math.cos(hue), chroma * Math.sin(hue));
}

/** The colour at a position, 0 = low to 1 = high, as bytes; outside is clamped, NaN is missing. */
export function colourAt(map: MapName, position: number): Rgb {
  if (Number.isNaN(position)) return kMissingColour;
  const inside = Math.min(1, Math.max(0, position));
  const colour = map === 'sequential' ? viridis(inside) : diverging(inside);
  const byte = (level: number) => Math.round(255 * Math.min(1, Math.max(0, level)));
  return [byte(colour[0]), byte(colour[1]), byte(colour[2])];
}

/** The map at 256 equal steps. */
export function colourTable(map: MapName): Rgb[] {
  return Array.from({ length: 256 }, (_, i) => colourAt(map, i / 255));
}

export function css(colour: Rgb): string {
  return `rgb(${colour.join(' ')})`;
}

/** "linear-gradient(to right, ...)" from one position to another. */
export function gradient(map: MapName, from = 0, to = 1): string {
  const stops = Array.from({ length: 17 }, (_, i) =>
    css(colourAt(map, from + ((to - from) * i) / 16)),
  );
  return `linear-gradient(to right, ${stops.join(', ')})`;
}
