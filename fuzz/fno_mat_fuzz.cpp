// Any elements behind a level-5 header read as FNO's data or are an Error. Level 7.3 is left to
// HDF5, which is not ours to fuzz. The first byte of the input picks the byte order.
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/memory_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/io/fno_mat.h"

using namespace roundtrip;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const bool big_endian = data[0] % 2 != 0;
  std::string bytes(124, ' ');
  bytes += big_endian ? std::string("\1\0MI", 4) : std::string("\0\1IM", 4);
  bytes.append(reinterpret_cast<const char*>(data) + 1, size - 1);
  const MemoryFile memory(bytes);
  try {
    const FnoMatReader reader(memory.path());
    const int64_t cells = reader.trajectories() * reader.height() * reader.width();
    std::vector<float> values(static_cast<size_t>(cells * reader.frames()));
    reader.read(0, reader.trajectories(), values);
    values.resize(static_cast<size_t>(reader.height() * reader.width()));
    if (reader.has_initial()) reader.read_initial(reader.trajectories() - 1, 1, values);
  } catch (const Error&) {  // what a user would be told
  }
  return 0;
}
