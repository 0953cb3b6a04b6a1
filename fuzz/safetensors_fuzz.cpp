// Any bytes open as a safetensors file whose tensors can all be read, or are an Error. The input is
// a header and data; the length field is put in front, since random ones end at the first check.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/memory_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/io/safetensors.h"

using namespace roundtrip;

namespace {

void read_all(const SafetensorsFile& file) {
  for (const TensorInfo& tensor : file.tensors()) {
    std::vector<std::byte> bytes(tensor.byte_count());
    file.read_bytes(tensor, bytes);
    ensure(static_cast<uint64_t>(tensor.elements() * element_size(tensor.type)) == bytes.size(),
           "elements fill the bytes");
    try {
      std::vector<float> values(static_cast<size_t>(tensor.elements()));
      file.read_floats(tensor, values);
    } catch (const Error&) {  // not of a floating-point type
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // The header ends at the last brace, if there is one; the rest is data.
  const std::string input(reinterpret_cast<const char*>(data), size);
  const uint64_t length = input.rfind('}') == std::string::npos ? size : input.rfind('}') + 1;
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  const MemoryFile memory(bytes + input);
  try {
    read_all(SafetensorsFile(memory.path()));
  } catch (const Error&) {  // what a user would be told
  }
  return 0;
}
