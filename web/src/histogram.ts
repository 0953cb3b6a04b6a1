// How far a signal lies from what calibration saw: a histogram of the depth nearest to the selected
// one, with marked values on its axis.
import { legendEntry, makeFigure, numberTable, type Figure } from './figure';
import { formatNumber, formatRange, percent } from './format';
import { makePlot } from './plot';
import { pointAt } from './pointing';
import type { Histogram, HistogramSection } from './records';
import { nearestDepth, type Selection } from './selection';

/** How many of the counted values lie above, a bin cut by the value in proportion. */
export function countAbove(histogram: Histogram, value: number): number {
  return histogram.counts.reduce((sum, n, i) => {
    const [from, to] = [histogram.edges[i]!, histogram.edges[i + 1]!];
    const share = Math.min(1, Math.max(0, (to - value) / (to - from)));
    return sum + n * share;
  }, 0);
}

function inWords(histogram: Histogram, trajectory: string): string {
  const total = histogram.counts.reduce((sum, n) => sum + n, 0);
  const { edges } = histogram;
  const words = [
    `${histogram.label}: ${total} values from ${formatRange(edges[0]!, edges.at(-1)!)}.`,
  ];
  const mark = histogram.marks.find(({ label }) => label === trajectory);
  if (mark && total > 0) {
    const higher = percent(countAbove(histogram, mark.value), total);
    words.push(
      `${trajectory} has ${formatNumber(mark.value)}; about ${higher} of the values are higher.`,
    );
  }
  return words.join(' ');
}

export function makeHistogram(section: HistogramSection, selection: Selection): HTMLElement {
  const shown = () =>
    nearestDepth(section.histograms, (histogram) => histogram.depth ?? 0, selection.depth)!;
  const isTrajectory = (label: string) => selection.trajectories.includes(label);
  // One axis for all depths, so that moving the slider moves the bars and nothing else.
  const everything = section.histograms.flatMap(({ edges, marks }) => [
    ...edges,
    ...marks.map((mark) => mark.value),
  ]);
  const low = everything.reduce((a, b) => Math.min(a, b), Infinity);
  const high = everything.reduce((a, b) => Math.max(a, b), -Infinity);
  const margin = (high - low) * 0.03;

  function draw(figure: Figure, width: number): void {
    const histogram = shown();
    const height = Math.min(420, Math.max(280, width * 0.7));
    const most = Math.max(1, ...histogram.counts);
    const plot = makePlot(
      width,
      height,
      {
        label: section.axis,
        kind: 'linear',
        domain: [low - margin, high + margin],
        ticks: width < 420 ? 5 : 7,
      },
      { label: 'count', kind: 'linear', whole: true, domain: [0, most * 1.12] },
    );
    const { x, y, box } = plot;
    histogram.counts.forEach((n, i) => {
      const [left, right] = [x(histogram.edges[i]!), x(histogram.edges[i + 1]!)];
      const attributes = {
        x: left,
        width: Math.max(0.5, right - left - 1),
        y: y(n),
        height: box.bottom - y(n),
      };
      plot.add('rect', { ...attributes, class: 'bin' });
    });
    for (const mark of histogram.marks) {
      const at = x(mark.value);
      const chosen = mark.label === selection.trajectory;
      const lasting = !isTrajectory(mark.label); // a threshold, not a trajectory
      const top = chosen || lasting ? box.top : box.bottom - 14;
      const kind = chosen ? 'mark-line chosen' : lasting ? 'mark-line lasting' : 'mark-line';
      plot.add('line', { x1: at, x2: at, y1: top, y2: box.bottom, class: kind });
      if (!chosen && !lasting) continue;
      const right = at > (box.left + box.right) / 2;
      plot.write(mark.label, at + (right ? -6 : 6), box.top + (chosen ? 12 : 28), {
        'text-anchor': right ? 'end' : 'start',
        class: chosen ? 'mark-name chosen' : 'mark-name',
      });
    }
    plot.root.setAttribute('aria-label', `${section.title}: ${histogram.label}`);
    plot.root.setAttribute('aria-describedby', figure.captionId);
    pointAt(
      plot.root,
      histogram.marks,
      (mark) => [x(mark.value), box.bottom - 7],
      (mark) => [mark.label, `${section.axis} ${formatNumber(mark.value)}`],
      (mark) => {
        if (isTrajectory(mark.label)) selection.select({ trajectory: mark.label });
      },
    );
    figure.legend.replaceChildren(
      legendEntry('swatch-bin', histogram.label),
      ...(histogram.marks.some((mark) => isTrajectory(mark.label))
        ? [legendEntry('tick', 'trajectories here')]
        : []),
    );
    figure.plot.replaceChildren(plot.root);
    figure.setCaption(inWords(histogram, selection.trajectory));
  }

  const table = () => {
    const { edges, counts } = shown();
    return numberTable(
      ['from', 'to', 'count'],
      counts.map((n, i) => [formatNumber(edges[i]!), formatNumber(edges[i + 1]!), String(n)]),
    );
  };
  const figure = makeFigure(
    'histogram',
    `Distribution of ${section.axis || 'values'}`,
    draw,
    table,
  );
  selection.onChange(figure.redraw);
  return figure.element;
}
