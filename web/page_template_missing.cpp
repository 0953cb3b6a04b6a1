// What a build without Node.js links in place of the page.
#include "roundtrip/report/page_template.h"

namespace roundtrip {

std::string_view page_template() { return {}; }

}  // namespace roundtrip
