#include "roundtrip/report/records.h"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

/// A place in the records, for messages: "records.json: sections[1].trajectories[0].c".
class Place {
 public:
  explicit Place(std::string path) : path_(std::move(path)) {}

  Place member(std::string_view name) const { return Place(fmt::format("{}.{}", path_, name)); }
  Place item(size_t i) const { return Place(fmt::format("{}[{}]", path_, i)); }
  Place item(std::string_view list, size_t i) const { return member(list).item(i); }

  template <class Found>
  void expect(bool holds, std::string_view expected, const Found& found) const {
    if (holds) return;
    throw Error("report", fmt::format("{}: expected {}, found {}", path_, expected, found));
  }
  void expect_text(const std::string& text) const { expect(!text.empty(), "a text", "none"); }
  void expect_finite(double value) const { expect(std::isfinite(value), "a finite number", value); }

 private:
  std::string path_;
};

void check_numbers(const Place& place, const std::vector<double>& values) {
  for (size_t i = 0; i < values.size(); ++i) place.item(i).expect_finite(values[i]);
}

void check_not_negative(const Place& place, const std::vector<double>& values) {
  check_numbers(place, values);
  for (size_t i = 0; i < values.size(); ++i)
    place.item(i).expect(values[i] >= 0, "an error, 0 or above", values[i]);
}

// A column is as long as the trajectory or not there.
void check_column(const Place& place, const std::vector<double>& values, size_t size) {
  place.expect(values.empty() || values.size() == size, fmt::format("{} values or none", size),
               values.size());
}

void check_depths(const Place& place, const std::vector<int64_t>& depths) {
  for (size_t i = 0; i < depths.size(); ++i) {
    place.item(i).expect(depths[i] > (i == 0 ? -1 : depths[i - 1]), "depths that ascend",
                         depths[i]);
  }
}

template <class Row>
void check_labels(const Place& place, const std::vector<Row>& rows) {
  std::set<std::string> seen;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Place label = place.item(i).member("label");
    label.expect_text(rows[i].label);
    label.expect(seen.insert(rows[i].label).second, "a label of its own", rows[i].label);
  }
}

// Means and deviations of predicted logs, as long as the trajectory or not there.
void check_band(const Place& place, const std::vector<double>& mean,
                const std::vector<double>& sigma, size_t size) {
  check_column(place.member("log_mean"), mean, size);
  check_numbers(place.member("log_mean"), mean);
  const Place deviation = place.member("log_sigma");
  deviation.expect(sigma.size() == mean.size(), "as many values as log_mean has", sigma.size());
  check_numbers(deviation, sigma);
  for (size_t i = 0; i < sigma.size(); ++i)
    deviation.item(i).expect(sigma[i] > 0, "a deviation above 0", sigma[i]);
}

void check_trajectory(const Place& place, const TrajectoryCurve& curve) {
  const size_t size = curve.depth.size();
  place.member("depth").expect(size > 0, "at least one depth", "none");
  check_depths(place.member("depth"), curve.depth);
  place.member("c").expect(curve.c.size() == size, fmt::format("{} values", size), curve.c.size());
  check_not_negative(place.member("c"), curve.c);
  check_column(place.member("e"), curve.e, size);
  check_not_negative(place.member("e"), curve.e);
  check_band(place, curve.log_mean, curve.log_sigma, size);
  for (const auto& [field, errors] : curve.field_errors) {
    const Place column = place.member("field_errors").member(field);
    check_column(column, errors, size);
    check_not_negative(column, errors);
  }
  for (const auto& [field, band] : curve.field_bands) {
    const Place at = place.member("field_bands").member(field);
    at.expect(curve.field_errors.contains(field), "a field of field_errors", "none");
    check_band(at, band.log_mean, band.log_sigma, size);
  }
}

void check_line(const Place& place, const NamedCurve& curve) {
  place.member("x").expect(curve.x.size() >= 2, "at least two points", curve.x.size());
  place.member("y").expect(curve.y.size() == curve.x.size(), "as many values as x has",
                           curve.y.size());
  check_numbers(place.member("y"), curve.y);
  for (size_t i = 0; i < curve.x.size(); ++i) {
    const double x = curve.x[i];
    place.member("x").item(i).expect(x >= 0 && x <= 1, "a proportion, 0 to 1", x);
    place.member("x").item(i).expect(i == 0 || x >= curve.x[i - 1], "values that ascend", x);
  }
}

void check_histogram(const Place& place, const Histogram& histogram) {
  place.member("counts").expect(!histogram.counts.empty(), "at least one count", "none");
  place.member("edges").expect(histogram.edges.size() == histogram.counts.size() + 1,
                               fmt::format("{} edges", histogram.counts.size() + 1),
                               histogram.edges.size());
  check_numbers(place.member("edges"), histogram.edges);
  for (size_t i = 1; i < histogram.edges.size(); ++i) {
    place.item("edges", i)
        .expect(histogram.edges[i] > histogram.edges[i - 1], "edges that ascend",
                histogram.edges[i]);
  }
  for (size_t i = 0; i < histogram.counts.size(); ++i) {
    place.item("counts", i)
        .expect(histogram.counts[i] >= 0, "a count, 0 or above", histogram.counts[i]);
  }
  for (size_t i = 0; i < histogram.marks.size(); ++i) {
    place.item("marks", i).member("value").expect_finite(histogram.marks[i].value);
  }
}

