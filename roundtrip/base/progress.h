#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace roundtrip {

/// Tells how far long work has come, with rate and time left. On a terminal one line that redraws
/// itself; elsewhere a plain line now and then. Silent for work shorter than two seconds.
/// Thread-safe.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  struct Options {
    bool terminal = false;                                // redraw one line instead of adding lines
    std::function<void(const std::string&)> write;        // where text goes
    std::function<Clock::time_point()> now = Clock::now;  // replaced in tests
    // Of the terminal: a line that wraps cannot be redrawn. None: as long as it is.
    std::function<int64_t()> columns = {};
  };

  /// `unit` is what is counted ("frames"), `total` how many there are.
  Progress(std::string label, std::string unit, int64_t total, Options options);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Counts `amount` more units as done.
  void advance(int64_t amount = 1);
  /// Counts `done` units in all; `note` is shown at the end of the line ("loss 0.412").
  void advance_to(int64_t done, const std::string& note = "");
  /// Counts `done` units as done before this work began: they do not enter the rate.
  void begin_at(int64_t done);

  /// "solving  45%  2700/6000 frames  312 frames/s  11 s left"
  std::string line() const;

 private:
  void show();
  std::string line_at(Clock::time_point now) const;

  std::string label_;
  std::string unit_;
  int64_t total_;
  Options options_;
  Clock::time_point start_;
  Clock::time_point last_shown_;
  int64_t done_ = 0;
  int64_t begun_at_ = 0;
  std::string note_;
  bool shown_ = false;
  mutable std::mutex mutex_;
};

/// Options for the user's standard error: a redrawing line when it is a terminal that can.
Progress::Options progress_on_stderr();

/// A bar on standard error that starts when it is first told of the work, and so how much it is.
/// Thread-safe.
class LateProgress {
 public:
  LateProgress(std::string label, std::string unit);
  ~LateProgress();

  /// One more unit of `total`.
  void advance(int64_t total);
  /// `done` units of `total`; those of the first call were done before and do not enter the rate.
  void advance_to(int64_t done, int64_t total);
  /// Units done before the first call.
  int64_t begun_at() const { return begun_at_; }
  /// Leaves the line as it is.
  void end() { bar_.reset(); }

 private:
  std::string label_;
  std::string unit_;
  int64_t begun_at_ = 0;
  std::unique_ptr<Progress> bar_;
  std::mutex mutex_;
};

/// "8 s", "3 min 20 s", "2 h 05 min"
std::string human_duration(double seconds);

}  // namespace roundtrip
