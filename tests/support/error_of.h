#pragma once

#include <functional>
#include <string>

#include "roundtrip/base/error.h"

namespace roundtrip {

/// The message of the Error that `action` throws, or "no error".
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace roundtrip
