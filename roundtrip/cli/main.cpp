#include "roundtrip/cli/command.h"

int main(int argc, char** argv) { return roundtrip::run_program(argc, argv); }
