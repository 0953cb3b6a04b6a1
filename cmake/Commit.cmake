# The commit in provenance: looked up at build time, rewritten only when it changes.
set(commit_script ${PROJECT_SOURCE_DIR}/cmake/write_commit.cmake)
set(commit_command ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}
    -DOUTPUT=${PROJECT_BINARY_DIR}/commit.cpp -DVERSION=${PROJECT_VERSION} -P ${commit_script})
execute_process(COMMAND ${commit_command})
add_custom_target(roundtrip_commit COMMAND ${commit_command}
                  BYPRODUCTS ${PROJECT_BINARY_DIR}/commit.cpp COMMENT "")
