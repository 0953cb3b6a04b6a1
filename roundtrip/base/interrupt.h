#pragma once

#include <exception>

namespace roundtrip {

/// Thrown where long work notices that the user asked it to stop; unwinding removes temporary
/// files.
class Interrupted : public std::exception {
 public:
  /// `next` says how to go on.
  explicit Interrupted(int signal,
                       const char* next = "the same command continues where it left off")
      : signal_(signal), next_(next) {}
  const char* what() const noexcept override { return "stopped by a signal"; }
  int signal() const { return signal_; }
  const char* next() const { return next_; }

 private:
  int signal_;
  const char* next_;
};

/// From now on SIGINT and SIGTERM only set a flag; another one, seconds later, ends the program
/// at once. Signals that came before are forgotten.
void catch_interrupts();

/// The signal received since, or 0.
int interrupt_signal();

/// Throws Interrupted when a signal has come. Call it between units of work.
void stop_if_interrupted();

}  // namespace roundtrip
