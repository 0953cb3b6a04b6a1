# Flags of everything in this folder and below; who uses the library has their own.
add_compile_options(-Wall -Wextra -Wshadow -Wnon-virtual-dtor)
# These two let sqrt and selections vectorise and change no value. Not -ffast-math: sums keep their
# order and NaN stays NaN.
add_compile_options(-fno-math-errno -fno-trapping-math)
if(ROUNDTRIP_UNITY)
  # Of several sources in a unit none is the main one, so every hidden type in a class is warned of.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # Its warnings of its own AVX-512 intrinsics (GCC bug 105593) and of strings put together (105329),
  # thousands of lines that hide what is ours.
  add_compile_options(-Wno-uninitialized -Wno-maybe-uninitialized -Wno-restrict
                      -Wno-stringop-overflow)
endif()
if(ROUNDTRIP_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
