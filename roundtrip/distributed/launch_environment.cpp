// torchrun comes first: it is often started by srun or mpirun, whose variables its workers inherit.
// mpirun comes before srun for the same reason.
#include "roundtrip/distributed/launch_environment.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

constexpr int64_t kUsualPort = 29500;

class Variables {
 public:
  explicit Variables(const EnvironmentLookup& lookup) : lookup_(lookup) {}

  // An empty variable counts as not set.
  std::optional<std::string> find(const std::string& name) const {
    std::optional<std::string> value = lookup_(name);
    if (value && value->empty()) return std::nullopt;
    return value;
  }

  bool has(const std::string& name) const { return find(name).has_value(); }

  std::string text(const std::string& name, std::string_view launcher) const {
    if (const auto value = find(name)) return *value;
    throw Error(
        "distributed",
        fmt::format("{}: expected it to be set as {}'s others are, found nothing", name, launcher));
  }

  int64_t number(const std::string& name, std::string_view launcher) const {
    const std::string word = text(name, launcher);
    int64_t value = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < 0) {
      throw Error("distributed",
                  fmt::format("{}: expected a whole number from 0, found {}", name, word));
    }
    return value;
  }

  int64_t number_or(const std::string& name, int64_t otherwise) const {
    return has(name) ? number(name, "") : otherwise;
  }

 private:
  const EnvironmentLookup& lookup_;
};

// Names of the variables that give a rank's place, for messages too.
struct PlaceNames {
  std::string rank, size, local_rank;
};

LaunchEnvironment read_place(const Variables& variables, const std::string& launcher,
                             const PlaceNames& names) {
  LaunchEnvironment place{.launcher = launcher,
                          .rank = variables.number(names.rank, launcher),
                          .size = variables.number(names.size, launcher),
                          .local_rank = variables.number_or(names.local_rank, 0)};
  if (place.size < 1) {
    throw Error("distributed", fmt::format("{}: expected at least 1, found 0", names.size));
  }
  if (place.rank >= place.size) {
    throw Error("distributed", fmt::format("{}: expected less than {} = {}, found {}", names.rank,
                                           names.size, place.size, place.rank));
  }
  if (place.local_rank >= place.size) {
    throw Error("distributed",
                fmt::format("{}: expected less than {} = {}, found {}", names.local_rank,
                            names.size, place.size, place.local_rank));
  }
  return place;
}

LaunchEnvironment from_torchrun(const Variables& variables) {
  LaunchEnvironment place = read_place(variables, "torchrun", {"RANK", "WORLD_SIZE", "LOCAL_RANK"});
  if (place.size == 1) return place;
  place.master_address = variables.text("MASTER_ADDR", "torchrun");
  place.master_port = variables.number("MASTER_PORT", "torchrun");
  place.master_is_served = variables.find("TORCHELASTIC_USE_AGENT_STORE") == "True";
  place.key_prefix = fmt::format("{}.{}", place.key_prefix,
                                 variables.find("TORCHELASTIC_RESTART_COUNT").value_or("0"));
  return place;
}

LaunchEnvironment from_open_mpi(const Variables& variables) {
  LaunchEnvironment place =
      read_place(variables, "openmpi",
                 {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"});
  if (place.size == 1) return place;
  const bool one_host = variables.number_or("OMPI_COMM_WORLD_LOCAL_SIZE", 0) == place.size;
  if (!one_host && !variables.has("MASTER_ADDR")) {
    throw Error(
        "distributed",
        "MASTER_ADDR: expected the host of rank 0, as the ranks are on several hosts, found "
        "nothing; pass it with mpirun -x MASTER_ADDR=HOST");
  }
  place.master_address = variables.find("MASTER_ADDR").value_or("127.0.0.1");
  place.master_port = variables.number_or("MASTER_PORT", kUsualPort);
  return place;
}

// "gpu[003-010,12],cpu1" -> "gpu003": of every bracket the first number.
std::string first_host(const std::string& nodes) {
  std::string host;
  bool inside = false, skipping = false;
  for (const char c : nodes) {
    if (c == '[') {
      inside = true;
    } else if (c == ']') {
      inside = skipping = false;
    } else if (inside) {
      skipping = skipping || c == '-' || c == ',';
      if (!skipping) host += c;
    } else if (c == ',') {
      break;
    } else {
      host += c;
    }
  }
  return host;
}

LaunchEnvironment from_slurm(const Variables& variables) {
  LaunchEnvironment place =
      read_place(variables, "slurm", {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"});
  if (place.size == 1) return place;
  if (const auto address = variables.find("MASTER_ADDR")) {
    place.master_address = *address;
  } else if (const auto nodes = variables.find("SLURM_STEP_NODELIST")) {
    place.master_address = first_host(*nodes);
  } else {
    place.master_address = first_host(variables.text("SLURM_JOB_NODELIST", "slurm"));
  }
  place.master_port = variables.has("MASTER_PORT")
                          ? variables.number("MASTER_PORT", "slurm")
                          : 20000 + variables.number("SLURM_JOB_ID", "slurm") % 10000;
  return place;
}

}  // namespace

std::optional<std::string> process_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

LaunchEnvironment read_launch_environment(const EnvironmentLookup& lookup) {
  const Variables variables(lookup);
  LaunchEnvironment place;
  if (variables.has("RANK") || variables.has("WORLD_SIZE")) {
    place = from_torchrun(variables);
  } else if (variables.has("OMPI_COMM_WORLD_RANK") || variables.has("OMPI_COMM_WORLD_SIZE")) {
    place = from_open_mpi(variables);
  } else if (variables.has("SLURM_STEP_NUM_TASKS")) {
    place = from_slurm(variables);
  }
  if (place.size > 1 && (place.master_port < 1 || place.master_port > 65535)) {
    throw Error("distributed", fmt::format("MASTER_PORT: expected between 1 and 65535, found {}",
                                           place.master_port));
  }
  place.network_interface = variables.find("GLOO_SOCKET_IFNAME").value_or("");
  return place;
}

}  // namespace roundtrip
