#include "roundtrip/base/progress.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roundtrip {
namespace {

using testing::HasSubstr;

// A clock the test moves by hand.
struct FakeTime {
  Progress::Clock::time_point now{};
  std::string written;
  Progress::Options options(bool terminal) {
    return {.terminal = terminal,
            .write = [this](const std::string& text) { written += text; },
            .now = [this] { return now; }};
  }
  void pass(double seconds) {
    now += std::chrono::duration_cast<Progress::Clock::duration>(
        std::chrono::duration<double>(seconds));
  }
};

TEST(Progress, SaysRateAndTimeLeft) {
  FakeTime time;
  Progress progress("solving", "frames", 100, time.options(false));
  time.pass(5);
  progress.advance(20);
  EXPECT_EQ(time.written, "solving   20%  20/100 frames  4 frames/s  20 s left\n");
}

TEST(Progress, WorkDoneBeforeDoesNotEnterTheRate) {
  FakeTime time;
  Progress progress("training", "samples", 10000, time.options(false));
  progress.begin_at(4000);
  time.pass(5);
  progress.advance_to(5000, "loss 0.5");
  EXPECT_EQ(time.written,
            "training   50%  5000/10000 samples  200 samples/s  25 s left  loss 0.5\n");
}

TEST(Progress, ShortWorkIsSilent) {
  FakeTime time;
  {
    Progress progress("solving", "frames", 2, time.options(true));
    progress.advance();
    time.pass(1.9);
    progress.advance();
  }
  EXPECT_EQ(time.written, "");
}

TEST(Progress, PlainLinesComeSeldomAndEndInNewline) {
  FakeTime time;
  Progress progress("x", "steps", 1000, time.options(false));
  for (int i = 0; i < 100; ++i) {
    time.pass(0.25);
    progress.advance();
  }
  // 25 seconds: one line after 2 s, then one every 10 s.
  EXPECT_EQ(std::count(time.written.begin(), time.written.end(), '\n'), 3);
  EXPECT_EQ(time.written.find('\r'), std::string::npos);
}

TEST(Progress, TerminalLineIsRedrawnAndCleared) {
  FakeTime time;
  {
    Progress progress("x", "steps", 10, time.options(true));
    time.pass(3);
    progress.advance();
    EXPECT_THAT(time.written, HasSubstr("\r"));
    EXPECT_EQ(time.written.find('\n'), std::string::npos);
  }
  EXPECT_TRUE(time.written.ends_with("\r\033[K"));
}

TEST(Progress, ALineIsNoLongerThanTheTerminal) {
  FakeTime time;
  Progress::Options options = time.options(true);
  options.columns = [] { return int64_t{12}; };
  Progress progress("größer", "steps", 10, options);
  time.pass(3);
  progress.advance();
  EXPECT_EQ(time.written, "\r\033[Kgrößer   10");  // eleven letters, one column free
}

TEST(Progress, ADumbTerminalIsNotRedrawn) {
  const char* before = std::getenv("TERM");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(progress_on_stderr().terminal);
  before == nullptr ? ::unsetenv("TERM") : ::setenv("TERM", kept.c_str(), 1);
}

TEST(HumanDuration, PicksUnits) {
  EXPECT_EQ(human_duration(8.2), "8 s");
  EXPECT_EQ(human_duration(200), "3 min 20 s");
  EXPECT_EQ(human_duration(7500), "2 h 05 min");
}

}  // namespace
}  // namespace roundtrip
