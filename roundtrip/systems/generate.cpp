// Files are the unit of sharding and of resuming: the plan of files depends on the request alone,
// so any number of shards, threads and restarts ends in the same bytes.
#include "roundtrip/systems/generate.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/provenance.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/formats/clips.h"
#include "roundtrip/formats/well_folder.h"
#include "roundtrip/formats/well_stats.h"
#include "roundtrip/systems/trajectory_file.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kManifest = "dataset.json";

Json provenance_of(const System& system, const GenerateRequest& request, Json data) {
  data["system"] = request.name;
  return to_json(
      Provenance{.config = system.settings(), .seed = request.seed, .data = std::move(data)});
}

Json manifest_of(const System& system, const GenerateRequest& request) {
  const DatasetSize& size = request.size;
  return provenance_of(system, request,
                       {{"train", size.train},
                        {"valid", size.valid},
                        {"test", size.test},
                        {"per_file", size.per_file}});
}

// The manifest ties a folder to its settings. Another commit of ours may continue a dataset; other
// settings may not.
void check_manifest(const fs::path& path, const Json& wanted) {
  Json found = Json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  if (!found.is_object()) {
    throw Error("generate", fmt::format("{}: not valid JSON; remove the folder or choose another",
                                        path.string()));
  }
  for (const char* key : {"config", "seed", "data"}) {
    if (found.value(key, Json()) == wanted.at(key)) continue;
    throw Error("generate",
                fmt::format("{}: the folder holds a dataset made with another {}; choose another "
                            "folder, or --force to replace its files",
                            path.string(), key));
  }
}

// Data files nobody asked for would silently become part of the dataset.
void check_strays(const fs::path& folder, const std::vector<DataFile>& plan) {
  std::set<fs::path> planned;
  for (const DataFile& file : plan) planned.insert(file.path);
  for (const char* split : {"train", "valid", "test"}) {
    const fs::path home = folder / "data" / split;
    if (!fs::is_directory(home)) continue;
    for (const auto& entry : fs::directory_iterator(home)) {
      const fs::path relative = fs::path("data") / split / entry.path().filename();
      const std::string extension = relative.extension();
      const bool data = extension == ".hdf5" || extension == ".h5" || extension == ".mp4";
      if (!data || AtomicFile::is_temporary(relative) || planned.contains(relative)) continue;
      throw Error("generate", fmt::format("{}: not part of this dataset; remove it or choose "
                                          "another folder",
                                          entry.path().string()));
    }
  }
}

// What a killed run left half-written. Shards may run on other machines, whose processes cannot be
// asked for from here: only a run without shards tidies up.
void remove_leftovers(const fs::path& folder) {
  for (const char* split : {"train", "valid", "test"}) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder / "data" / split, ignored)) {
      if (AtomicFile::is_abandoned(entry.path())) fs::remove(entry.path(), ignored);
    }
  }
}

void prepare_folder(const System& system, const GenerateRequest& request,
                    const std::vector<DataFile>& plan) {
  const fs::path manifest = request.folder / kManifest;
  const Json wanted = manifest_of(system, request);
  if (fs::exists(manifest) && !request.force) {
    check_manifest(manifest, wanted);
  }
  check_strays(request.folder, plan);
  if (request.shard.count == 1) remove_leftovers(request.folder);
  if (!fs::exists(manifest) || request.force) write_file(manifest, wanted.dump(2) + "\n");
}

// One file on its way: opened by its first trajectory, finished by its last.
struct FileJob {
  DataFile file;
  FileReport report;
  std::unique_ptr<TrajectoryFile> open;
  int64_t remaining = 0;
  std::mutex mutex;
};

class Generator {
 public:
  Generator(const System& system, const GenerateRequest& request, const GenerateProgress& progress)
      : system_(system), request_(request), progress_(progress) {}

  std::vector<FileReport> run(const std::vector<DataFile>& files) {
    for (const DataFile& file : files) add(file);
    parallel_for(static_cast<int64_t>(work_.size()), request_.threads,
                 [this](int64_t i) { solve(*work_[i].first, work_[i].second); });
    std::vector<FileReport> reports;
    for (const auto& job : jobs_) reports.push_back(job->report);
    return reports;
  }

 private:
  void add(const DataFile& file) {
    auto job = std::make_unique<FileJob>();
    job->file = file;
    job->report.path = file.path;
    job->report.trajectories = static_cast<int64_t>(file.trajectories.size());
    job->report.kept = !request_.force && fs::exists(request_.folder / file.path);
    job->remaining = job->report.trajectories;
    if (!job->report.kept) {
      const auto frames = static_cast<int64_t>(system_.layout(file.group).times.size());
      total_frames_ += frames * job->report.trajectories;
      for (int64_t slot = 0; slot < job->report.trajectories; ++slot) {
        work_.emplace_back(job.get(), slot);
      }
    }
    jobs_.push_back(std::move(job));
  }

  void solve(FileJob& job, int64_t slot) {
    const DataFile& file = job.file;
    TrajectoryFile& out = open(job);
    int64_t stored = 0;
    const SolveReport solve = system_.solve(
        {.seed = request_.seed, .split = file.split, .index = file.trajectories[slot]},
        [&](int64_t frame, std::span<const float> values) {
          stop_if_interrupted();
          out.write_frame(slot, frame, values);
          if (frame < stored) return;  // again, after a redraw
          stored = frame + 1;
          if (progress_) progress_(++done_frames_, total_frames_);
        });
    close(job, solve);
  }

  TrajectoryFile& open(FileJob& job) {
    const std::lock_guard lock(job.mutex);
    if (!job.open) {
      const Json provenance = provenance_of(
          system_, request_, {{"split", job.file.split}, {"trajectories", job.file.trajectories}});
      job.open = open_trajectory_file(system_, job.file, request_.folder, provenance.dump());
    }
    return *job.open;
  }

  void close(FileJob& job, const SolveReport& solve) {
    const std::lock_guard lock(job.mutex);
    job.report.solve.steps += solve.steps;
    job.report.solve.redraws += solve.redraws;
    if (--job.remaining > 0) return;
    job.open->finish();
    job.open.reset();
  }

  const System& system_;
  const GenerateRequest& request_;
  const GenerateProgress& progress_;
  std::vector<std::unique_ptr<FileJob>> jobs_;
  std::vector<std::pair<FileJob*, int64_t>> work_;  // trajectories in plan order
  int64_t total_frames_ = 0;
  std::atomic<int64_t> done_frames_{0};
};

void write_clip_list(const System& system, const GenerateRequest& request,
                     const std::vector<DataFile>& plan) {
  std::vector<Clip> clips;
  for (const DataFile& file : plan) {
    clips.push_back(
        {.file = file.path.generic_string(),
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
  prepare_folder(system, request, plan);
  return Generator(system, request, progress).run(files_of_shard(plan, request.shard));
}

void finish_dataset(const System& system, const GenerateRequest& request) {
  const std::vector<DataFile> plan = plan_files(system, request.size);
  check_manifest(request.folder / kManifest, manifest_of(system, request));
  for (const DataFile& file : plan) {
    const fs::path path = request.folder / file.path;
    if (!fs::exists(path)) {
      throw Error("generate",
                  fmt::format("{}: missing; run the shard that writes it first", path.string()));
    }
  }
  if (system.storage() == "video") return write_clip_list(system, request, plan);
  if (request.size.train == 0) return;  // Nothing to normalise by.
  write_well_stats(request.folder / "stats.yaml",
                   compute_well_stats(WellFolder(request.folder, "train"), request.threads));
}

}  // namespace roundtrip
