# Every library we use but torch; scripts/setup installs them as Debian's packages. Installed beside
# RoundtripConfig.cmake too: who links our archives links these.
if(TARGET Roundtrip::core_dependencies)
  return()
endif()
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)  # whoever adds us as a subdirectory links them as well
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
pkg_check_modules(TOML REQUIRED IMPORTED_TARGET GLOBAL tomlplusplus)
pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET GLOBAL fftw3)
pkg_check_modules(FFMPEG REQUIRED IMPORTED_TARGET GLOBAL
                  libavformat libavcodec libavutil libswscale)

add_library(Roundtrip::core_dependencies INTERFACE IMPORTED GLOBAL)
target_link_libraries(Roundtrip::core_dependencies INTERFACE
  fmt::fmt PkgConfig::TOML nlohmann_json::nlohmann_json yaml-cpp Eigen3::Eigen PNG::PNG ZLIB::ZLIB
  PkgConfig::FFTW PkgConfig::FFMPEG ${HDF5_C_LIBRARIES} Threads::Threads)
target_include_directories(Roundtrip::core_dependencies SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
