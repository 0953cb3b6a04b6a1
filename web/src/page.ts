// The page from top to bottom: what there is, in the order of the records.
import { makeBand, makeFieldBands } from './band';
import { makeControls } from './controls';
import { html } from './dom';
import { makeFields } from './fields';
import { makeHistogram } from './histogram';
import { makeCalibration, makeRiskCoverage } from './lines';
import { makeProvenance } from './provenance';
import { depthsOf, trajectoriesOf, type Report, type Section } from './records';
import { makeScatter } from './scatter';
import { Selection } from './selection';
import { makeTable } from './table';

/** What a section shows; nothing when its lists are empty. */
function figuresOf(section: Section, selection: Selection): HTMLElement[] {
  switch (section.kind) {
    case 'curves':
      if (section.trajectories.length === 0) return [];
      return [
        makeScatter(section, selection),
        makeBand(section, selection),
        ...makeFieldBands(section, selection),
      ].filter((f) => f !== undefined);
    case 'calibration':
      return section.curves.length > 0 ? [makeCalibration(section)] : [];
    case 'risk_coverage':
      return section.curves.length > 0 ? [makeRiskCoverage(section)] : [];
    case 'histograms':
      return section.histograms.length > 0 ? [makeHistogram(section, selection)] : [];
    case 'table':
      return [makeTable(section, selection)];
    case 'fields':
      return section.trajectories.length > 0 ? [makeFields(section, selection)] : [];
  }
}

// A single drawing takes half of a wide page when the next section has the other half for it.
function setWidths(sections: readonly HTMLElement[]): void {
  const isSmall = (section: HTMLElement | undefined) =>
    section?.querySelectorAll('.figure').length === 1 && section.querySelector('figure') !== null;
  for (let i = 0; i < sections.length; ++i) {
    const pair = isSmall(sections[i]) && isSmall(sections[i + 1]);
    sections[i]!.className = pair ? 'half' : 'full';
    if (pair) sections[++i]!.className = 'half';
  }
}

function makeSection(id: string, title: string, text: string, figures: HTMLElement[]): HTMLElement {
  return html(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    html('h2', { id: `${id}-title` }, title),
    text ? html('p', { class: 'section-text' }, text) : null,
    html('div', { class: 'figures' }, ...figures),
  );
}

function makeSelection(report: Report): Selection {
  const trajectories = trajectoriesOf(report);
  const depths = depthsOf(report);
  // A trajectory and a depth with pictures show most; the middle shows that there is a slider.
  const withFields = report.sections.flatMap((s) => (s.kind === 'fields' ? s.trajectories : []))[0];
  const pictured = withFields?.fields[0]?.frames.map(({ depth }) => depth) ?? [];
  const shown = pictured.length > 0 ? pictured : depths;
  return new Selection(trajectories, depths, {
    trajectory: withFields?.label ?? trajectories[0] ?? '',
    depth: shown[shown.length >> 1] ?? 0,
  });
}

export function makePage(report: Report): HTMLElement[] {
  const selection = makeSelection(report);
  const sections = report.sections.flatMap((section, i) => {
    const figures = figuresOf(section, selection);
    if (figures.length === 0) return [];
    return [makeSection(`section-${i}`, section.title, section.text ?? '', figures)];
  });
  sections.push(makeSection('provenance', 'Provenance', '', [makeProvenance(report.provenance)]));
  setWidths(sections);
  const links = sections.map((section) =>
    html(
      'li',
      {},
      html('a', { href: `#${section.id}` }, section.querySelector('h2')?.textContent ?? ''),
    ),
  );
  const version =
    typeof report.provenance.version === 'string' ? ` ${report.provenance.version}` : '';
  const parts = [
    html('a', { class: 'skip', href: '#main' }, 'Skip to the figures'),
    html(
      'header',
      {},
      html('p', { class: 'maker' }, `Roundtrip${version} report`),
      html('h1', {}, report.title),
      report.summary.length > 0
        ? html(
            'ul',
            { class: 'summary' },
            ...report.summary.map((sentence) => html('li', {}, sentence)),
          )
        : null,
      html('nav', { 'aria-label': 'Sections' }, html('ul', {}, ...links)),
    ),
    makeControls(selection),
    html('main', { id: 'main', tabindex: -1 }, ...sections),
  ];
  return parts.filter((part) => part !== undefined);
}
