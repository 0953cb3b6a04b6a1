#include "roundtrip/base/interrupt.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

// Signal handlers belong to a whole process, so each case runs in a child.
int status_of(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    catch_interrupts();
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(Interrupt, IsRememberedAndThrown) {
  const int status = status_of([] {
    stop_if_interrupted();  // nothing yet
    std::raise(SIGTERM);
    try {
      stop_if_interrupted();
    } catch (const Interrupted& interrupted) {
      return interrupted.signal() == SIGTERM ? 7 : 1;
    }
    return 2;
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(Interrupt, TheSameRequestTwiceIsOne) {
  const int status = status_of([] {
    std::raise(SIGTERM);
    std::raise(SIGTERM);
    return interrupt_signal() == SIGTERM ? 7 : 1;
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(Interrupt, AnotherOneLaterEndsTheProgram) {
  const int status = status_of([] {
    std::raise(SIGINT);
    usleep(2'100'000);
    std::raise(SIGINT);
    return 7;
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGINT);
}

}  // namespace
}  // namespace roundtrip
