// A copy of a process made by fork() has one thread, and whatever locks the others held: POSIX
// leaves nearly everything it could do undefined. Data are read and written without it.
#include <atomic>
#include <cerrno>
#include <thread>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "roundtrip/io/fno_mat.h"
#include "roundtrip/io/video_reader.h"
#include "roundtrip/io/video_writer.h"
#include "roundtrip/io/well_reader.h"
#include "tests/io/well_example.h"
#include "tests/support/well_chunks.h"
#include "tests/support/write_fno_mat.h"

namespace {

std::atomic<bool> forbidden = false;
std::atomic<int> forks = 0;

}  // namespace

// In front of the C library's for everything in this program.
extern "C" pid_t fork() noexcept {
  ++forks;
  if (forbidden) {
    errno = ENOSYS;
    return -1;
  }
  return reinterpret_cast<pid_t (*)()>(::dlsym(RTLD_NEXT, "fork"))();
}

namespace roundtrip {
namespace {

class NoForkTest : public WellTest {
 protected:
  NoForkTest() {
    forks = 0;
    forbidden = true;
  }
  ~NoForkTest() override {
    forbidden = false;
    stop_ = true;
    other_.join();
  }

 private:
  std::atomic<bool> stop_ = false;
  std::thread other_{[this] {
    while (!stop_) std::this_thread::yield();
  }};
};

TEST_F(NoForkTest, TheInterposedOneIsCalled) {
  EXPECT_EQ(::fork(), -1);
  EXPECT_EQ(forks, 1);
}

TEST_F(NoForkTest, WellFiles) {
  write_example(file("a.hdf5"));
  store_in_chunks(file("a.hdf5"), {"t0_fields/density"}, {.type = H5T_IEEE_F64LE});
  const WellReader reader(file("a.hdf5"));
  EXPECT_EQ(reader.stored_type(0), "float64");
  std::vector<float> frame(static_cast<size_t>(reader.header().frame_size()));
  reader.read_window(0, 0, 1, frame);
  EXPECT_EQ(forks, 0);
}

TEST_F(NoForkTest, MatFiles) {
  write_fno_mat(file("a.mat"),
                {.trajectories = 1, .height = 1, .width = 2, .times = {1}, .solution = {3, 4}},
                MatLevel::level73);
  std::vector<float> values(2);
  FnoMatReader(file("a.mat")).read(0, 1, values);
  EXPECT_EQ(values, (std::vector<float>{3, 4}));
  EXPECT_EQ(forks, 0);
}

TEST_F(NoForkTest, Videos) {
  VideoWriter writer(file("a.mp4"), {.width = 16, .height = 16, .rate = 10});
  writer.write(Image(16, 16));
  writer.finish();
  Image frame;
  EXPECT_TRUE(VideoReader(file("a.mp4")).next(frame));
  EXPECT_EQ(forks, 0);
}

}  // namespace
}  // namespace roundtrip
