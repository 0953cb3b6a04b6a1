// Restriction of a finite-volume solution: what the scheme conserves is averaged, the primitive
// variables follow. Averaging them directly would create or lose momentum and energy.
#include "roundtrip/systems/mhd_average.h"

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

struct CellMeans {
  double rho = 0, mx = 0, my = 0, energy = 0, bx = 0, by = 0;

  void add(const MhdFields& fields, size_t cell, double gamma) {
    const double density = fields.density[cell];
    const double vx = fields.velocity_x[cell], vy = fields.velocity_y[cell];
    const double field_x = fields.field_x[cell], field_y = fields.field_y[cell];
    rho += density, mx += density * vx, my += density * vy, bx += field_x, by += field_y;
    energy += fields.gas_pressure[cell] / (gamma - 1) +
              0.5 * (density * (vx * vx + vy * vy) + field_x * field_x + field_y * field_y);
  }
  void divide(double cells) {
    for (double* sum : {&rho, &mx, &my, &energy, &bx, &by}) *sum /= cells;
  }
};

void append(const CellMeans& mean, double gamma, MhdFields& out) {
  const double vx = mean.mx / mean.rho, vy = mean.my / mean.rho;
  const double magnetic = 0.5 * (mean.bx * mean.bx + mean.by * mean.by);
  const double gas = (gamma - 1) * (mean.energy - 0.5 * mean.rho * (vx * vx + vy * vy) - magnetic);
  out.density.push_back(mean.rho);
  out.total_pressure.push_back(gas + magnetic);
  out.gas_pressure.push_back(gas);
  out.velocity_x.push_back(vx);
  out.velocity_y.push_back(vy);
  out.field_x.push_back(mean.bx);
  out.field_y.push_back(mean.by);
}

}  // namespace

MhdFields average_cells(const MhdFields& fine, const MhdGrid& grid, int64_t factor, double gamma) {
  ensure(factor >= 1 && grid.nx % factor == 0 && grid.ny % factor == 0,
         "mhd: a grid to average that is no multiple of the factor");
  if (factor == 1) return fine;
  MhdFields out;
  for (int64_t i = 0; i < grid.nx; i += factor) {
    for (int64_t j = 0; j < grid.ny; j += factor) {
      CellMeans mean;
      for (int64_t a = i; a < i + factor; ++a) {
        for (int64_t b = j; b < j + factor; ++b) {
          mean.add(fine, static_cast<size_t>(a * grid.ny + b), gamma);
        }
      }
      mean.divide(static_cast<double>(factor * factor));
      append(mean, gamma, out);
    }
  }
  return out;
}

}  // namespace roundtrip
