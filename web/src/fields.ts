// Decoded fields at the selected depth: truth, rollout, their difference, and the seed that came
// back beside the one that was sent.
import { gradient } from './colour_map';
import { html } from './dom';
import { makePicture, rangeOf, type ColourRange } from './field_picture';
import { formatNumber } from './format';
import { valuesOf } from './pixels';
import type { FieldFrame, FieldSeries, FieldsSection } from './records';
import { nearestDepth, type Selection } from './selection';
import { rootMeanSquare } from './statistics';
import { isNarrow } from './theme';

function colourBar(name: string, range: ColourRange): HTMLElement {
  return html(
    'span',
    { class: 'entry' },
    html('span', { class: 'end' }, formatNumber(range.low)),
    html('span', {
      class: 'bar',
      style: `background:${gradient(range.map)}`,
      'aria-hidden': 'true',
    }),
    html('span', { class: 'end' }, formatNumber(range.high)),
    html('span', { class: 'note' }, name),
  );
}

function inWords(series: FieldSeries, frame: FieldFrame): string {
  const words: string[] = [];
  if (frame.difference) {
    const size = rootMeanSquare(valuesOf(frame.difference));
    words.push(`RMS difference ${formatNumber(size)}`);
    if (frame.truth) {
      const values = valuesOf(frame.truth);
      const known = values.filter((value) => !Number.isNaN(value));
      const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
      const spread = rootMeanSquare(known.map((value) => value - mean));
      if (spread > 0) words.push(`${Math.round((100 * size) / spread)} % of the truth's deviation`);
    }
  }
  if (frame.returned && series.seed) {
    const [sent, back] = [valuesOf(series.seed), valuesOf(frame.returned)];
    if (sent.length === back.length)
      words.push(
        `returned seed off by ${formatNumber(rootMeanSquare(back.map((v, i) => v - sent[i]!)))}`,
      );
  }
  return words.join('; ');
}

interface Ranges {
  field: ColourRange;
  difference: ColourRange;
}

// The truth sets the colours of all depths: a rollout that leaves its range saturates.
function rangesOf(series: FieldSeries, frame: FieldFrame, stretch: boolean): Ranges {
  const truths = series.frames.map(({ truth }) => truth);
  const known = truths.some((truth) => truth !== undefined);
  const field = [series.seed, ...(known ? truths : series.frames.map(({ rollout }) => rollout))];
  const differences = stretch
    ? [frame.difference]
    : series.frames.map(({ difference }) => difference);
  return { field: rangeOf(series.map, field), difference: rangeOf('diverging', differences) };
}

function makeSeries(series: FieldSeries, frame: FieldFrame, stretch: boolean): HTMLElement {
  const ranges = rangesOf(series, frame, stretch);
  const at = `${series.field}, depth ${frame.depth}`;
  const shown = [
    ['truth', frame.truth, ranges.field],
    ['rollout', frame.rollout, ranges.field],
    ['difference', frame.difference, ranges.difference],
    ['returned seed', frame.returned, ranges.field],
    ['seed', series.seed, ranges.field],
  ] as const;
  return html(
    'div',
    { class: 'series-row', role: 'group', 'aria-label': at, 'data-field': series.field },
    html(
      'div',
      { class: 'series-head' },
      html('h4', {}, series.field),
      colourBar('value', ranges.field),
      frame.difference ? colourBar('difference', ranges.difference) : null,
    ),
    html(
      'div',
      { class: 'pictures' },
      ...shown.map(
        ([name, picture, range]) => picture && makePicture(name, `${name}, ${at}`, picture, range),
      ),
    ),
    html('p', { class: 'series-words' }, inWords(series, frame)),
  );
}

export function makeFields(section: FieldsSection, selection: Selection): HTMLElement {
  const rows = html('div', { class: 'series-rows' });
  const words = html('p', { class: 'figure-words' });
  const stretch = html('input', { type: 'checkbox', id: 'stretch' });
  const chosenField = html('select', { id: 'field' }, html('option', { value: '' }, 'all fields'));
  const names = new Set(
    section.trajectories.flatMap(({ fields }) => fields.map(({ field }) => field)),
  );
  for (const name of names) chosenField.append(html('option', { value: name }, name));
  // All fields at once are a long way to scroll on a phone.
  if (isNarrow()) chosenField.selectedIndex = Math.min(1, names.size);

  function draw(): void {
    const own = section.trajectories.find(({ label }) => label === selection.trajectory);
    const trajectory = own ?? section.trajectories[0];
    if (!trajectory) return;
    const fields = trajectory.fields.filter(
      ({ field }) => !chosenField.value || field === chosenField.value,
    );
    const depth = nearestDepth(
      fields[0]?.frames ?? [],
      (frame) => frame.depth,
      selection.depth,
    )?.depth;
    const others = own
      ? []
      : section.trajectories.map(({ label }) =>
          html(
            'button',
            { type: 'button', click: () => selection.select({ trajectory: label }) },
            label,
          ),
        );
    const missing = depth === selection.depth ? '' : ` Depth ${selection.depth} has no pictures.`;
    const shown = `${trajectory.label} at depth ${depth}.${missing}`;
    const sentence = own
      ? shown
      : `No fields are stored for ${selection.trajectory}. Shown: ${shown} Stored: `;
    words.replaceChildren(sentence, ...others);
    rows.replaceChildren(
      ...fields.flatMap((series) => {
        const frame = nearestDepth(series.frames, (each) => each.depth, selection.depth);
        return frame ? [makeSeries(series, frame, stretch.checked)] : [];
      }),
    );
  }
  stretch.addEventListener('change', draw);
  chosenField.addEventListener('change', draw);
  selection.onChange(draw);
  draw();
  return html(
    'div',
    { class: 'figure', 'data-figure': 'fields' },
    html(
      'div',
      { class: 'field-tools' },
      html('label', { for: 'field' }, 'Field', chosenField),
      html('label', { for: 'stretch' }, stretch, 'Stretch differences at each depth'),
    ),
    words,
    rows,
  );
}
