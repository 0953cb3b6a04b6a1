#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace roundtrip {

/// An environment variable that has another value while this lives.
class EnvironmentValue {
 public:
  EnvironmentValue(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    ::setenv(name_.c_str(), value.c_str(), /*overwrite=*/1);
  }
  ~EnvironmentValue() {
    if (before_) {
      ::setenv(name_.c_str(), before_->c_str(), /*overwrite=*/1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }
  EnvironmentValue(const EnvironmentValue&) = delete;
  EnvironmentValue& operator=(const EnvironmentValue&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace roundtrip
