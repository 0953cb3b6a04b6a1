#include "roundtrip/base/interrupt.h"

#include <csignal>

namespace roundtrip {
namespace {

volatile std::sig_atomic_t received = 0;

extern "C" void remember_signal(int signal) {
  received = signal;
  // Someone who presses Ctrl-C twice wants out now.
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, remember_signal);
  std::signal(SIGTERM, remember_signal);
}

int interrupt_signal() { return received; }

void stop_if_interrupted() {
  if (received != 0) throw Interrupted(received);
}

}  // namespace roundtrip
