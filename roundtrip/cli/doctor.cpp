// What decides the speed of this machine for us, and what is wrong with it if something is.
#include <chrono>
#include <fstream>
#include <vector>

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <fftw3.h>
#include <fmt/format.h>
#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/utils.h>
#include <torch/version.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/machine_load.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/base/version.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/io/reader_call.h"
#include "roundtrip/io/reader_process.h"

namespace roundtrip {
namespace {

/// One line of the doctor's findings; `warning` is empty when all is well.
struct Finding {
  std::string name;
  std::string value;
  std::string warning = {};
};

// The path of a loaded library whose name contains `part`, or "".
std::string loaded_library(std::string_view part) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    const size_t slash = line.find('/');
    if (slash != std::string::npos && line.find(part, line.rfind('/')) != std::string::npos) {
      return line.substr(slash);
    }
  }
  return "";
}

Finding find_blas() {
  const std::string path = loaded_library("libopenblas");
  if (path.empty()) {
    return {"blas", loaded_library("libblas"),
            "not OpenBLAS: matrix products are slow; scripts/setup installs libopenblas0-openmp"};
  }
  // 0 = sequential, 1 = own threads, 2 = OpenMP.
  using GetParallel = int (*)();
  const auto get_parallel =
      reinterpret_cast<GetParallel>(dlsym(RTLD_DEFAULT, "openblas_get_parallel"));
  if (get_parallel != nullptr && get_parallel() != 2) {
    return {"blas", path,
            "not the OpenMP build: it fights libtorch's threads (a quarter of the speed); "
            "install libopenblas0-openmp and build again"};
  }
  return {"blas", path + " (OpenMP)"};
}

// Best of several repeats: the machine may be doing something else.
template <class Work>
double best_seconds(int repeats, Work work) {
  double best = 1e30;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best;
}

double sgemm_gflops(int64_t threads) {
  constexpr int64_t n = 2048;
  at::set_num_threads(static_cast<int>(threads));
  const torch::Tensor a = torch::rand({n, n});
  const torch::Tensor b = torch::rand({n, n});
  torch::Tensor c = torch::empty({n, n});
  const double seconds = best_seconds(4, [&] { torch::mm_out(c, a, b); });
  return 2.0 * n * n * n / seconds * 1e-9;
}

double copy_gigabytes_per_second() {
  constexpr int64_t n = 1 << 26;  // 256 MB each way, far beyond the caches
  const torch::Tensor from = torch::ones({n});
  torch::Tensor to = torch::empty({n});
  const double seconds = best_seconds(4, [&] { to.copy_(from); });
  return 2.0 * sizeof(float) * n / seconds * 1e-9;
}

Finding find_hdf5() {
  try {
    const std::string version =
        call_reader({.task = "hdf5_version", .on = "HDF5", .advice = "build it again"}, "");
    return {"hdf5", fmt::format("{} in {}", version, reader_program().string())};
  } catch (const Error& error) {
    return {"hdf5", "no data file can be read", error.what()};
  }
}

std::string warning_of_threads(const char* asked) {
  const auto threads = threads_from(asked);
  if (!threads) return "no number of threads: it is passed over; set 1 or more";
  return *threads <= available_cores() ? ""
                                       : "more than the cores of this process: threads will wait";
}

// Before we add to it ourselves.
Finding find_load() {
  const MachineLoad load = machine_load();
  return {"load", fmt::format("{:.1f} on {} cores", load.threads, load.cores), busy_note(load)};
}

std::vector<Finding> examine() {
  const int64_t threads = available_threads();
  std::vector<Finding> findings = {
      {"roundtrip", fmt::format("{} ({})", version(), commit())},
      {"libtorch", TORCH_VERSION},
      find_hdf5(),
      {"fftw", fftw_version},
      find_blas(),
      {"threads", fmt::format("{}", threads)},
      find_load(),
      {"devices", torch::cuda::is_available()
                      ? fmt::format("cpu, {} cuda", torch::cuda::device_count())
                      : "cpu"},
  };
  if (const char* asked = std::getenv("OMP_NUM_THREADS"); asked != nullptr) {
    findings.push_back({"OMP_NUM_THREADS", asked, warning_of_threads(asked)});
  }
  const char* waiting = std::getenv("OMP_WAIT_POLICY");
  findings.push_back({"OMP_WAIT_POLICY", waiting != nullptr ? waiting : "not set"});
  const double one = sgemm_gflops(1);
  const double all = sgemm_gflops(threads);
  findings.push_back({"sgemm, 1 thread", fmt::format("{:.0f} GFLOP/s", one)});
  findings.push_back(
      {"sgemm, all threads", fmt::format("{:.0f} GFLOP/s", all),
       all < 0.6 * static_cast<double>(threads) * one
           ? "threads help little: another program is using the cores, or the BLAS does not scale"
           : ""});
  findings.push_back({"memory copy", fmt::format("{:.1f} GB/s", copy_gigabytes_per_second())});
  return findings;
}

void run(bool json) {
  const std::vector<Finding> findings = examine();
  if (json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Finding& finding : findings) {
      rows.push_back(
          {{"name", finding.name}, {"value", finding.value}, {"warning", finding.warning}});
    }
    return print_json({}, rows);
  }
  std::vector<std::vector<std::string>> table;
  int warnings = 0;
  for (const Finding& finding : findings) {
    table.push_back({finding.name, finding.value});
    if (finding.warning.empty()) continue;
    table.push_back({"  warning", finding.warning});
    ++warnings;
  }
  print_table(table);
  fmt::print("{}\n", warnings == 0 ? "No warnings." : fmt::format("{} warning(s).", warnings));
}

}  // namespace

Action declare_doctor(Options& options) {
  auto json = std::make_shared<bool>(false);
  options.flag("--json", *json, "print one JSON object");
  return [json] { run(*json); };
}

}  // namespace roundtrip
