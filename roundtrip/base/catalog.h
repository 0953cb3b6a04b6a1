#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"

namespace roundtrip {

/// A hand-written list of rows with a `name`; a row is one system, sampler, signal, study or verb.
/// Rows are not self-registered: the linker drops such objects from a static library.
template <class Row>
using Catalog = std::vector<Row>;

/// A row that stands for one value of an enumeration.
template <class Value>
struct ChoiceRow {
  std::string_view name;
  std::string_view summary;
  Value value;
};

/// The names of all rows, in the list's order.
template <class Row>
std::vector<std::string> names_of(const Catalog<Row>& catalog) {
  std::vector<std::string> names;
  for (const Row& row : catalog) names.emplace_back(row.name);
  return names;
}

/// The row called `name`; an Error that lists the known names when there is none.
template <class Row>
const Row& find_row(const Catalog<Row>& catalog, std::string_view kind, std::string_view name) {
  for (const Row& row : catalog) {
    if (row.name == name) return row;
  }
  throw Error(kind, unknown_name(kind, name, names_of(catalog)));
}

}  // namespace roundtrip
