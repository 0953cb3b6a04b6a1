# cmake --install: programs, library, headers, models, presets, man page, shell completion, and what
# find_package(Roundtrip) reads.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Roundtrip)
set(shared_folder ${CMAKE_INSTALL_DATADIR}/roundtrip)

install(TARGETS roundtrip roundtrip_torch roundtrip_reader)
install(TARGETS roundtrip_core roundtrip_learn EXPORT RoundtripTargets)
install(DIRECTORY roundtrip DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
        PATTERN cli EXCLUDE)
install(DIRECTORY models configs DESTINATION ${shared_folder})

# The program writes its own man page and completions, so that they name what it understands.
set(pages ${PROJECT_BINARY_DIR}/pages)
install(CODE "file(MAKE_DIRECTORY ${pages})")
foreach(page man completion-bash completion-zsh)
  string(REPLACE "-" ";" words ${page})
  install(CODE "execute_process(COMMAND ${PROJECT_BINARY_DIR}/bin/roundtrip ${words}
                OUTPUT_FILE ${pages}/${page} COMMAND_ERROR_IS_FATAL ANY)")
endforeach()
install(FILES ${pages}/man DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME roundtrip.1)
install(FILES ${pages}/completion-bash RENAME roundtrip
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${pages}/completion-zsh RENAME _roundtrip
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

install(EXPORT RoundtripTargets NAMESPACE Roundtrip:: DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RoundtripConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES cmake/RoundtripConfig.cmake cmake/Dependencies.cmake cmake/Torch.cmake
              ${PROJECT_BINARY_DIR}/RoundtripConfigVersion.cmake DESTINATION ${package_folder})
