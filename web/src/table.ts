// Tables: our numbers with their intervals, the paper's beneath.
import { html } from './dom';
import { formatNumber } from './format';
import type { TableCell, TableSection } from './records';
import type { Selection } from './selection';

function contentOf(cell: TableCell): (HTMLElement | string)[] {
  const content: (HTMLElement | string)[] = [];
  const number = (value: number) => formatNumber(value, cell.digits ?? 3);
  if (cell.text) content.push(cell.text);
  if (cell.ours !== undefined) content.push(html('span', { class: 'ours' }, number(cell.ours)));
  if (cell.interval) {
    const [low, high] = cell.interval;
    content.push(html('span', { class: 'interval' }, ` [${number(low)}, ${number(high)}]`));
  }
  if (cell.paper !== undefined)
    content.push(html('span', { class: 'paper' }, `paper ${number(cell.paper)}`));
  return content;
}

export function makeTable(section: TableSection, selection: Selection): HTMLElement {
  const isNumeric = (column: number) => section.rows.some((row) => row[column]?.ours !== undefined);
  const numeric = section.columns.map((_, i) => isNumeric(i));
  const rows = section.rows.map((cells) => {
    const label = cells[0]?.text ?? '';
    const row = html(
      'tr',
      {},
      ...cells.map((cell, i) =>
        i === 0
          ? html('th', { scope: 'row' }, ...contentOf(cell))
          : html('td', numeric[i] ? { class: 'number' } : {}, ...contentOf(cell)),
      ),
    );
    return { row, label };
  });
  // A row about a trajectory is one more place to see and change the selection.
  const mark = () =>
    rows.forEach(({ row, label }) =>
      row.classList.toggle('chosen', label === selection.trajectory),
    );
  for (const { row, label } of rows) {
    if (!selection.trajectories.includes(label)) continue;
    row.classList.add('choosable');
    row.addEventListener('click', () => selection.select({ trajectory: label }));
  }
  selection.onChange(mark);
  mark();
  const head = section.columns.map((column, i) =>
    html('th', numeric[i] ? { scope: 'col', class: 'number' } : { scope: 'col' }, column),
  );
  return html(
    'div',
    { class: 'figure', 'data-figure': 'table' },
    html(
      'div',
      { class: 'table-frame', tabindex: 0, role: 'region', 'aria-label': section.title },
      html(
        'table',
        {},
        html('caption', { class: 'unseen' }, section.title),
        html('thead', {}, html('tr', {}, ...head)),
        html('tbody', {}, ...rows.map(({ row }) => row)),
      ),
    ),
    ...(section.notes ?? []).map((note) => html('p', { class: 'table-note' }, note)),
  );
}
