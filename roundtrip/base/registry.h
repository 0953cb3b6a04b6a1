#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"

namespace roundtrip {

/// A hand-written list of entries with a `name`: one system, sampler, signal, table or subcommand
/// each. Entries do not register themselves: the linker drops such objects from a static library.
template <class Entry>
using Registry = std::vector<Entry>;

/// An entry that stands for one value of an enumeration.
template <class Value>
struct ChoiceEntry {
  std::string_view name;
  std::string_view summary;
  Value value;
};

/// The names of all entries, in the registry's order.
template <class Entry>
std::vector<std::string> names_of(const Registry<Entry>& registry) {
  std::vector<std::string> names;
  for (const Entry& entry : registry) names.emplace_back(entry.name);
  return names;
}

/// The entry called `name`; an Error that lists the known names when there is none.
template <class Entry>
const Entry& find_entry(const Registry<Entry>& registry, std::string_view kind,
                        std::string_view name) {
  for (const Entry& entry : registry) {
    if (entry.name == name) return entry;
  }
  throw Error(kind, unknown_name(kind, name, names_of(registry)));
}

}  // namespace roundtrip
