#include "roundtrip/data/split.h"

#include <string>
#include <vector>

#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"

namespace roundtrip {

std::string_view split_name(Split split) {
  switch (split) {
    case Split::train:
      return "train";
    case Split::selection:
      return "selection";
    case Split::calibration:
      return "calibration";
    case Split::test:
      return "test";
    case Split::other:
      return "other";
  }
  throw Bug("a split without a name");
}

Split parse_split(std::string_view name) {
  std::vector<std::string> known;
  for (const Split split : kSplits) {
    if (split_name(split) == name) return split;
    known.emplace_back(split_name(split));
  }
  throw Error("data", unknown_name("split", name, known));
}

}  // namespace roundtrip
