#include "roundtrip/evaluation/certificate.h"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/quantile.h"
#include "roundtrip/evaluation/cells.h"

namespace roundtrip {
namespace {

constexpr const char* kNumbers[] = {"E",        "C",     "delta", "mu",   "L",
                                    "realised", "lower", "upper", "bound"};

/// The rows of one depth and kind of anchor, by column.
using CertificateGroup = std::map<std::string, std::vector<double>>;

std::map<std::pair<std::string, int64_t>, CertificateGroup> groups_of(const CsvTable& table) {
  std::map<std::pair<std::string, int64_t>, CertificateGroup> groups;
  const auto anchors = table.texts("anchors");
  const auto depths = table.numbers("depth");
  for (const char* name : kNumbers) {
    const auto values = table.numbers(name);
    for (size_t i = 0; i < values.size(); ++i) {
      groups[{anchors[i], static_cast<int64_t>(depths[i])}][name].push_back(values[i]);
    }
  }
  return groups;
}

// How many rows lie outside what the inequalities allow, but for rounding.
int64_t violations(const CertificateGroup& rows) {
  constexpr double kRounding = 1 + 1e-6;  // single precision steps, means of thousands of numbers
  int64_t count = 0;
  for (size_t i = 0; i < rows.at("C").size(); ++i) {
    const double c = rows.at("C")[i];
    count += c * kRounding < rows.at("lower")[i] || c > rows.at("upper")[i] * kRounding ||
             rows.at("E")[i] > rows.at("bound")[i] * kRounding;
  }
  return count;
}

TableCell median_of(const CertificateGroup& rows, const char* column) {
  return number(quantile(rows.at(column), 0.5));
}

// How many times too large the bound on the root of E is.
double looseness(const CertificateGroup& rows) {
  std::vector<double> ratios;
  for (size_t i = 0; i < rows.at("E").size(); ++i) {
    ratios.push_back(std::sqrt(rows.at("bound")[i] / rows.at("E")[i]));
  }
  return quantile(ratios, 0.5);
}

}  // namespace

std::vector<Section> evaluate_certificate(const Measurements& measured) {
  if (!measured.certificate) {
    throw Error("evaluation",
                "certificate: expected the table certificate.csv, found none; `roundtrip "
                "reproduce` measures it");
  }
  TableSection table;
  table.title = "Bounds on C and E";
  table.text =
      "Medians over rollouts. delta: what comes back from the true frames, a root mean square. mu "
      "and L: least and largest factor by which a step back changes the distance of the true and "
      "the predicted leg, as realised. C lies between the two bounds, E below its own; looseness "
      "is "
      "the root of that bound over E.";
  table.columns = {"anchors",  "depth",         "E", "delta",        "mu",
                   "L",        "C is at least", "C", "C is at most", "E is at most",
                   "looseness"};
  int64_t outside = 0, rows = 0;
  for (const auto& [key, group] : groups_of(*measured.certificate)) {
    table.rows.push_back({word(key.first), count(key.second), median_of(group, "E"),
                          median_of(group, "delta"), median_of(group, "mu"), median_of(group, "L"),
                          median_of(group, "lower"), median_of(group, "C"),
                          median_of(group, "upper"), median_of(group, "bound"),
                          number(looseness(group))});
    outside += violations(group);
    rows += static_cast<int64_t>(group.at("C").size());
  }
  table.notes.push_back(fmt::format("Violated in {} of {} rows.", outside, rows));
  return {table};
}

}  // namespace roundtrip
