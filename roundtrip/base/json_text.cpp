#include "roundtrip/base/json_text.h"

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/nesting.h"

namespace roundtrip {
namespace {

using Handler = nlohmann::json::error_handler_t;

template <class Json>
std::string text_of(const Json& value, int indent) {
  try {
    return value.dump(indent, ' ', /*ensure_ascii=*/false, Handler::strict);
  } catch (const nlohmann::json::exception&) {
    throw Error("json", fmt::format("expected names and texts in UTF-8, found other bytes in {}; "
                                    "rename the file or change the text",
                                    value.dump(-1, ' ', false, Handler::replace).substr(0, 200)));
  }
}

}  // namespace

nlohmann::ordered_json read_json(std::string_view text) {
  if (json_nests_too_deep(text)) return nlohmann::ordered_json::value_t::discarded;
  return nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  return text_of(value, indent);
}

std::string json_text(const nlohmann::json& value, int indent) { return text_of(value, indent); }

std::string shown_json(const nlohmann::ordered_json& value, int indent) {
  return value.dump(indent, ' ', /*ensure_ascii=*/false, Handler::replace);
}

}  // namespace roundtrip
