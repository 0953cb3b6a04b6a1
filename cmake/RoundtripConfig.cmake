# find_package(Roundtrip): the targets Roundtrip::core, which has no torch in it, and
# Roundtrip::learn, which has everything (docs/how-to/install.md).
include(${CMAKE_CURRENT_LIST_DIR}/Dependencies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Torch.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/RoundtripTargets.cmake)
