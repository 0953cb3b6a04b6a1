// roundtrip-reader: the program in which libhdf5 works (docs/decisions/0010).
#include "roundtrip/io/reader_tasks.h"

int main(int argc, char** argv) {
  return roundtrip::run_reader(argc, argv, roundtrip::reader_tasks());
}
