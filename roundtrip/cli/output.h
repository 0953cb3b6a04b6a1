#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "roundtrip/base/provenance.h"

namespace roundtrip {

/// Prints {"context": ..., "rows": [...]} on standard output: the shape of every --json.
void print_json(const Provenance& provenance, const nlohmann::ordered_json& rows);

/// Prints rows of words as columns, the first row as a heading.
void print_table(const std::vector<std::vector<std::string>>& rows);

/// "1.3 GB", "640 kB"
std::string human_bytes(double bytes);

/// Prints a line for the user beside the output, to stderr.
void print_note(const std::string& line);

}  // namespace roundtrip
