#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/registry.h"

// Everything but the code of a signal is in one entry of signal_entries.inc: `cycle` takes columns
// and work from it, `calibrate` what to fit, the evaluation titles, scripts groups.
namespace roundtrip {

/// What a column of curves.csv is for.
enum class SignalRole {
  signal,    // predicts an error, needs no truth
  baseline,  // a number of the seed frames alone: what a signal has to beat
  error,     // a true error: calibrators predict it
  other,     // neither: measured to understand a model
};

/// Which tables of an evaluation have a row or column of it.
enum class Shown {
  nowhere,
  among_signals,   // where all signals stand side by side
  in_every_table,  // also where a few are compared
};

/// One column of curves.csv.
struct SignalColumn {
  std::string_view name;        // "E_<field>" stands for one column per decoded field
  std::string_view title = {};  // in tables
  SignalRole role = SignalRole::signal;
  Shown shown = Shown::nowhere;
  std::string_view target = "E";                      // the error it predicts
  std::vector<std::string_view> features = {};        // its calibrators: entries of feature_sets()
  std::vector<std::string_view> field_features = {};  // those of every E_<field>
  bool alarm = false;                                 // `calibrate` makes an OOD alarm of it
};

/// One signal: columns that are measured together.
struct SignalEntry {
  /// truth: frames to the depth, which only a test knows; whole: all of the trajectory.
  enum class Needs { seed_frames, truth, whole };
  enum class Work { none, steps };               // steps: legs of its own
  enum class Others { none, noise, ancestral };  // other rollouts that it compares

  std::string_view name;
  std::string_view summary;
  std::vector<SignalColumn> columns;
  Needs needs = Needs::seed_frames;
  Work work = Work::steps;
  Others others = Others::none;
  bool decoded = false;  // looks at the frames themselves, not at latents alone
  /// Of its columns at one depth, in plain rollouts as deep, the rollout itself included; none
  /// where it depends on the samples or the depth.
  std::optional<double> cost = {};
  std::vector<std::string_view> groups = {};  // entries of signal_groups()
};

/// A name for several signals, as `--signals` takes it.
struct SignalGroup {
  std::string_view name;
  std::string_view summary;
};

/// All signals. Their columns, in this order, are those of curves.csv.
const Registry<SignalEntry>& signals();
const Registry<SignalGroup>& signal_groups();

/// The entries of the given names, in the table's order; an Error that lists the known ones for
/// others.
std::vector<const SignalEntry*> find_signals(const std::vector<std::string>& names);

/// The names with every group replaced by its signals.
std::vector<std::string> expand_signals(const std::vector<std::string>& names);

/// The columns an entry writes for a model of these fields.
std::vector<std::string> column_names(const SignalEntry& entry,
                                      const std::vector<std::string>& fields = {});

/// The entry that writes a column; null when none does. The column itself; null likewise. No column
/// of a field is found.
const SignalEntry* signal_of_column(std::string_view column);
const SignalColumn* find_column(std::string_view column);

/// All columns of a role, in the table's order.
std::vector<const SignalColumn*> columns_of_role(SignalRole role);

/// Whether a column is the error of a decoded field: E_<field>.
bool is_field_error(std::string_view column);

/// Whether a signal of a calibrator needs no check of the rollout: "none" (a constant), "depth", or
/// a column of the seed frames. Means of such baselines may fall: a gain over one must not come
/// from a handicap of it.
bool is_baseline(std::string_view signal);

}  // namespace roundtrip
