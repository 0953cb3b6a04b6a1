#include "roundtrip/systems/systems.h"

namespace roundtrip {

const Catalog<SystemRow>& systems() {
  static const Catalog<SystemRow> rows = {};
  return rows;
}

std::unique_ptr<System> make_system(std::string_view name, std::string_view preset,
                                    const std::vector<std::string>& overrides) {
  return find_row(systems(), "system", name).make(preset, overrides);
}

}  // namespace roundtrip
