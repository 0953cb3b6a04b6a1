// The few statistics the captions state.

/** Ranks from 1, ties share their average. */
export function ranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const result = new Array<number>(values.length);
  for (let start = 0; start < order.length;) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) ++end;
    for (let k = start; k < end; ++k) result[order[k]!] = (start + end + 1) / 2;
    start = end;
  }
  return result;
}

/** None for a constant side or fewer than two pairs. */
export function pearson(x: readonly number[], y: readonly number[]): number | undefined {
  const n = x.length;
  if (n < 2) return undefined;
  const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / n;
  const mx = mean(x);
  const my = mean(y);
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < n; ++i) {
    const dx = x[i]! - mx;
    const dy = y[i]! - my;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : undefined;
}

export function spearman(x: readonly number[], y: readonly number[]): number | undefined {
  return pearson(ranks(x), ranks(y));
}

/** NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Of the values that are numbers; NaN without any. */
export function rootMeanSquare(values: Iterable<number>): number {
  let sum = 0;
  let n = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value * value;
    ++n;
  }
  return n > 0 ? Math.sqrt(sum / n) : NaN;
}
