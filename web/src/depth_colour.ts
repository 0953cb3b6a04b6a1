// Depth as a colour that stands out from the paper: viridis without its end nearest to it.
import { colourAt, css, gradient } from './colour_map';
import { isDark } from './theme';

function span(): [number, number] {
  return isDark() ? [0.22, 1] : [0, 0.88];
}

/** `position` is 0 for the least depth and 1 for the greatest. */
export function depthColour(position: number): string {
  const [from, to] = span();
  return css(colourAt('sequential', from + (to - from) * position));
}

export function depthGradient(): string {
  return gradient('sequential', ...span());
}
