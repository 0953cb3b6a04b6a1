# Flags every target of ours shares.
add_library(roundtrip_flags INTERFACE)
target_include_directories(roundtrip_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(roundtrip_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
# These two let sqrt and selections vectorise and change no value. Not -ffast-math: sums keep their
# order and NaN stays NaN.
target_compile_options(roundtrip_flags INTERFACE -fno-math-errno -fno-trapping-math)
if(ROUNDTRIP_NATIVE)
  target_compile_options(roundtrip_flags INTERFACE -march=native)
  # GCC before 14 calls its own AVX-512 intrinsics uninitialised wherever Eigen is inlined (its bug
  # 105593): fifteen thousand lines that hide what is ours. Other processors keep the warning.
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -march=native)
  check_cxx_source_compiles("#ifndef __AVX512F__
    #error
    #endif
    int main() {}" ROUNDTRIP_AVX512)
  unset(CMAKE_REQUIRED_FLAGS)
  if(ROUNDTRIP_AVX512 AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
     AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
    target_compile_options(roundtrip_flags INTERFACE -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
endif()
if(ROUNDTRIP_SANITIZE)
  target_compile_options(roundtrip_flags INTERFACE -fsanitize=address,undefined
                         -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(roundtrip_flags INTERFACE -fsanitize=address,undefined)
endif()
