# libtorch, on the OpenMP build of OpenBLAS.
#
# OpenBLAS's pthread build fights libtorch's OpenMP threads (a quarter of the speed). libtorch needs
# the soname libblas.so.3, which the system's alternatives may point anywhere; we link the OpenMP
# build of that soname ahead of it, with its folder in our run path, so that the loader has met the
# need before libtorch asks. The system's alternatives stay as they are.
if(TARGET Roundtrip::torch)
  return()
endif()
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
find_package(Torch REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)

find_file(ROUNDTRIP_BLAS libblas.so.3
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp
        /usr/lib/x86_64-linux-gnu/openblas-openmp /usr/lib/aarch64-linux-gnu/openblas-openmp
  NO_DEFAULT_PATH)

add_library(Roundtrip::torch INTERFACE IMPORTED GLOBAL)
if(ROUNDTRIP_BLAS)
  get_filename_component(blas_folder ${ROUNDTRIP_BLAS} DIRECTORY)
  target_link_options(Roundtrip::torch INTERFACE "LINKER:--no-as-needed"
                      ${blas_folder}/libblas.so.3 ${blas_folder}/liblapack.so.3
                      "LINKER:--as-needed" "LINKER:-rpath,${blas_folder}")
else()
  message(WARNING "libopenblas0-openmp not found: torch uses the system's BLAS. `roundtrip doctor` "
                  "measures it; scripts/setup installs the OpenMP build.")
endif()
# at::parallel_for runs on one thread in sources compiled without OpenMP.
target_link_libraries(Roundtrip::torch INTERFACE ${TORCH_LIBRARIES} OpenMP::OpenMP_CXX)
target_include_directories(Roundtrip::torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