void check_cell(const Place& place, const TableCell& cell) {
  if (cell.ours) place.member("ours").expect_finite(*cell.ours);
  if (cell.paper) place.member("paper").expect_finite(*cell.paper);
  place.member("digits").expect(cell.digits >= 1 && cell.digits <= 15, "1 to 15 digits",
                                cell.digits);
  if (!cell.interval) return;
  place.member("interval").expect(cell.ours.has_value(), "a number of ours it belongs to", "none");
  place.member("interval").item(0).expect_finite(cell.interval->low);
  place.member("interval").item(1).expect_finite(cell.interval->high);
  place.member("interval")
      .expect(cell.interval->low <= cell.interval->high, "the lower end first", cell.interval->low);
}

void check_picture(const Place& place, const std::optional<FieldBytes>& picture) {
  if (!picture) return;
  place.expect(picture->nx > 0 && picture->ny > 0, "sizes above 0",
               fmt::format("{} x {}", picture->nx, picture->ny));
  // Sides are bounded first, so that their product cannot overflow.
  place.expect(picture->nx <= 4096 && picture->ny <= 4096, "sides of at most 4096 cells",
               fmt::format("{} x {}", picture->nx, picture->ny));
  const auto cells = static_cast<size_t>(picture->nx * picture->ny);
  place.member("bytes").expect(picture->bytes.size() == cells, fmt::format("{} bytes", cells),
                               picture->bytes.size());
  place.member("low").expect_finite(picture->low);
  place.member("high").expect_finite(picture->high);
  place.member("low").expect(picture->low <= picture->high, "at most high", picture->low);
}

void check_series(const Place& place, const FieldSeries& series) {
  place.member("field").expect_text(series.field);
  check_picture(place.member("seed"), series.seed);
  int64_t last = -1;
  for (size_t i = 0; i < series.frames.size(); ++i) {
    const FieldFrame& frame = series.frames[i];
    const Place at = place.item("frames", i);
    at.member("depth").expect(frame.depth > last, "depths that ascend", frame.depth);
    last = frame.depth;
    check_picture(at.member("truth"), frame.truth);
    check_picture(at.member("rollout"), frame.rollout);
    check_picture(at.member("difference"), frame.difference);
    check_picture(at.member("returned"), frame.returned);
  }
}

void check_section(const Place& place, const CurvesSection& section) {
  check_labels(place.member("trajectories"), section.trajectories);
  for (size_t i = 0; i < section.trajectories.size(); ++i)
    check_trajectory(place.item("trajectories", i), section.trajectories[i]);
}

template <class Lines>
void check_lines(const Place& place, const Lines& section) {
  check_labels(place.member("curves"), section.curves);
  for (size_t i = 0; i < section.curves.size(); ++i)
    check_line(place.item("curves", i), section.curves[i]);
}

void check_section(const Place& place, const CalibrationSection& section) {
  check_lines(place, section);
  for (size_t i = 0; i < section.curves.size(); ++i) {
    const auto& y = section.curves[i].y;
    for (size_t k = 0; k < y.size(); ++k) {
      place.item("curves", i)
          .item("y", k)
          .expect(y[k] >= 0 && y[k] <= 1, "a proportion, 0 to 1", y[k]);
    }
  }
}

void check_section(const Place& place, const RiskCoverageSection& section) {
  check_lines(place, section);
  for (size_t i = 0; i < section.curves.size(); ++i)
    check_not_negative(place.item("curves", i).member("y"), section.curves[i].y);
}

void check_section(const Place& place, const HistogramSection& section) {
  check_labels(place.member("histograms"), section.histograms);
  for (size_t i = 0; i < section.histograms.size(); ++i)
    check_histogram(place.item("histograms", i), section.histograms[i]);
}

void check_section(const Place& place, const TableSection& section) {
  place.member("columns").expect(!section.columns.empty(), "at least one column", "none");
  for (size_t i = 0; i < section.rows.size(); ++i) {
    const Place row = place.item("rows", i);
    row.expect(section.rows[i].size() == section.columns.size(),
               fmt::format("{} cells", section.columns.size()), section.rows[i].size());
    for (size_t k = 0; k < section.rows[i].size(); ++k) check_cell(row.item(k), section.rows[i][k]);
  }
}

void check_section(const Place& place, const FieldsSection& section) {
  check_labels(place.member("trajectories"), section.trajectories);
  for (size_t i = 0; i < section.trajectories.size(); ++i) {
    const auto& fields = section.trajectories[i].fields;
    for (size_t k = 0; k < fields.size(); ++k)
      check_series(place.item("trajectories", i).item("fields", k), fields[k]);
  }
}

}  // namespace

void check(const Report& report, std::string_view where) {
  Place(fmt::format("{}: title", where)).expect_text(report.title);
  for (size_t i = 0; i < report.sections.size(); ++i) {
    const Place place(fmt::format("{}: sections[{}]", where, i));
    std::visit(
        [&](const auto& section) {
          place.member("title").expect_text(section.title);
          check_section(place, section);
        },
        report.sections[i]);
  }
}

}  // namespace roundtrip
