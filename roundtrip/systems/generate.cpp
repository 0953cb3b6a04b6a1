// Files are the unit of sharding and of resuming: the plan of files depends on the request alone,
// so any number of shards, threads and restarts ends in the same bytes.
#include "roundtrip/systems/generate.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/io/clips.h"
#include "roundtrip/io/well_folder.h"
#include "roundtrip/io/well_stats.h"
#include "roundtrip/systems/dataset_folder.h"
#include "roundtrip/systems/trajectory_file.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

DatasetFolder folder_of(const System& system, const GenerateRequest& request) {
  return {request.folder,
          {.system = request.name,
           .settings = system.settings(),
           .seed = request.seed,
           .size = request.size}};
}

constexpr const char* kAfterStop =
    "finished files are kept, the same command solves the others from their start "
    "(a smaller --per-file loses less)";

// Thrown in threads whose work no longer matters because another one failed; never seen outside.
struct Cancelled {};

// One file on its way: opened by its first trajectory, finished by its last.
struct FileJob {
  explicit FileJob(const DataFile& its_file) : file(its_file) {}
  const DataFile& file;
  FileReport report;
  std::unique_ptr<TrajectoryFile> open;
  int64_t remaining = 0;
  std::mutex mutex;
};

class Generator {
 public:
  Generator(const System& system, const GenerateRequest& request, const DatasetFolder& folder,
            const GenerateProgress& progress)
      : system_(system), request_(request), folder_(folder), progress_(progress) {}

  std::vector<FileReport> run(const std::vector<DataFile>& files) {
    for (const DataFile& file : files) add(file);
    try {
      parallel_for(static_cast<int64_t>(work_.size()), request_.threads,
                   [this](int64_t i) { solve(*work_[i].first, work_[i].second); });
    } catch (...) {
      if (cause_) std::rethrow_exception(cause_);
      throw;  // no trajectory's fault: threads that could not be started
    }
    std::vector<FileReport> reports;
    for (const auto& job : jobs_) reports.push_back(job->report);
    return reports;
  }

 private:
  void add(const DataFile& file) {
    auto job = std::make_unique<FileJob>(file);
    job->report.path = file.path;
    job->report.trajectories = static_cast<int64_t>(file.trajectories.size());
    job->remaining = job->report.trajectories;
    if (const auto made = folder_.find(file)) {
      job->report.kept = true;
      job->report.commit = made->commit;
      job->report.solve.redraws = made->redraws;
    } else {
      const auto frames = static_cast<int64_t>(system_.layout(file.group).times.size());
      total_frames_ += frames * job->report.trajectories;
      for (int64_t slot = 0; slot < job->report.trajectories; ++slot) {
        work_.emplace_back(job.get(), slot);
      }
    }
    jobs_.push_back(std::move(job));
  }

  void solve(FileJob& job, int64_t slot) {
    try {
      TrajectoryFile& out = open(job);
      close(job, solve_into(out, job.file, slot));
    } catch (...) {
      const std::lock_guard lock(cause_mutex_);
      if (!failed_) cause_ = std::current_exception();
      failed_ = true;
      throw;
    }
  }

  SolveReport solve_into(TrajectoryFile& out, const DataFile& file, int64_t slot) {
    int64_t stored = 0;
    return system_.solve(
        {.seed = request_.seed, .split = file.split, .index = file.trajectories[slot]},
        [&](int64_t frame, std::span<const float> values) {
          stop_if_interrupted();
          if (failed_) throw Cancelled();
          out.write_frame(slot, frame, values);
          if (frame < stored) return;  // again, after a redraw
          stored = frame + 1;
          if (progress_) progress_(++done_frames_, total_frames_);
        });
  }

  TrajectoryFile& open(FileJob& job) {
    const std::lock_guard lock(job.mutex);
    if (!job.open) {
      job.open =
          open_trajectory_file(system_, job.file, request_.folder, folder_.provenance(job.file));
    }
    return *job.open;
  }

  void close(FileJob& job, const SolveReport& solve) {
    const std::lock_guard lock(job.mutex);
    job.report.solve.steps += solve.steps;
    job.report.solve.redraws += solve.redraws;
    if (--job.remaining > 0) return;
    job.open->finish(job.report.solve.redraws);
    job.open.reset();
  }

  const System& system_;
  const GenerateRequest& request_;
  const DatasetFolder& folder_;
  const GenerateProgress& progress_;
  std::vector<std::unique_ptr<FileJob>> jobs_;
  std::vector<std::pair<FileJob*, int64_t>> work_;  // trajectories in plan order
  int64_t total_frames_ = 0;
  std::atomic<int64_t> done_frames_{0};
  std::atomic<bool> failed_{false};
  std::mutex cause_mutex_;
  std::exception_ptr cause_;  // the first failure, not what it made other threads throw
};

void write_clip_list(const System& system, const GenerateRequest& request,
                     const std::vector<DataFile>& plan) {
  std::vector<Clip> clips;
  for (const DataFile& file : plan) {
    clips.push_back(
        {.file = file.path,
         .identity = system.identity(
             {.seed = request.seed, .split = file.split, .index = file.trajectories.front()})});
  }
  write_clips(request.folder, clips);
}

}  // namespace

std::vector<FileReport> generate(const System& system, const GenerateRequest& request,
                                 const GenerateProgress& progress) {
  const std::vector<DataFile> plan = plan_files(system, request.size);
  if (plan.empty()) {
    throw Error("generate", "nothing to do: --train, --valid and --test are all 0");
  }
  const std::vector<DataFile> files = files_of_shard(plan, request.shard);
  const DatasetFolder folder = folder_of(system, request);
  folder.prepare(plan, files, request.force);
  if (request.shard.count == 1) folder.remove_leftovers();
  try {
    return Generator(system, request, folder, progress).run(files);
  } catch (const Interrupted& stopped) {  // between frames or inside a solver
    throw Interrupted(stopped.signal(), kAfterStop);
  }
}

void finish_dataset(const System& system, const GenerateRequest& request,
                    const GenerateProgress& progress) {
  const std::vector<DataFile> plan = plan_files(system, request.size);
  const DatasetFolder folder = folder_of(system, request);
  folder.check_manifest();
  for (const DataFile& file : plan) {
    if (!folder.find(file)) {
      throw Error("generate", fmt::format("{}: missing; run the shard that writes it first",
                                          (request.folder / file.path).string()));
    }
  }
  if (system.storage() == "video") return write_clip_list(system, request, plan);
  if (request.size.train == 0) return;  // Nothing to normalise by.
  std::atomic<int64_t> done{0};
  const auto trajectory_done = [&] {
    if (progress) progress(++done, request.size.train);
  };
  write_well_stats(
      request.folder / "stats.yaml",
      compute_well_stats(WellFolder(request.folder, "train"), request.threads, trajectory_done));
}

}  // namespace roundtrip
