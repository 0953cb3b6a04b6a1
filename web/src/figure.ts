// The frame every figure shares: heading, legend, drawing, a caption that says in words what the
// drawing shows, and the numbers behind it as a table.
import { html } from './dom';
import { onThemeChange } from './theme';

let figures = 0;

export interface Figure {
  element: HTMLElement;
  legend: HTMLElement;
  plot: HTMLElement;
  captionId: string;
  setCaption(text: string): void;
  /** Draws again: the drawing, and the table when it is open. */
  redraw(): void;
}

/**
 * `draw` gets the width there is, at first and whenever that or the theme changes; `table` makes
 * the table of numbers, only once somebody opens it.
 */
export function makeFigure(
  name: string,
  title: string,
  draw: (figure: Figure, width: number) => void,
  table?: () => HTMLElement,
): Figure {
  const captionId = `caption-${++figures}`;
  const caption = html('figcaption', { id: captionId });
  const legend = html('div', { class: 'legend' });
  const plot = html('div', { class: 'plot' });
  const data = html('details', { class: 'data' }, html('summary', {}, 'Data as a table'));
  const element = html(
    'figure',
    { class: 'figure', 'data-figure': name },
    html('h3', {}, title),
    legend,
    plot,
    caption,
    table ? data : null,
  );
  let width = 0;

  function fillTable(): void {
    if (!table || !data.open) return;
    const frame = {
      class: 'table-frame',
      tabindex: 0,
      role: 'region',
      'aria-label': `${title}, data`,
    };
    const summary = data.firstElementChild;
    data.replaceChildren(...(summary ? [summary] : []), html('div', frame, table()));
  }
  const figure: Figure = {
    element,
    legend,
    plot,
    captionId,
    setCaption: (text) => caption.replaceChildren(text),
    redraw: () => {
      if (width > 0) draw(figure, width);
      fillTable();
    },
  };
  data.addEventListener('toggle', fillTable);
  new ResizeObserver(() => {
    const next = Math.floor(plot.clientWidth);
    if (next === width) return;
    width = next;
    figure.redraw();
  }).observe(plot);
  onThemeChange(() => figure.redraw());
  return figure;
}

/** A sample of a mark and what it means. `mark` is a class of style.css. */
export function legendEntry(mark: string, text: string, note?: string): HTMLElement {
  return html(
    'span',
    { class: 'entry' },
    html('span', { class: `mark ${mark}`, 'aria-hidden': 'true' }),
    text,
    note ? html('span', { class: 'note' }, note) : null,
  );
}

/** A plain table of numbers under headings. */
export function numberTable(headings: readonly string[], rows: readonly string[][]): HTMLElement {
  return html(
    'table',
    { class: 'numbers' },
    html(
      'thead',
      {},
      html('tr', {}, ...headings.map((text) => html('th', { scope: 'col' }, text))),
    ),
    html(
      'tbody',
      {},
      ...rows.map(([first, ...rest]) =>
        html(
          'tr',
          {},
          html('th', { scope: 'row' }, first),
          ...rest.map((text) => html('td', {}, text)),
        ),
      ),
    ),
  );
}
