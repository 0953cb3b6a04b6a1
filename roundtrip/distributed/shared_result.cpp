#include "roundtrip/distributed/shared_result.h"

#include <fmt/format.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"

namespace roundtrip {
namespace {

// Null when there is none, it is damaged, or it is of something else.
nlohmann::ordered_json read_result(const std::filesystem::path& path,
                                   const std::string& fingerprint) {
  if (!std::filesystem::exists(path)) return nullptr;
  const auto file = read_json(read_file(path));
  const bool fits = file.is_object() && file.value("fingerprint", "") == fingerprint;
  return fits && file.contains("result") ? file["result"] : nlohmann::ordered_json();
}

}  // namespace

nlohmann::ordered_json shared_result(const std::filesystem::path& path,
                                     const std::string& fingerprint, ProcessGroup& ranks,
                                     const std::function<nlohmann::ordered_json()>& make) {
  if (ranks.rank() == 0 && read_result(path, fingerprint).is_null()) {
    const nlohmann::ordered_json file = {{"fingerprint", fingerprint}, {"result", make()}};
    write_file(path, json_text(file) + "\n");
  }
  ranks.barrier();
  nlohmann::ordered_json result = read_result(path, fingerprint);
  if (result.is_null()) {
    throw Error("train", fmt::format("{}: expected what rank 0 has written, found something else; "
                                     "all ranks need the same folder",
                                     path.string()));
  }
  return result;
}

}  // namespace roundtrip
