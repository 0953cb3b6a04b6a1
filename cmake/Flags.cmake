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
endif()
if(ROUNDTRIP_SANITIZE)
  target_compile_options(roundtrip_flags INTERFACE -fsanitize=address,undefined
                         -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(roundtrip_flags INTERFACE -fsanitize=address,undefined)
endif()
