// One small box that follows the pointer. What it says is also in the captions and tables.
import { html } from './dom';

let box: HTMLElement | undefined;

export function showTooltip(event: PointerEvent, lines: readonly string[]): void {
  if (!box) {
    box = html('div', { class: 'tooltip', 'aria-hidden': 'true' });
    document.body.append(box);
  }
  box.replaceChildren(...lines.map((line) => html('div', {}, line)));
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const left = Math.min(event.clientX + 14, document.documentElement.clientWidth - width - 8);
  const above = event.clientY - height - 12;
  box.style.left = `${Math.max(8, left)}px`;
  box.style.top = `${above < 8 ? event.clientY + 18 : above}px`;
}

export function hideTooltip(): void {
  if (box) box.hidden = true;
}
