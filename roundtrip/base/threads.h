#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace roundtrip {

/// The number of threads to use when none is asked for: the limit set for the whole process, else
/// OMP_NUM_THREADS, else the cores this process may run on.
int64_t available_threads();
int64_t available_cores();

/// What a text of OMP_NUM_THREADS asks for. OpenMP takes one number per level of nesting, "4,2", of
/// which the first is ours; none where it is no number above 0, which OpenMP passes over.
std::optional<int64_t> threads_from(const char* text);

/// Sets that limit, also above the number of cores; nothing takes it away.
void limit_threads(std::optional<int64_t> threads);
std::optional<int64_t> thread_limit();

/// Calls `work(i)` for every i in [0, count), on `threads` threads, lowest i first. When a call
/// throws, no further ones are started and the first error is rethrown. Where the system refuses
/// to start that many threads, fewer do the work.
void parallel_for(int64_t count, int64_t threads, const std::function<void(int64_t)>& work);

}  // namespace roundtrip
