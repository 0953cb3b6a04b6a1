# Writes OUTPUT, the definitions behind roundtrip/base/version.h.
execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=*
                WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE commit ERROR_QUIET
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT commit)
  set(commit "unknown")
endif()
set(text "#include \"roundtrip/base/version.h\"
namespace roundtrip {
const char* version() { return \"${VERSION}\"; }
const char* commit() { return \"${commit}\"; }
}  // namespace roundtrip
")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT text STREQUAL old)
  file(WRITE ${OUTPUT} "${text}")
endif()
