// libtorch's own c10d with its Gloo backend. Gloo notices a peer whose process ended by its closed
// connections, at once, and one that hangs or whose host is gone by the time limit.
#include "roundtrip/distributed/process_group.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#ifndef USE_C10D_GLOO
#define USE_C10D_GLOO  // opens the header; Debian's libtorch is built with it
#endif
#include <fmt/format.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/types.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

// c10's messages carry a call stack below their first line.
std::string first_line(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

class DoneWork : public Work {
 public:
  void wait() override {}
};

class OneRank : public ProcessGroup {
 public:
  int64_t rank() const override { return 0; }
  int64_t size() const override { return 1; }
  std::unique_ptr<Work> all_reduce_async(torch::Tensor /*tensor*/) override {
    return std::make_unique<DoneWork>();
  }
  void broadcast(torch::Tensor /*tensor*/, int64_t root) override {
    ensure(root == 0, "broadcast: no such rank");
  }
  void barrier() override {}
};

// Who waits for whom, for messages.
struct Place {
  int64_t rank;
  double seconds;

  // Runs `action`; an Error explains what a failure of Gloo means.
  void attempt(const char* operation, const std::function<void()>& action) const {
    try {
      action();
    } catch (const std::exception& error) {
      throw Error("distributed",
                  fmt::format("rank {}: {}: a peer stopped answering (expected within {} s); look "
                              "for the rank that failed first and restart the job ({})",
                              rank, operation, seconds, first_line(error)));
    }
  }
};

class GlooWork : public Work {
 public:
  GlooWork(Place place, const char* operation, c10::intrusive_ptr<c10d::Work> work)
      : place_(place), operation_(operation), work_(std::move(work)) {}

  void wait() override {
    place_.attempt(operation_, [&] { work_->wait(); });
  }

 private:
  Place place_;
  const char* operation_;
  c10::intrusive_ptr<c10d::Work> work_;
};

class GlooRanks : public ProcessGroup {
 public:
  GlooRanks(Place place, c10::intrusive_ptr<c10d::ProcessGroupGloo> group)
      : place_(place), group_(std::move(group)) {}

  int64_t rank() const override { return group_->getRank(); }
  int64_t size() const override { return group_->getSize(); }

  std::unique_ptr<Work> all_reduce_async(torch::Tensor tensor) override {
    std::vector<torch::Tensor> tensors = {checked(tensor)};
    return start("all_reduce", [&] { return group_->allreduce(tensors); });
  }

  void broadcast(torch::Tensor tensor, int64_t root) override {
    ensure(root >= 0 && root < size(), "broadcast: no such rank");
    std::vector<torch::Tensor> tensors = {checked(tensor)};
    c10d::BroadcastOptions options;
    options.rootRank = root;
    start("broadcast", [&] { return group_->broadcast(tensors, options); })->wait();
  }

  void barrier() override {
    start("barrier", [&] { return group_->barrier(); })->wait();
  }

 private:
  static torch::Tensor checked(const torch::Tensor& tensor) {
    ensure(tensor.is_contiguous() && tensor.device().is_cpu(),
           "ProcessGroup: expected a contiguous tensor on the CPU");
    return tensor.detach();
  }

  std::unique_ptr<Work> start(const char* operation,
                              const std::function<c10::intrusive_ptr<c10d::Work>()>& action) {
    c10::intrusive_ptr<c10d::Work> work;
    place_.attempt(operation, [&] { work = action(); });
    return std::make_unique<GlooWork>(place_, operation, std::move(work));
  }

  Place place_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
};

// Ranks that meet on the loopback address are on one host and talk there: its name need not
// resolve. Otherwise Gloo binds to the address of the host's name unless told the interface.
std::shared_ptr<::gloo::transport::Device> device_for(const LaunchEnvironment& environment) {
  using Gloo = c10d::ProcessGroupGloo;
  if (!environment.network_interface.empty()) {
    return Gloo::createDeviceForInterface(environment.network_interface);
  }
  const std::string& master = environment.master_address;
  if (master == "localhost" || master == "::1" || master.starts_with("127.")) {
    return Gloo::createDeviceForHostname(master);
  }
  return Gloo::createDefaultDevice();
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<int64_t>(std::ceil(seconds * 1000)));
}

// The meeting place: returns once every rank has come to it.
c10::intrusive_ptr<c10d::Store> meet(const LaunchEnvironment& environment, double seconds) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(environment.master_port);
  options.isServer = environment.rank == 0 && !environment.master_is_served;
  options.numWorkers = static_cast<size_t>(environment.size);
  options.waitWorkers = false;  // does not wait where torchrun serves the place
  options.timeout = milliseconds(std::ceil(seconds));  // less than a second would count as none
  const auto place = c10::make_intrusive<c10d::TCPStore>(environment.master_address, options);
  auto store = c10::make_intrusive<c10d::PrefixStore>(environment.key_prefix, place);
  std::vector<std::string> arrivals;
  for (int64_t rank = 0; rank < environment.size; ++rank) {
    arrivals.push_back(fmt::format("arrived.{}", rank));
  }
  store->set(arrivals[static_cast<size_t>(environment.rank)], std::vector<uint8_t>{1});
  store->wait(arrivals, milliseconds(seconds));
  return store;
}

c10::intrusive_ptr<c10d::ProcessGroupGloo> connect(const LaunchEnvironment& environment,
                                                   const c10::intrusive_ptr<c10d::Store>& store,
                                                   double timeout_seconds) {
  auto options = c10d::ProcessGroupGloo::Options::create(milliseconds(timeout_seconds));
  options->devices.push_back(device_for(environment));
  return c10::make_intrusive<c10d::ProcessGroupGloo>(store, static_cast<int>(environment.rank),
                                                     static_cast<int>(environment.size), options);
}

}  // namespace

std::unique_ptr<ProcessGroup> make_process_group(const LaunchEnvironment& environment,
                                                 double timeout_seconds, double meeting_seconds) {
  ensure(timeout_seconds > 0 && meeting_seconds > 0,
         "make_process_group: expected positive time limits");
  if (environment.size == 1) return std::make_unique<OneRank>();
  try {
    const auto store = meet(environment, meeting_seconds);
    return std::make_unique<GlooRanks>(Place{environment.rank, timeout_seconds},
                                       connect(environment, store, timeout_seconds));
  } catch (const std::exception& error) {
    throw Error("distributed",
                fmt::format("rank {}: expected to meet {} ranks at {}:{} within {} s, found: {}; "
                            "check MASTER_ADDR, MASTER_PORT and that every rank was started, or "
                            "name the network with GLOO_SOCKET_IFNAME",
                            environment.rank, environment.size, environment.master_address,
                            environment.master_port, meeting_seconds, first_line(error)));
  }
}

}  // namespace roundtrip
