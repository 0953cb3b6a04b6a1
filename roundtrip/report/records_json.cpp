// One pair of functions a record, writing above reading, so that a new member is two lines that
// stand together.
#include "roundtrip/report/records_json.h"

#include <fmt/format.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/base64.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_place.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/names.h"

namespace roundtrip {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "roundtrip report";
constexpr int64_t kVersion = 1;

// --- Members that may be missing
// ------------------------------------------------------------------
void put(Json& object, const char* name, const std::string& text) {
  if (!text.empty()) object[name] = text;
}
template <class Value>
void put(Json& object, const char* name, const std::vector<Value>& values) {
  if (!values.empty()) object[name] = values;
}
template <class Value>
void put(Json& object, const char* name, const std::optional<Value>& value) {
  if (value) object[name] = *value;
}

void take(const JsonPlace& place, const char* name, std::string& text) {
  if (const auto member = place.find(name)) text = member->text();
}
void take(const JsonPlace& place, const char* name, std::vector<double>& values) {
  if (const auto member = place.find(name)) values = member->numbers();
}
void take(const JsonPlace& place, const char* name, std::vector<std::string>& texts) {
  if (const auto member = place.find(name)) texts = member->texts();
}
void take(const JsonPlace& place, const char* name, std::optional<double>& value) {
  if (const auto member = place.find(name)) value = member->number();
}

/// A list of records, each made by `to_json`.
template <class Record>
Json list_of(const std::vector<Record>& records, Json (*to_json)(const Record&)) {
  Json list = Json::array();
  for (const Record& record : records) list.push_back(to_json(record));
  return list;
}
template <class Record>
std::vector<Record> take_list(const JsonPlace& place, const char* name,
                              Record (*take_record)(const JsonPlace&)) {
  std::vector<Record> records;
  for (const JsonPlace& item : place.at(name).items()) records.push_back(take_record(item));
  return records;
}

// --- Curves
// ---------------------------------------------------------------------------------------
Json curve_json(const TrajectoryCurve& curve) {
  Json object = {{"label", curve.label}, {"depth", curve.depth}, {"c", curve.c}};
  put(object, "e", curve.e);
  put(object, "log_mean", curve.log_mean);
  put(object, "log_sigma", curve.log_sigma);
  for (const auto& [field, errors] : curve.field_errors) object["field_errors"][field] = errors;
  for (const auto& [field, band] : curve.field_bands) {
    object["field_bands"][field] = {{"log_mean", band.log_mean}, {"log_sigma", band.log_sigma}};
  }
  return object;
}
TrajectoryCurve take_curve(const JsonPlace& place) {
  place.expect_only(
      {"label", "depth", "c", "e", "log_mean", "log_sigma", "field_errors", "field_bands"});
  TrajectoryCurve curve{.label = place.at("label").text(),
                        .depth = place.at("depth").integers(),
                        .c = place.at("c").numbers()};
  take(place, "e", curve.e);
  take(place, "log_mean", curve.log_mean);
  take(place, "log_sigma", curve.log_sigma);
  if (const auto fields = place.find("field_errors")) {
    for (const auto& [field, errors] : fields->members())
      curve.field_errors[field] = errors.numbers();
  }
  if (const auto fields = place.find("field_bands")) {
    for (const auto& [field, band] : fields->members()) {
      band.expect_only({"log_mean", "log_sigma"});
      curve.field_bands[field] = {.log_mean = band.at("log_mean").numbers(),
                                  .log_sigma = band.at("log_sigma").numbers()};
    }
  }
  return curve;
}

Json line_json(const NamedCurve& curve) {
  Json object = {{"label", curve.label}, {"x", curve.x}, {"y", curve.y}};
  put(object, "note", curve.note);
  return object;
}
NamedCurve take_line(const JsonPlace& place) {
  place.expect_only({"label", "x", "y", "note"});
  NamedCurve curve{.label = place.at("label").text(),
                   .x = place.at("x").numbers(),
                   .y = place.at("y").numbers()};
  take(place, "note", curve.note);
  return curve;
}

// --- Histograms
// -----------------------------------------------------------------------------------
Json mark_json(const Mark& mark) { return {{"label", mark.label}, {"value", mark.value}}; }
Mark take_mark(const JsonPlace& place) {
  place.expect_only({"label", "value"});
  return {.label = place.at("label").text(), .value = place.at("value").number()};
}

Json histogram_json(const Histogram& histogram) {
  Json object = {{"label", histogram.label}};
  put(object, "depth", histogram.depth);
  object["edges"] = histogram.edges;
  object["counts"] = histogram.counts;
  object["marks"] = list_of(histogram.marks, mark_json);
  return object;
}
Histogram take_histogram(const JsonPlace& place) {
  place.expect_only({"label", "depth", "edges", "counts", "marks"});
  Histogram histogram{.label = place.at("label").text(),
                      .edges = place.at("edges").numbers(),
                      .counts = place.at("counts").integers(),
                      .marks = take_list(place, "marks", take_mark)};
  if (const auto depth = place.find("depth")) histogram.depth = depth->integer();
  return histogram;
}

// --- Tables
// ---------------------------------------------------------------------------------------
Json cell_json(const TableCell& cell) {
  Json object = Json::object();
  put(object, "text", cell.text);
  put(object, "ours", cell.ours);
  if (cell.interval) object["interval"] = {cell.interval->low, cell.interval->high};
  put(object, "paper", cell.paper);
  if (cell.digits != TableCell{}.digits) object["digits"] = cell.digits;
  return object;
}
TableCell take_cell(const JsonPlace& place) {
  place.expect_only({"text", "ours", "interval", "paper", "digits"});
  TableCell cell;
  take(place, "text", cell.text);
  take(place, "ours", cell.ours);
  take(place, "paper", cell.paper);
  if (const auto digits = place.find("digits")) cell.digits = digits->integer();
  if (const auto interval = place.find("interval")) {
    const std::vector<double> ends = interval->numbers();
    if (ends.size() != 2) interval->fail("two numbers");
    cell.interval = {.low = ends[0], .high = ends[1]};
  }
  return cell;
}

// --- Fields
// ---------------------------------------------------------------------------------------
void put(Json& object, const char* name, const std::optional<FieldBytes>& picture) {
  if (!picture) return;
  object[name] = {{"nx", picture->nx},
                  {"ny", picture->ny},
                  {"low", picture->low},
                  {"high", picture->high},
                  {"bytes", to_base64(picture->bytes)}};
}
void take(const JsonPlace& place, const char* name, std::optional<FieldBytes>& picture) {
  const auto member = place.find(name);
  if (!member) return;
  member->expect_only({"nx", "ny", "low", "high", "bytes"});
  picture = {.nx = member->at("nx").integer(),
             .ny = member->at("ny").integer(),
             .low = member->at("low").number(),
             .high = member->at("high").number()};
  const JsonPlace bytes = member->at("bytes");
  try {
    picture->bytes = from_base64(bytes.text());
  } catch (const Error& error) {
    throw Error("json", fmt::format("{}: {}", bytes.where(), error.what()));
  }
}

Json frame_json(const FieldFrame& frame) {
  Json object = {{"depth", frame.depth}};
  put(object, "truth", frame.truth);
  put(object, "rollout", frame.rollout);
  put(object, "difference", frame.difference);
  put(object, "returned", frame.returned);
  return object;
}
FieldFrame take_frame(const JsonPlace& place) {
  place.expect_only({"depth", "truth", "rollout", "difference", "returned"});
  FieldFrame frame{.depth = place.at("depth").integer()};
  take(place, "truth", frame.truth);
  take(place, "rollout", frame.rollout);
  take(place, "difference", frame.difference);
  take(place, "returned", frame.returned);
  return frame;
}

Json series_json(const FieldSeries& series) {
  const bool diverging = series.map == ColourMap::diverging;
  Json object = {{"field", series.field}, {"map", diverging ? "diverging" : "sequential"}};
  put(object, "seed", series.seed);
  object["frames"] = list_of(series.frames, frame_json);
  return object;
}
FieldSeries take_series(const JsonPlace& place) {
  place.expect_only({"field", "map", "seed", "frames"});
  const JsonPlace map = place.at("map");
  if (map.text() != "diverging" && map.text() != "sequential") {
    throw Error("json", fmt::format("{}: expected sequential or diverging, found {}", map.where(),
                                    map.text()));
  }
  FieldSeries series{
      .field = place.at("field").text(),
      .map = map.text() == "diverging" ? ColourMap::diverging : ColourMap::sequential};
  take(place, "seed", series.seed);
  series.frames = take_list(place, "frames", take_frame);
  return series;
}

Json fields_json(const TrajectoryFields& trajectory) {
  return {{"label", trajectory.label}, {"fields", list_of(trajectory.fields, series_json)}};
}
TrajectoryFields take_fields(const JsonPlace& place) {
  place.expect_only({"label", "fields"});
  return {.label = place.at("label").text(), .fields = take_list(place, "fields", take_series)};
}

// --- Sections
// -------------------------------------------------------------------------------------
/// The name of a section's kind, then what it is made of.
Json section_json(const CurvesSection& section) {
  return {{"kind", "curves"}, {"trajectories", list_of(section.trajectories, curve_json)}};
}
void take_body(const JsonPlace& place, CurvesSection& section) {
  place.expect_only({"kind", "title", "text", "trajectories"});
  section.trajectories = take_list(place, "trajectories", take_curve);
}

Json section_json(const CalibrationSection& section) {
  return {{"kind", "calibration"}, {"curves", list_of(section.curves, line_json)}};
}
void take_body(const JsonPlace& place, CalibrationSection& section) {
  place.expect_only({"kind", "title", "text", "curves"});
  section.curves = take_list(place, "curves", take_line);
}

Json section_json(const RiskCoverageSection& section) {
  return {{"kind", "risk_coverage"}, {"curves", list_of(section.curves, line_json)}};
}
void take_body(const JsonPlace& place, RiskCoverageSection& section) {
  place.expect_only({"kind", "title", "text", "curves"});
  section.curves = take_list(place, "curves", take_line);
}

Json section_json(const HistogramSection& section) {
  return {{"kind", "histograms"},
          {"axis", section.axis},
          {"histograms", list_of(section.histograms, histogram_json)}};
}
void take_body(const JsonPlace& place, HistogramSection& section) {
  place.expect_only({"kind", "title", "text", "axis", "histograms"});
  take(place, "axis", section.axis);
  section.histograms = take_list(place, "histograms", take_histogram);
}

Json section_json(const TableSection& section) {
  Json rows = Json::array();
  for (const auto& row : section.rows) rows.push_back(list_of(row, cell_json));
  Json object = {{"kind", "table"}, {"columns", section.columns}, {"rows", rows}};
  put(object, "notes", section.notes);
  return object;
}
void take_body(const JsonPlace& place, TableSection& section) {
  place.expect_only({"kind", "title", "text", "columns", "rows", "notes"});
  section.columns = place.at("columns").texts();
  take(place, "notes", section.notes);
  for (const JsonPlace& row : place.at("rows").items()) {
    section.rows.emplace_back();
    for (const JsonPlace& cell : row.items()) section.rows.back().push_back(take_cell(cell));
  }
}

Json section_json(const FieldsSection& section) {
  return {{"kind", "fields"}, {"trajectories", list_of(section.trajectories, fields_json)}};
}
void take_body(const JsonPlace& place, FieldsSection& section) {
  place.expect_only({"kind", "title", "text", "trajectories"});
  section.trajectories = take_list(place, "trajectories", take_fields);
}

template <class Kind>
Section take_kind(const JsonPlace& place) {
  Kind section;
  take(place, "title", section.title);
  take(place, "text", section.text);
  take_body(place, section);
  return section;
}

struct KindEntry {
  std::string_view name;
  Section (*take)(const JsonPlace&);
};
constexpr KindEntry kKinds[] = {
    {"curves", take_kind<CurvesSection>},
    {"calibration", take_kind<CalibrationSection>},
    {"risk_coverage", take_kind<RiskCoverageSection>},
    {"histograms", take_kind<HistogramSection>},
    {"table", take_kind<TableSection>},
    {"fields", take_kind<FieldsSection>},
};

Section take_section(const JsonPlace& place) {
  const std::string kind = place.at("kind").text();
  std::vector<std::string> known;
  for (const KindEntry& row : kKinds) {
    if (row.name == kind) return row.take(place);
    known.emplace_back(row.name);
  }
  throw Error("json",
              fmt::format("{}: {}", place.where(), unknown_name("kind of section", kind, known)));
}

void check_format(const JsonPlace& place) {
  if (!place.value().is_object() || !place.find("format") ||
      place.find("format")->value() != kFormat) {
    throw Error("json", fmt::format("{}: expected records of a report, with \"format\": \"{}\"",
                                    place.where(), kFormat));
  }
  const int64_t found = place.at("format_version").integer();
  if (found == kVersion) return;
  throw Error("json", fmt::format("{}: expected format version {}, found {}; make the records "
                                  "again with this roundtrip",
                                  place.where(), kVersion, found));
}

}  // namespace

std::string to_json_text(const Report& report) {
  check(report, "report");
  Json object = {
      {"format", kFormat},         {"format_version", kVersion},      {"title", report.title},
      {"summary", report.summary}, {"provenance", report.provenance}, {"sections", Json::array()}};
  for (const Section& section : report.sections) {
    object["sections"].push_back(std::visit(
        [](const auto& chosen) {
          Json body = section_json(chosen);
          body["title"] = chosen.title;
          put(body, "text", chosen.text);
          return body;
        },
        section));
  }
  return shown_json(object);
}

Report parse_report(std::string_view text, const std::string& where) {
  const Json document = parse_json(text, where);
  const JsonPlace place(document, where);
  check_format(place);
  place.expect_only({"format", "format_version", "title", "summary", "provenance", "sections"});
  Report report{.title = place.at("title").text(), .summary = place.at("summary").texts()};
  report.provenance = place.at("provenance").value();
  if (!report.provenance.is_object()) place.at("provenance").fail("an object");
  report.sections = take_list(place, "sections", take_section);
  check(report, where);
  return report;
}

Report read_report(const std::filesystem::path& path) {
  return parse_report(read_file(path), path.string());
}

}  // namespace roundtrip
