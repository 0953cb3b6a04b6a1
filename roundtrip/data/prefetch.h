#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "roundtrip/base/error.h"

namespace roundtrip {

/// Makes items first, first + 1, ... in a thread of its own while the caller uses those before, at
/// most `depth` ahead, and hands them out in that order. One consumer.
///
///     Prefetch<LatentBatch> batches([&](int64_t i) { return make(i); }, step, steps);
///     while (std::optional<LatentBatch> batch = batches.next()) train(*batch);
template <class Item>
class Prefetch {
 public:
  static constexpr int64_t kEndless = std::numeric_limits<int64_t>::max();

  /// Items [first, end).
  Prefetch(std::function<Item(int64_t)> make, int64_t first, int64_t end = kEndless,
           int64_t depth = 2)
      : make_(std::move(make)), depth_(static_cast<size_t>(depth)), start_(Clock::now()) {
    ensure(depth >= 1, "prefetch: at least one item ahead");
    thread_ =
        std::jthread([this, first, end](const std::stop_token& stop) { work(stop, first, end); });
  }

  /// Stops after the item being made.
  ~Prefetch() {
    thread_.request_stop();
    // Under the lock, so that the thread is not between looking at the request and waiting.
    { const std::lock_guard lock(mutex_); }
    changed_.notify_all();
  }
  Prefetch(const Prefetch&) = delete;
  Prefetch& operator=(const Prefetch&) = delete;

  /// The next item, waiting for it when it is not ready; nothing after the last. What making it
  /// threw is thrown here, in its place, and at every call after that.
  std::optional<Item> next() {
    const Clock::time_point asked = Clock::now();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !ready_.empty() || ended_; });
    waited_ += Clock::now() - asked;
    if (ready_.empty()) {
      if (error_) std::rethrow_exception(error_);
      return std::nullopt;
    }
    std::optional<Item> item(std::move(ready_.front()));
    ready_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return item;
  }

  /// Of the time since construction, the share that `next` spent waiting: near 0 when making items
  /// keeps up.
  double waiting_fraction() const {
    const double all = std::chrono::duration<double>(Clock::now() - start_).count();
    return all > 0 ? std::chrono::duration<double>(waited_).count() / all : 0;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void work(const std::stop_token& stop, int64_t index, int64_t end) {
    std::unique_lock lock(mutex_);
    for (; index < end; ++index) {
      changed_.wait(lock, [&] { return ready_.size() < depth_ || stop.stop_requested(); });
      if (stop.stop_requested()) break;
      lock.unlock();
      std::optional<Item> item;
      std::exception_ptr error;
      try {
        item.emplace(make_(index));
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error) {
        error_ = error;
        break;
      }
      ready_.push_back(std::move(*item));
      changed_.notify_all();
    }
    ended_ = true;
    changed_.notify_all();
  }

  std::function<Item(int64_t)> make_;
  size_t depth_;
  Clock::time_point start_;
  Clock::duration waited_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> ready_;
  std::exception_ptr error_;
  bool ended_ = false;
  std::jthread thread_;  // last, so that it ends before what it uses
};

}  // namespace roundtrip
