#include "roundtrip/trust/round_trip.h"

#include <numeric>

namespace roundtrip {
namespace {

class RoundTrip final : public Signal {
 public:
  using Signal::Signal;

  void reached(int64_t depth) override {
    if (!run().recorded(depth)) return;
    const int64_t n = run().pool->stepper().contexts();
    const int64_t window = seed_window(run().course, n);
    const int64_t made = std::min(depth, window);  // seeds the leg regenerates
    run().ask_return(depth, depth, [=, this](int64_t step, const torch::Tensor& context) {
      if (step < depth) return;
      const double sum = sum_of_errors(context, run().course.seeds - window, made);
      run().record("C", depth, sum / static_cast<double>(made));
      run().record("C_over_n", depth, sum / static_cast<double>(window));
      // With n predicted frames to see there is nothing to withhold.
      if (made == window) run().record("C_leakfree", depth, sum / static_cast<double>(made));
    });
    if (made < window) add_leak_free(depth, n);
  }

 private:
  // It sees `depth` predicted frames, so its steps regenerate the newest seeds.
  void add_leak_free(int64_t depth, int64_t n) {
    Leg leg = return_leg(run().course, n, depth, depth, /*first_seen=*/run().course.seeds);
    leg.stepped = [this, depth](int64_t step, const torch::Tensor& context) {
      if (step < depth) return;
      run().record(
          "C_leakfree", depth,
          sum_of_errors(context, run().course.seeds - depth, depth) / static_cast<double>(depth));
    };
    run().pool->add(std::move(leg));
  }

  // Of the `count` seeds from position `first` on, which the context returned.
  double sum_of_errors(const torch::Tensor& context, int64_t first, int64_t count) const {
    const auto errors = error().each(in_course_order(context).narrow(0, 0, count),
                                     run().course.frames.narrow(0, first, count));
    return std::accumulate(errors.begin(), errors.end(), 0.0);
  }
};

}  // namespace

std::unique_ptr<Signal> make_round_trip(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<RoundTrip>(setup, run);
}

}  // namespace roundtrip
