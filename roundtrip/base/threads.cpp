#include "roundtrip/base/threads.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <sched.h>

namespace roundtrip {
namespace {

std::atomic<int64_t> limit{0};  // 0: none

// Far above any machine, as --threads has it: a slip of the keyboard starts no million threads.
constexpr int64_t kMostThreads = 4096;

}  // namespace

void limit_threads(std::optional<int64_t> threads) { limit = threads.value_or(0); }

std::optional<int64_t> thread_limit() {
  const int64_t set = limit;
  return set > 0 ? std::optional(set) : std::nullopt;
}

std::optional<int64_t> threads_from(const char* text) {
  if (text == nullptr) return std::nullopt;
  const char* const last = text + std::strlen(text);
  int64_t first = 0;
  const auto [end, error] = std::from_chars(text, last, first);
  const bool number = error == std::errc() && (end == last || *end == ',');
  return number && first >= 1 ? std::optional(std::min(first, kMostThreads)) : std::nullopt;
}

int64_t available_threads() {
  if (const auto set = thread_limit()) return *set;
  if (const auto set = threads_from(std::getenv("OMP_NUM_THREADS"))) return *set;
  return available_cores();
}

int64_t available_cores() {
  // The affinity mask, not the machine: containers and taskset often give fewer cores.
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return CPU_COUNT(&allowed);
  return std::max<int64_t>(1, std::thread::hardware_concurrency());
}

void parallel_for(int64_t count, int64_t threads, const std::function<void(int64_t)>& work) {
  std::atomic<int64_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::exception_ptr first_error;

  const auto run = [&] {
    while (!stop) {
      const int64_t i = next++;
      if (i >= count) return;
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!stop) first_error = std::current_exception();
        stop = true;
      }
    }
  };

  {
    std::vector<std::jthread> crew;
    try {
      for (int64_t t = 1; t < std::min(threads, count); ++t) crew.emplace_back(run);
    } catch (const std::system_error&) {
      // No more threads to be had: those that run, and this one, do it.
    }
    run();
  }
  if (first_error) std::rethrow_exception(first_error);
}

}  // namespace roundtrip
