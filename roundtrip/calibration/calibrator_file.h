#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "roundtrip/calibration/calibrator.h"

namespace roundtrip {

/// The JSON of calibrators.json, described in docs/calibration.md; `context` says where it came
/// from. Numbers come back exactly; an infinite quantile is written as null. A Bug for a set that
/// was read from version 1.
std::string calibrators_to_json(const CalibratorSet& set, const nlohmann::ordered_json& context);

/// Reads it back. An Error that names `where` and what is wrong when the text is no JSON, of
/// another version, or does not hang together (terms, sizes, ranges). In version 1 the signal C is
/// the mean over regenerated seed frames: its calibrators and alarm keep their keys and read the
/// column C_regenerated; those of C_over_n, C_back and C_averaged, whose columns are gone or mean
/// something else now, are left out.
CalibratorSet calibrators_from_json(std::string_view text, const std::string& where);

/// What there is to say of a set of an older version, one sentence; empty for one of today's.
std::string version_note(const CalibratorSet& set);

/// `calibrators_from_json` of a file.
CalibratorSet read_calibrators(const std::filesystem::path& path);

}  // namespace roundtrip
