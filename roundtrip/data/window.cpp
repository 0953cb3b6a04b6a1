#include "roundtrip/data/window.h"

#include <algorithm>

#include "roundtrip/base/error.h"

namespace roundtrip {

Window window_at(int64_t target, int direction, int64_t contexts, int64_t anchor) {
  ensure(direction == 1 || direction == -1, "window: a direction of +1 or -1");
  ensure(contexts >= 1, "window: at least one context frame");
  ensure(direction * (target - anchor) >= 1, "window: an anchor before the target");
  Window window{.context = {}, .anchor = anchor, .target = target, .direction = direction};
  for (int64_t j = contexts; j >= 1; --j) {
    const int64_t frame = target - direction * j;
    window.context.push_back(direction > 0 ? std::max(frame, anchor) : std::min(frame, anchor));
  }
  return window;
}

std::vector<int64_t> padded_context(std::span<const int64_t> known, int64_t contexts,
                                    int64_t anchor) {
  ensure(contexts >= 1, "window: at least one context frame");
  std::vector<int64_t> context(static_cast<size_t>(contexts), anchor);
  const size_t taken = std::min(known.size(), context.size());
  std::copy(known.end() - static_cast<ptrdiff_t>(taken), known.end(),
            context.end() - static_cast<ptrdiff_t>(taken));
  return context;
}

}  // namespace roundtrip
