// The page from top to bottom: what there is, in the order of the records.
import { makeBand } from './band';
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
      return [makeScatter(section, selection), makeBand(section, selection)].filter((f) => f !== undefined);
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

// One drawing takes half of a wide page, everything else all of it.
function widthOf(section: Section, figures: number): string {
  const drawing = section.kind !== 'table' && section.kind !== 'fields';
  return drawing && figures === 1 ? 'half' : 'full';
}

function makeSection(id: string, width: string, title: string, text: string, figures: HTMLElement[]): HTMLElement {
  return html(
    'section',
    { id, class: width, 'aria-labelledby': `${id}-title` },
    html('h2', { id: `${id}-title` }, title),
    text ? html('p', { class: 'section-text' }, text) : null,
    html('div', { class: 'figures' }, ...figures),
  );
}

function makeSelection(report: Report): Selection {
  const trajectories = trajectoriesOf(report);
  const depths = depthsOf(report);
  // A trajectory with pictures shows most; the middle depth shows that there is a slider.
  const withFields = report.sections.flatMap((s) => (s.kind === 'fields' ? s.trajectories : []))[0];
  return new Selection(trajectories, depths, {
    trajectory: withFields?.label ?? trajectories[0] ?? '',
    depth: depths[depths.length >> 1] ?? 0,
  });
}

export function makePage(report: Report): HTMLElement[] {
  const selection = makeSelection(report);
  const sections = report.sections.flatMap((section, i) => {
    const figures = figuresOf(section, selection);
    if (figures.length === 0) return [];
    const width = widthOf(section, figures.length);
    return [makeSection(`section-${i}`, width, section.title, section.text ?? '', figures)];
  });
  sections.push(makeSection('provenance', 'full', 'Provenance', '', [makeProvenance(report.provenance)]));
  const links = sections.map((section) =>
    html('li', {}, html('a', { href: `#${section.id}` }, section.querySelector('h2')?.textContent ?? '')),
  );
  const version = typeof report.provenance.version === 'string' ? ` ${report.provenance.version}` : '';
  const parts = [
    html('a', { class: 'skip', href: '#main' }, 'Skip to the figures'),
    html(
      'header',
      {},
      html('p', { class: 'maker' }, `Roundtrip${version} report`),
      html('h1', {}, report.title),
      report.summary.length > 0
        ? html('ul', { class: 'summary' }, ...report.summary.map((sentence) => html('li', {}, sentence)))
        : null,
      html('nav', { 'aria-label': 'Sections' }, html('ul', {}, ...links)),
    ),
    makeControls(selection),
    html('main', { id: 'main', tabindex: -1 }, ...sections),
  ];
  return parts.filter((part) => part !== undefined);
}
