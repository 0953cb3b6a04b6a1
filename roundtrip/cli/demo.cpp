// The Orszag-Tang vortex: shocks from smooth beginnings, the standard picture of a working MHD
// code.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/progress.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/formats/png.h"
#include "roundtrip/report/field_image.h"
#include "roundtrip/systems/mhd.h"

namespace roundtrip {
namespace {

struct DemoOptions {
  std::string out = "demo.png";
  int64_t resolution = 192;
  double end_time = 0.5;
  bool force = false;
  bool json = false;
};

/// The state of the box at one time.
struct Snapshot {
  double time = 0;
  int64_t steps = 0;
  double density_low = 0, density_high = 0;
  double kinetic = 0, magnetic = 0;  // energies, integrals over the box
  MhdTotals totals;
  double divergence = 0;  // max |div B| dx
};

Snapshot take_snapshot(const MhdSolver& solver) {
  const MhdFields fields = solver.fields();
  const auto [low, high] = std::minmax_element(fields.density.begin(), fields.density.end());
  Snapshot shot{.time = solver.time(),
                .steps = solver.steps(),
                .density_low = *low,
                .density_high = *high,
                .totals = solver.totals(),
                .divergence = solver.largest_divergence()};
  const auto cells = static_cast<double>(fields.density.size());
  for (size_t i = 0; i < fields.density.size(); ++i) {
    const double speed2 = std::pow(fields.velocity_x[i], 2) + std::pow(fields.velocity_y[i], 2);
    const double field2 = std::pow(fields.field_x[i], 2) + std::pow(fields.field_y[i], 2);
    shot.kinetic += 0.5 * fields.density[i] * speed2 / cells;
    shot.magnetic += 0.5 * field2 / cells;
  }
  return shot;
}

void draw(const MhdSolver& solver, const DemoOptions& options) {
  const MhdFields fields = solver.fields();
  const std::vector<std::pair<std::string, const std::vector<double>*>> shown = {
      {"density", &fields.density},          {"velocity x", &fields.velocity_x},
      {"magnetic field x", &fields.field_x}, {"total pressure", &fields.total_pressure},
      {"velocity y", &fields.velocity_y},    {"magnetic field y", &fields.field_y}};
  std::vector<std::vector<float>> values;
  std::vector<FieldPanel> panels;
  for (const auto& [title, field] : shown) {
    values.emplace_back(field->begin(), field->end());
    const bool signed_values = title.find("velocity") == 0 || title.find("magnetic") == 0;
    panels.push_back({.title = title,
                      .nx = options.resolution,
                      .ny = options.resolution,
                      .map = signed_values ? ColourMap::diverging : ColourMap::sequential});
  }
  for (size_t i = 0; i < panels.size(); ++i) panels[i].values = values[i];
  const std::string title = fmt::format("Orszag-Tang vortex, t = {:g}, {} x {} cells",
                                        solver.time(), options.resolution, options.resolution);
  write_png(options.out, draw_fields(panels, {.title = title, .columns = 3, .panel_size = 288}));
}

void print_snapshots(const std::vector<Snapshot>& shots) {
  std::vector<std::vector<std::string>> table = {{"TIME", "STEPS", "DENSITY", "KINETIC", "MAGNETIC",
                                                  "MASS CHANGE", "ENERGY CHANGE",
                                                  "MAX |DIV B| DX"}};
  const MhdTotals& start = shots.front().totals;
  for (const Snapshot& shot : shots) {
    table.push_back({fmt::format("{:.2f}", shot.time), fmt::format("{}", shot.steps),
                     fmt::format("{:.3f} to {:.3f}", shot.density_low, shot.density_high),
                     fmt::format("{:.4f}", shot.kinetic), fmt::format("{:.4f}", shot.magnetic),
                     fmt::format("{:.1e}", shot.totals.mass / start.mass - 1),
                     fmt::format("{:.1e}", shot.totals.energy / start.energy - 1),
                     fmt::format("{:.1e}", shot.divergence)});
  }
  print_table(table);
}

nlohmann::ordered_json to_rows(const std::vector<Snapshot>& shots) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Snapshot& shot : shots) {
    rows.push_back({{"time", shot.time},
                    {"steps", shot.steps},
                    {"density_min", shot.density_low},
                    {"density_max", shot.density_high},
                    {"kinetic_energy", shot.kinetic},
                    {"magnetic_energy", shot.magnetic},
                    {"mass", shot.totals.mass},
                    {"energy", shot.totals.energy},
                    {"max_div_b_dx", shot.divergence}});
  }
  return rows;
}

void run(const DemoOptions& options) {
  constexpr int64_t kRows = 5;
  if (!options.force && std::filesystem::exists(options.out)) {
    throw Error("demo", fmt::format("{}: exists already; --force replaces it", options.out));
  }
  catch_interrupts();
  const MhdGrid grid{.nx = options.resolution,
                     .ny = options.resolution,
                     .spacing = 1.0 / static_cast<double>(options.resolution)};
  const MhdScheme scheme;
  MhdInitialConfig initial;
  initial.kind = "orszag_tang";
  MhdSolver solver(grid, scheme, make_mhd_initial(initial, scheme.gamma, grid, TrajectoryKey{}));
  std::vector<Snapshot> shots = {take_snapshot(solver)};
  {
    constexpr int64_t kParts = 100;
    Progress progress("solving", "parts", kParts, progress_on_stderr());
    for (int64_t part = 1; part <= kParts; ++part) {
      stop_if_interrupted();
      if (!solver.advance_to(options.end_time * static_cast<double>(part) / kParts)) {
        throw Error("demo", fmt::format("the solution broke down at t = {:.4g}; an earlier "
                                        "--end-time helps",
                                        solver.time()));
      }
      progress.advance();
      if (part % (kParts / kRows) == 0) shots.push_back(take_snapshot(solver));
    }
  }
  draw(solver, options);
  if (options.json) {
    return print_json({.config = fmt::format("resolution = {}\nend_time = {}\n", options.resolution,
                                             options.end_time),
                       .seed = 0,
                       .data = {{"picture", options.out}}},
                      to_rows(shots));
  }
  fmt::print("The Orszag-Tang vortex, {} x {} cells\n", options.resolution, options.resolution);
  print_snapshots(shots);
  fmt::print("Picture: {}\n", options.out);
}

}  // namespace

Action declare_demo(Options& options) {
  auto chosen = std::make_shared<DemoOptions>();
  options.add("--out", chosen->out, "the picture to write (PNG)");
  options.add("--resolution", chosen->resolution, "cells along an axis", 4, 4096);
  options.add("--end-time", chosen->end_time, "solve until then", 0, 100);
  options.flag("--force", chosen->force, "replace the picture if it exists");
  options.flag("--json", chosen->json, "print one JSON object");
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip
