#pragma once

#include <exception>

namespace roundtrip {

/// Thrown where long work notices that the user asked it to stop; unwinding removes temporary
/// files.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(int signal) : signal_(signal) {}
  const char* what() const noexcept override { return "stopped by a signal"; }
  int signal() const { return signal_; }

 private:
  int signal_;
};

/// From now on SIGINT and SIGTERM only set a flag; another one, seconds later, ends the program
/// at once. Signals that came before are forgotten.
void catch_interrupts();

/// The signal received since, or 0.
int interrupt_signal();

/// Throws Interrupted when a signal has come. Call it between units of work.
void stop_if_interrupted();

}  // namespace roundtrip
