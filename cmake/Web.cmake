# The report page: web/ built by Node.js into one HTML file, embedded in a target of its own, so
# that nothing else waits for Node. Without it that holds an empty page (same symbol).
set(web_least 18)  # Debian 12's
find_program(NODE node nodejs)
find_program(NPM npm)
set(node_version 0)
if(NODE)
  execute_process(COMMAND ${NODE} --version OUTPUT_VARIABLE node_words ERROR_QUIET)
  string(REGEX MATCH "[0-9.]+" node_version "${node_words}")
endif()
if(NPM AND node_version VERSION_GREATER_EQUAL web_least)
  set(web_default ON)
else()
  set(web_default OFF)
endif()
if(NOT web_default AND NOT DEFINED ROUNDTRIP_WEB)
  message(STATUS "No Node.js ${web_least} or newer with npm: building without the report page")
endif()
option(ROUNDTRIP_WEB "Build the report page (needs Node.js ${web_least} or newer, and npm)"
       ${web_default})

set(web_folder ${PROJECT_SOURCE_DIR}/web)
set(web_modules ${web_folder}/node_modules/.package-lock.json)  # npm writes it last
if(ROUNDTRIP_WEB)
  if(NOT web_default)
    message(FATAL_ERROR "ROUNDTRIP_WEB needs Node.js ${web_least} or newer and npm; scripts/setup "
                        "installs them, and -DROUNDTRIP_WEB=OFF builds without the report page.")
  endif()
  add_custom_command(
    OUTPUT ${web_modules}
    COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${web_modules}
    DEPENDS ${web_folder}/package.json ${web_folder}/package-lock.json
    WORKING_DIRECTORY ${web_folder}
    COMMENT "Installing the front end's modules (npm ci; -DROUNDTRIP_WEB=OFF builds without)"
    VERBATIM)
  file(GLOB web_sources CONFIGURE_DEPENDS ${web_folder}/src/*.ts ${web_folder}/src/*.css)
  set(page_source ${PROJECT_BINARY_DIR}/web/page_template.cpp)
  add_custom_command(
    OUTPUT ${page_source} ${PROJECT_BINARY_DIR}/web/page.html
    COMMAND ${NODE} ${web_folder}/build.mjs ${PROJECT_BINARY_DIR}/web
    DEPENDS ${web_sources} ${web_folder}/build.mjs ${web_folder}/template.html
            ${web_folder}/tsconfig.json ${web_modules}
    COMMENT "Building the report page"
    VERBATIM)
else()
  set(page_source ${web_folder}/page_template_missing.cpp)
endif()
add_library(roundtrip_page OBJECT ${page_source})
target_include_directories(roundtrip_page PRIVATE ${PROJECT_SOURCE_DIR})
