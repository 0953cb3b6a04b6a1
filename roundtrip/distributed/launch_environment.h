#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace roundtrip {

/// Looks up an environment variable; nothing when it is not set.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;

/// The variables of this process.
std::optional<std::string> process_environment(const std::string& name);

/// This process's place among those that a launcher started for one job.
struct LaunchEnvironment {
  std::string launcher = "none";  // "torchrun", "openmpi", "slurm", or "none": one process
  int64_t rank = 0;
  int64_t size = 1;
  int64_t local_rank = 0;  // among the processes of this host
  std::string master_address = "";
  int64_t master_port = 0;  // where the ranks meet
  // Torchrun's own process may already serve the meeting place; the key tells restarts apart.
  bool master_is_served = false;
  std::string key_prefix = "roundtrip";
  std::string network_interface = "";  // GLOO_SOCKET_IFNAME; "" = chosen by the host's name
};

/// Reads, by the first that is there:
/// - torchrun's (and PyTorch's standard) RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT;
/// - Open MPI's OMPI_COMM_WORLD_RANK, _SIZE, _LOCAL_RANK. MASTER_ADDR may be left out when all
///   ranks are on one host, MASTER_PORT is 29500 unless set;
/// - srun's SLURM_PROCID, SLURM_STEP_NUM_TASKS, SLURM_LOCALID. Unless set, MASTER_ADDR is the first
///   host of the step's (or job's) node list, and MASTER_PORT 20000 + job id mod 10000. A batch
///   script carries SLURM_PROCID and SLURM_NTASKS too, but is one process: those are not enough.
/// With none of them this is the only process. A variable that is missing, no number, or
/// contradicts another is an Error that names it.
LaunchEnvironment read_launch_environment(const EnvironmentLookup& lookup = process_environment);

}  // namespace roundtrip
