// Numbers and counts as people read them.

const kSuperscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

export function superscript(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => kSuperscripts[Number(digit)]);
  return (exponent < 0 ? '⁻' : '') + digits.join('');
}

/** Significant digits, powers of ten outside 0.001 to 99999, a true minus sign. */
export function formatNumber(value: number, digits = 3): string {
  if (Number.isNaN(value)) return 'none';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  let text: string;
  if (size === 0) {
    text = '0';
  } else if (size >= 1e-3 && size < 1e5) {
    const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
    text = size.toFixed(Math.min(places, 12));
  } else {
    const [mantissa, exponent] = size.toExponential(digits - 1).split('e');
    text = `${mantissa} × 10${superscript(Number(exponent))}`;
  }
  return (value < 0 ? '−' : '') + text;
}

/** Labels of an axis: no digits that say nothing. */
export function formatTick(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  const exponent = Math.round(Math.log10(size));
  if ((size < 1e-3 || size >= 1e5) && Math.abs(size / 10 ** exponent - 1) < 1e-9)
    return (value < 0 ? '−' : '') + `10${superscript(exponent)}`;
  if (size < 1e-3 || size >= 1e5) return formatNumber(value, 1);
  return String(Number(value.toPrecision(6))).replace('-', '−');
}

export function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`;
}

/** "1 depth", "16 depths" */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** "−0.3 to 1.2" */
export function formatRange(low: number, high: number): string {
  return `${formatNumber(low)} to ${formatNumber(high)}`;
}
