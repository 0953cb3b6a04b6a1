#include "roundtrip/base/progress.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace roundtrip {
namespace {

using namespace std::chrono_literals;

// Work shorter than this needs no progress; the line would only flicker.
constexpr auto kQuiet = 2s;
constexpr auto kRedraw = 200ms;
constexpr auto kPlainInterval = 10s;

// At most `count` letters of a text in UTF-8, none of them cut.
std::string first_letters(const std::string& text, int64_t count) {
  size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool begins_letter = (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
    if (begins_letter && count-- == 0) break;
  }
  return text.substr(0, at);
}

int64_t columns_of_stderr() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool stderr_redraws() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && (kind == nullptr || std::strcmp(kind, "dumb") != 0);
}

}  // namespace

LateProgress::LateProgress(std::string label, std::string unit)
    : label_(std::move(label)), unit_(std::move(unit)) {}

LateProgress::~LateProgress() = default;

void LateProgress::advance(int64_t total) {
  const std::lock_guard lock(mutex_);
  if (!bar_) bar_ = std::make_unique<Progress>(label_, unit_, total, progress_on_stderr());
  bar_->advance();
}

void LateProgress::advance_to(int64_t done, int64_t total) {
  const std::lock_guard lock(mutex_);
  if (!bar_) {
    bar_ = std::make_unique<Progress>(label_, unit_, total, progress_on_stderr());
    bar_->begin_at(done);
    begun_at_ = done;
  }
  bar_->advance_to(done);
}

std::string human_duration(double seconds) {
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

Progress::Progress(std::string label, std::string unit, int64_t total, Options options)
    : label_(std::move(label)),
      unit_(std::move(unit)),
      total_(total),
      options_(std::move(options)),
      start_(options_.now()),
      last_shown_(start_) {}

Progress::~Progress() {
  if (!shown_ || !options_.terminal) return;
  options_.write("\r\033[K");  // Leaves the terminal clean for the result.
}

void Progress::advance(int64_t amount) {
  const std::lock_guard lock(mutex_);
  done_ += amount;
  show();
}

void Progress::advance_to(int64_t done, const std::string& note) {
  const std::lock_guard lock(mutex_);
  done_ = done;
  note_ = note;
  show();
}

void Progress::begin_at(int64_t done) {
  const std::lock_guard lock(mutex_);
  done_ = begun_at_ = done;
}

void Progress::show() {
  const auto now = options_.now();
  const auto interval = !shown_             ? Clock::duration(kQuiet)
                        : options_.terminal ? Clock::duration(kRedraw)
                                            : Clock::duration(kPlainInterval);
  if (!options_.write || now - last_shown_ < interval) return;
  shown_ = true;
  last_shown_ = now;
  std::string text = line_at(now);
  // One column stays free: some terminals wrap when the last one is written.
  const int64_t columns = options_.terminal && options_.columns ? options_.columns() : 0;
  if (columns > 1) text = first_letters(text, columns - 1);
  options_.write(options_.terminal ? "\r\033[K" + text : text + "\n");
}

std::string Progress::line() const {
  const std::lock_guard lock(mutex_);
  return line_at(options_.now());
}

std::string Progress::line_at(Clock::time_point now) const {
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double rate = elapsed > 0 ? static_cast<double>(done_ - begun_at_) / elapsed : 0;
  // The first seconds of a work, and its first hundredth, say little of the rest.
  const bool known = rate > 0 && (elapsed >= 10 || 100 * (done_ - begun_at_) >= total_ - begun_at_);
  const std::string left =
      known ? human_duration(static_cast<double>(total_ - done_) / rate) + " left" : "";
  const double percent =
      total_ > 0 ? 100.0 * static_cast<double>(done_) / static_cast<double>(total_) : 100.0;
  const std::string speed = rate < 100 ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate);
  return fmt::format("{}  {:3.0f}%  {}/{} {}  {} {}/s  {}{}{}", label_, std::floor(percent), done_,
                     total_, unit_, speed, unit_, left, note_.empty() ? "" : "  ", note_);
}

Progress::Options progress_on_stderr() {
  return {.terminal = stderr_redraws(),
          .write =
              [](const std::string& text) {
                std::fputs(text.c_str(), stderr);
                std::fflush(stderr);
              },
          .columns = columns_of_stderr};
}

}  // namespace roundtrip
