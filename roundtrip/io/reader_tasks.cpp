#include "roundtrip/io/reader_tasks.h"

#include <utility>

#include <fmt/format.h>

#include "roundtrip/io/hdf5.h"
#include "roundtrip/io/hdf5_blocks.h"
#include "roundtrip/io/mat_variables.h"
#include "roundtrip/io/well_archive.h"
#include "roundtrip/io/well_create.h"

namespace roundtrip {
namespace {

std::string blocks(std::string_view arguments) {
  return read_blocks(unpack_bytes<BlockRequest>(arguments));
}

std::string hdf5_version(std::string_view) {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

std::string mat_values(std::string_view arguments) {
  const auto [path, name] = unpack_bytes<std::pair<std::string, std::string>>(arguments);
  return pack_bytes(read_mat_variable(path, name));
}

std::string mat_variables(std::string_view arguments) {
  return pack_bytes(describe_mat_variables(unpack_bytes<std::string>(arguments)));
}

std::string well_contents(std::string_view arguments) {
  return pack_bytes(read_well_contents(unpack_bytes<std::string>(arguments)));
}

std::string well_create(std::string_view arguments) {
  const auto [path, header] = unpack_bytes<std::pair<std::string, WellHeader>>(arguments);
  return pack_bytes(create_well_file(path, header));
}

std::string well_notes(std::string_view arguments) {
  const auto [path, notes] = unpack_bytes<std::pair<std::string, WellNotes>>(arguments);
  add_well_notes(path, notes);
  return {};
}

}  // namespace

const ReaderTasks& reader_tasks() {
  static const ReaderTasks tasks = {{"blocks", blocks},
                                    {"hdf5_version", hdf5_version},
                                    {"mat_values", mat_values},
                                    {"mat_variables", mat_variables},
                                    {"well_contents", well_contents},
                                    {"well_create", well_create},
                                    {"well_notes", well_notes}};
  return tasks;
}

}  // namespace roundtrip
