# Every library we use, by Debian's package; scripts/setup installs them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CLI11 REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
pkg_check_modules(TOML REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET fftw3)
pkg_check_modules(FFMPEG REQUIRED IMPORTED_TARGET libavformat libavcodec libavutil libswscale)

add_library(roundtrip_core_dependencies INTERFACE)
target_link_libraries(roundtrip_core_dependencies INTERFACE
  fmt::fmt PkgConfig::TOML nlohmann_json::nlohmann_json yaml-cpp Eigen3::Eigen PNG::PNG ZLIB::ZLIB
  PkgConfig::FFTW PkgConfig::FFMPEG ${HDF5_C_LIBRARIES} Threads::Threads)
target_include_directories(roundtrip_core_dependencies SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})

include(OpenBlas)
