#include "roundtrip/base/interrupt.h"

#include <csignal>
#include <ctime>

namespace roundtrip {
namespace {

volatile std::sig_atomic_t received = 0;
volatile time_t received_at = 0;  // seconds of the monotonic clock

// Someone who presses Ctrl-C again wants out now. timeout(1) and batch systems, though, signal the
// process and its group in one go: what comes within two ticks of the clock is the same request.
extern "C" void remember_signal(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);  // safe in a signal handler
  if (received != 0 && now.tv_sec - received_at >= 2) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  if (received == 0) received_at = now.tv_sec;
  received = signal;
}

}  // namespace

void catch_interrupts() {
  received = 0;
  std::signal(SIGINT, remember_signal);
  std::signal(SIGTERM, remember_signal);
}

int interrupt_signal() { return received; }

void stop_if_interrupted() {
  if (received != 0) throw Interrupted(received);
}

}  // namespace roundtrip
