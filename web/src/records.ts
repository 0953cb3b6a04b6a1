// What the page is made from, as roundtrip/report/records.h defines it. The program has checked it.

export interface TrajectoryCurve {
  label: string;
  depth: number[];
  c: number[];
  e?: number[];
  log_mean?: number[];
  log_sigma?: number[];
  field_errors?: Record<string, number[]>;
  field_bands?: Record<string, { log_mean: number[]; log_sigma: number[] }>;
}

export interface NamedCurve {
  label: string;
  x: number[];
  y: number[];
  note?: string;
}

export interface Histogram {
  label: string;
  depth?: number;
  edges: number[];
  counts: number[];
  marks: { label: string; value: number }[];
}

export interface TableCell {
  text?: string;
  ours?: number;
  interval?: [number, number];
  paper?: number;
  digits?: number;
}

/** One byte a cell, [x, y] with y fastest, in base64; 255 is a cell without a number. */
export interface Picture {
  nx: number;
  ny: number;
  low: number;
  high: number;
  bytes: string;
}

export interface FieldFrame {
  depth: number;
  truth?: Picture;
  rollout?: Picture;
  difference?: Picture;
  returned?: Picture;
}

export interface FieldSeries {
  field: string;
  map: 'sequential' | 'diverging';
  seed?: Picture;
  frames: FieldFrame[];
}

export interface TrajectoryFields {
  label: string;
  fields: FieldSeries[];
}

interface Heading {
  title: string;
  text?: string;
}

export type CurvesSection = Heading & { kind: 'curves'; trajectories: TrajectoryCurve[] };
export type CalibrationSection = Heading & { kind: 'calibration'; curves: NamedCurve[] };
export type RiskCoverageSection = Heading & { kind: 'risk_coverage'; curves: NamedCurve[] };
export type HistogramSection = Heading & {
  kind: 'histograms';
  axis: string;
  histograms: Histogram[];
};
export type TableSection = Heading & {
  kind: 'table';
  columns: string[];
  rows: TableCell[][];
  notes?: string[];
};
export type FieldsSection = Heading & { kind: 'fields'; trajectories: TrajectoryFields[] };

export type Section =
  | CurvesSection
  | CalibrationSection
  | RiskCoverageSection
  | HistogramSection
  | TableSection
  | FieldsSection;

export interface Report {
  title: string;
  summary: string[];
  provenance: Record<string, unknown>;
  sections: Section[];
}

/** The records that stand in the page itself. */
export function readRecords(): Report {
  const text = document.getElementById('records')?.textContent ?? '';
  return JSON.parse(text) as Report;
}

/** Labels of all trajectories, in the order they first appear. */
export function trajectoriesOf(report: Report): string[] {
  const labels = new Set<string>();
  for (const section of report.sections) {
    if (section.kind !== 'curves' && section.kind !== 'fields') continue;
    for (const trajectory of section.trajectories) labels.add(trajectory.label);
  }
  return [...labels];
}

/** All depths something is known at, ascending. */
export function depthsOf(report: Report): number[] {
  const depths = new Set<number>();
  for (const section of report.sections) {
    if (section.kind === 'curves') {
      for (const curve of section.trajectories) curve.depth.forEach((depth) => depths.add(depth));
    } else if (section.kind === 'fields') {
      for (const trajectory of section.trajectories)
        for (const series of trajectory.fields)
          for (const frame of series.frames) depths.add(frame.depth);
    } else if (section.kind === 'histograms') {
      for (const { depth } of section.histograms) if (depth !== undefined) depths.add(depth);
    }
  }
  return [...depths].sort((a, b) => a - b);
}
