#include "roundtrip/base/json_text.h"

namespace roundtrip {
namespace {

template <class Json>
std::string text_of(const Json& value, int indent) {
  return value.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

}  // namespace

nlohmann::ordered_json read_json(std::string_view text) {
  return nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  return text_of(value, indent);
}

std::string json_text(const nlohmann::json& value, int indent) { return text_of(value, indent); }

}  // namespace roundtrip
