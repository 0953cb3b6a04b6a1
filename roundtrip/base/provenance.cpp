#include "roundtrip/base/provenance.h"

#include "roundtrip/base/version.h"

namespace roundtrip {

nlohmann::ordered_json to_json(const Provenance& provenance) {
  return {{"version", version()},
          {"commit", commit()},
          {"config", provenance.config},
          {"seed", provenance.seed},
          {"data", provenance.data}};
}

}  // namespace roundtrip
