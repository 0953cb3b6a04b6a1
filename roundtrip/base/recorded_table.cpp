#include "roundtrip/base/recorded_table.h"

#include <string>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/json_text.h"

namespace roundtrip {
namespace {

std::filesystem::path record_of(const std::filesystem::path& out) { return out.string() + ".json"; }

}  // namespace

void write_recorded_table(const std::filesystem::path& out, std::string_view text,
                          const nlohmann::ordered_json& record) {
  remove_recorded_table(out);
  write_file(record_of(out), json_text(record, 1) + "\n");
  write_file(out, text);
}

bool have_recorded_table(const std::filesystem::path& out, const nlohmann::ordered_json& record) {
  return std::filesystem::exists(out) && std::filesystem::exists(record_of(out)) &&
         read_file(record_of(out)) == json_text(record, 1) + "\n";
}

void remove_recorded_table(const std::filesystem::path& out) {
  std::filesystem::remove(out);  // the table first: a record alone claims nothing
  std::filesystem::remove(record_of(out));
}

}  // namespace roundtrip
