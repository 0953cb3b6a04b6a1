// Any bytes as records of a report: read them or refuse them with an Error, and what was read comes
// back from its own text.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "roundtrip/base/error.h"
#include "roundtrip/report/records_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace roundtrip;
  try {
    const Report report =
        parse_report(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
    ensure(parse_report(to_json_text(report), "fuzz") == report, "records come back");
  } catch (const Error&) {
  }
  return 0;
}
