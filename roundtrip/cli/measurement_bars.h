#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "roundtrip/base/progress.h"
#include "roundtrip/measurement/measure_parts.h"

namespace roundtrip {

/// A bar for each thing that gathering does, one after another.
class MeasurementBars {
 public:
  MeasuringProgress progress() {
    return [this](const std::string& what, const std::string& unit, int64_t done, int64_t total) {
      const std::lock_guard lock(mutex_);
      if (what != what_) bar_ = std::make_unique<LateProgress>(what, unit);
      what_ = what;
      bar_->advance_to(done, total);
    };
  }

 private:
  std::string what_;
  std::unique_ptr<LateProgress> bar_;
  std::mutex mutex_;
};

}  // namespace roundtrip
