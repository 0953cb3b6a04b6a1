#pragma once

#include "roundtrip/report/records.h"

namespace roundtrip {

/// A report with one section of every kind, every member set, and numbers that no short decimal is.
inline Report small_report() {
  const FieldBytes picture{
      .nx = 2, .ny = 3, .low = -0.1, .high = 1.0 / 3, .bytes = {0, 1, 254, 255, 7, 100}};
  const FieldFrame frame{
      .depth = 4, .truth = picture, .rollout = picture, .difference = picture, .returned = picture};
  Report report{.title = "A report", .summary = {"First finding.", "Second finding."}};
  report.provenance = {{"version", "1"}, {"seed", 18446744073709551615u}, {"config", "a = 1\n"}};
  report.sections = {
      CurvesSection{.title = "Curves",
                    .text = "Text.",
                    .trajectories = {{.label = "t 0",
                                      .depth = {1, 4},
                                      .c = {0.1, 1e-300},
                                      .e = {2.0 / 3, 0},
                                      .log_mean = {-1.1, 0.25},
                                      .log_sigma = {0.1, 5e-324},
                                      .field_errors = {{"density", {1, 2}}, {"p", {3, 4}}},
                                      .field_bands = {{"p", {{1, 1.5}, {.25, .5}}}}},
                                     {.label = "t 1", .depth = {0}, .c = {7}}}},
      CalibrationSection{
          .curves = {{.label = "C", .x = {0, 0.3, 1}, .y = {0, 0.1, 1}, .note = "n"}}},
      RiskCoverageSection{.curves = {{.label = "oracle", .x = {0.5, 1}, .y = {1.0 / 7, 1e9}}}},
      HistogramSection{.axis = "log C",
                       .histograms = {{.label = "depth 4",
                                       .depth = 4,
                                       .edges = {-1, 0.1, 2},
                                       .counts = {3, 0},
                                       .marks = {{"t 0", -0.7}}},
                                      {.label = "all", .edges = {0, 1}, .counts = {1}}}},
      TableSection{
          .title = "Table",
          .columns = {"name", "value"},
          .rows = {{{.text = "row"},
                    {.ours = 0.1, .interval = CellInterval{-0.3, 0.7}, .paper = 0.2, .digits = 2}}},
          .notes = {"A note."}},
      FieldsSection{.trajectories = {{.label = "t 0",
                                      .fields = {{.field = "density",
                                                  .map = ColourMap::diverging,
                                                  .seed = picture,
                                                  .frames = {frame, {.depth = 5}}}}}}}};
  return report;
}

}  // namespace roundtrip
