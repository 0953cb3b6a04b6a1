#pragma once

#include <filesystem>
#include <string_view>

#include <nlohmann/json.hpp>

namespace roundtrip {

/// Writes a table, and before it what made it into `<out>.json`: where the table is, all of it is,
/// and its record.
void write_recorded_table(const std::filesystem::path& out, std::string_view text,
                          const nlohmann::ordered_json& record);

/// Whether `out` is there and was made with this very record.
bool have_recorded_table(const std::filesystem::path& out, const nlohmann::ordered_json& record);

/// Takes a table away that is no longer true, and its record.
void remove_recorded_table(const std::filesystem::path& out);

}  // namespace roundtrip
