// Bytes of a picture back to values.
import type { Picture } from './records';

const kMissing = 255;
const kLevels = 254;
const cache = new WeakMap<Picture, Float64Array>();

/** Values [x, y], y fastest; NaN where there is none. Decoded once. */
export function valuesOf(picture: Picture): Float64Array {
  const known = cache.get(picture);
  if (known) return known;
  const letters = atob(picture.bytes);
  const values = new Float64Array(letters.length);
  const step = (picture.high - picture.low) / kLevels;
  for (let i = 0; i < letters.length; ++i) {
    const byte = letters.charCodeAt(i);
    values[i] = byte === kMissing ? NaN : picture.low + byte * step;
  }
  cache.set(picture, values);
  return values;
}
