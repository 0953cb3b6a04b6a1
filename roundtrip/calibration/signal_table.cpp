#include "roundtrip/calibration/signal_table.h"

#include <algorithm>

namespace roundtrip {
namespace {

constexpr std::string_view kOfEveryField = "E_<field>";

}  // namespace

const Registry<SignalEntry>& signals() {
#define SIGNAL(maker, ...) SignalEntry{__VA_ARGS__},
  static const Registry<SignalEntry> entries = {
#include "roundtrip/calibration/signal_entries.inc"
  };
#undef SIGNAL
  return entries;
}

const Registry<SignalGroup>& signal_groups() {
  static const Registry<SignalGroup> entries = {
      {"standard", "what the calibrators of a bundle are fitted to and an evaluation shows"},
      {"comparison", "what rollouts of other kinds are compared by: C, E, what costs little"},
  };
  return entries;
}

std::vector<const SignalEntry*> find_signals(const std::vector<std::string>& names) {
  for (const std::string& name : names) find_entry(signals(), "signal", name);
  std::vector<const SignalEntry*> found;
  for (const SignalEntry& entry : signals()) {
    if (std::find(names.begin(), names.end(), entry.name) != names.end()) found.push_back(&entry);
  }
  return found;
}

std::vector<std::string> expand_signals(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    const size_t before = all.size();
    for (const SignalEntry& entry : signals()) {
      const auto& groups = entry.groups;
      if (std::find(groups.begin(), groups.end(), name) != groups.end()) {
        all.emplace_back(entry.name);
      }
    }
    if (all.size() == before) all.push_back(name);
  }
  return all;
}

std::vector<std::string> column_names(const SignalEntry& entry,
                                      const std::vector<std::string>& fields) {
  std::vector<std::string> names;
  for (const SignalColumn& column : entry.columns) {
    if (column.name != kOfEveryField) {
      names.emplace_back(column.name);
      continue;
    }
    for (const std::string& field : fields) names.push_back("E_" + field);
  }
  return names;
}

const SignalEntry* signal_of_column(std::string_view column) {
  for (const SignalEntry& entry : signals()) {
    for (const SignalColumn& one : entry.columns) {
      if (one.name == column) return &entry;
    }
  }
  return nullptr;
}

const SignalColumn* find_column(std::string_view column) {
  const SignalEntry* entry = signal_of_column(column);
  if (entry == nullptr) return nullptr;
  return &*std::find_if(entry->columns.begin(), entry->columns.end(),
                        [&](const SignalColumn& one) { return one.name == column; });
}

std::vector<const SignalColumn*> columns_of_role(SignalRole role) {
  std::vector<const SignalColumn*> found;
  for (const SignalEntry& entry : signals()) {
    for (const SignalColumn& column : entry.columns) {
      if (column.role == role) found.push_back(&column);
    }
  }
  return found;
}

// A field may be called anything, so any E_ column that is no other signal's is one's error.
bool is_field_error(std::string_view column) {
  return column.starts_with("E_") && find_column(column) == nullptr;
}

bool is_baseline(std::string_view signal) {
  if (signal == "none" || signal == "depth") return true;
  const SignalColumn* column = find_column(signal);
  return column != nullptr && column->role == SignalRole::baseline;
}

}  // namespace roundtrip
