// Opens a bundle with its weights.
#include <cstdio>

#include "roundtrip/models/bundle.h"

int main(int, char** argv) {
  const roundtrip::Model model = roundtrip::read_bundle(argv[1]);
  std::printf("contexts %d\n", static_cast<int>(model.metadata.denoiser.contexts));
}
