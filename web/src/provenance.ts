// Where the numbers come from: enough to make them again.
import { html } from './dom';

function valueOf(value: unknown): Node {
  if (typeof value === 'string' && value.includes('\n'))
    return html('pre', { tabindex: 0 }, value.trim());
  if (typeof value === 'object' && value !== null) return listOf(value);
  return html('span', {}, String(value));
}

function listOf(object: object): HTMLElement {
  const list = html('dl');
  for (const [name, value] of Object.entries(object)) {
    if (value === '' || value === null) continue;
    list.append(html('dt', {}, name), html('dd', {}, valueOf(value)));
  }
  return list;
}

export function makeProvenance(provenance: Record<string, unknown>): HTMLElement {
  return html(
    'div',
    { class: 'figure provenance', 'data-figure': 'provenance' },
    listOf(provenance),
  );
}
