// Each degree of freedom is an Ornstein-Uhlenbeck process of second order,
//
//     dy = -a y dt + sqrt(2 a) dW,    dx = a (y - x) dt,
//
// so x has a velocity: it glides, where a process of first order would tremble. The pair is
// Gaussian and linear and is stepped exactly, from its stationary law, so its statistics do not
// depend on the frame rate. Speech is such a process, fast, gated by a slow one; blinks come at
// random times.
#include "roundtrip/systems/talking_head_motion.h"

#include <array>
#include <cmath>
#include <numbers>

#include "roundtrip/systems/talking_head_paint.h"

namespace roundtrip::talking_head {
namespace {

// One process: what a standard deviation of 1 moves comes where it is used.
enum Process : size_t {
  kX,
  kY,
  kTilt,
  kTurn,
  kNod,
  kZoom,
  kGazeX,
  kGazeY,
  kBrows,
  kMouthWidth,
  kSmile,
  kSpeech,
  kSyllable,
  kProcesses
};

// Rates a in 1/s; correlation falls to a half after about 1.7 / a.
constexpr std::array<double, kProcesses> kRates = {1.2, 1.4, 1.5, 1.6, 2.0, 0.8, 4.0,
                                                   4.0, 2.5, 6.0, 0.8, 1.8, 14.0};

class SmoothProcess {
 public:
  SmoothProcess(double rate, double interval) : decay_(std::exp(-rate * interval)) {
    const double mixing = rate * interval;
    shift_ = decay_ * mixing;
    // Stationary covariance: yy = 1, xy = xx = 1/2. What a step adds is P - F P F'.
    const double add_yy = 1 - decay_ * decay_;
    const double moved_xy = decay_ * (0.5 * decay_ + shift_);
    const double moved_xx = 0.5 * decay_ * decay_ + decay_ * shift_ + shift_ * shift_;
    noise_yy_ = std::sqrt(add_yy);
    noise_xy_ = (0.5 - moved_xy) / noise_yy_;
    noise_xx_ = std::sqrt(std::max(0.0, 0.5 - moved_xx - noise_xy_ * noise_xy_));
  }

  // z1 and z2 are independent standard normal draws.
  void start(double z1, double z2) {
    y_ = z1;
    x_ = 0.5 * z1 + 0.5 * z2;  // covariance as above
  }
  void step(double z1, double z2) {
    x_ = decay_ * x_ + shift_ * y_ + noise_xy_ * z1 + noise_xx_ * z2;
    y_ = decay_ * y_ + noise_yy_ * z1;
  }
  double value() const { return std::numbers::sqrt2 * x_; }  // unit variance

 private:
  double decay_, shift_, noise_yy_, noise_xy_, noise_xx_;
  double x_ = 0, y_ = 0;
};

// Eyes close and open again as the square of a cosine, in about a quarter of a second.
class Blinks {
 public:
  Blinks(const RandomStream& stream, uint64_t first_draw)
      : stream_(stream), draw_(first_draw), next_(stream.uniform(first_draw, 0.2, 3)) {}

  // How far open at `time`; times must not decrease.
  double open_at(double time) {
    while (time > next_ + kHalfWidth) next_ += stream_.uniform(++draw_, 1.2, 4.5);
    const double distance = std::abs(time - next_) / kHalfWidth;
    if (distance >= 1) return 1;
    const double wave = std::cos(0.5 * std::numbers::pi * distance);
    return 1 - wave * wave;
  }

 private:
  static constexpr double kHalfWidth = 0.14;  // seconds
  RandomStream stream_;
  uint64_t draw_;
  double next_;  // time of the next blink's middle
};

Pose pose_from(const std::array<double, kProcesses>& z, double lids) {
  Pose pose;
  pose.x = 0.045 * z[kX];
  pose.y = 0.028 * z[kY];
  pose.tilt = 0.07 * z[kTilt];
  pose.turn = 0.42 * std::tanh(0.6 * z[kTurn]);
  pose.nod = 0.26 * std::tanh(0.5 * z[kNod]);
  pose.zoom = 1 + 0.03 * z[kZoom];
  pose.gaze_x = std::tanh(0.6 * z[kGazeX]);
  pose.gaze_y = std::tanh(0.4 * z[kGazeY]);
  pose.brows = std::tanh(0.7 * z[kBrows]);
  // Talking about two thirds of the time; between, the mouth rests.
  const double talking = smooth_step(-0.7, 0.1, z[kSpeech]);
  pose.mouth_open = talking * smooth_step(-1.3, 2.0, z[kSyllable]);
  pose.mouth_width = talking * std::tanh(0.7 * z[kMouthWidth]);
  pose.smile = std::tanh(0.7 * z[kSmile] + 0.4);
  pose.lids = lids * (1 + 0.12 * pose.brows) * (1 - 0.15 * std::max(0.0, pose.gaze_y));
  return pose;
}

}  // namespace

std::vector<Pose> draw_motion(const RandomStream& stream, int64_t frames, double rate) {
  std::vector<SmoothProcess> processes;
  for (const double a : kRates) processes.emplace_back(a, 1 / rate);
  // Draws: 2 per process and frame, numbered by frame first; blinks take the far end.
  constexpr uint64_t kBlinkDraws = uint64_t{1} << 40;
  Blinks blinks(stream, kBlinkDraws);
  std::vector<Pose> poses;
  for (int64_t frame = 0; frame < frames; ++frame) {
    std::array<double, kProcesses> values;
    for (size_t i = 0; i < kProcesses; ++i) {
      const uint64_t draw = 2 * (static_cast<uint64_t>(frame) * kProcesses + i);
      if (frame == 0) {
        processes[i].start(stream.normal(draw), stream.normal(draw + 1));
      } else {
        processes[i].step(stream.normal(draw), stream.normal(draw + 1));
      }
      values[i] = processes[i].value();
    }
    poses.push_back(pose_from(values, blinks.open_at(static_cast<double>(frame) / rate)));
  }
  return poses;
}

}  // namespace roundtrip::talking_head
