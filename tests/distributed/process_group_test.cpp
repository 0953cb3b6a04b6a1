#include "roundtrip/distributed/process_group.h"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "tests/distributed/peer_process.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using testing::AllOf;
using testing::HasSubstr;

double seconds_of(const std::function<void()>& action) {
  const auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(ProcessGroup, OneRankChangesNothing) {
  const auto group = make_process_group({}, 1);
  EXPECT_EQ(group->rank(), 0);
  EXPECT_EQ(group->size(), 1);
  torch::Tensor values = torch::tensor({1.0, 2.0});
  group->all_reduce_sum(values);
  group->broadcast(values, 0);
  group->barrier();
  group->all_reduce_async(values)->wait();
  EXPECT_TRUE(torch::equal(values, torch::tensor({1.0, 2.0})));
}

// Both ranks run this and expect the same results.
void use_group(ProcessGroup& group) {
  const double own = static_cast<double>(group.rank() + 1);
  EXPECT_EQ(group.size(), 2);
  torch::Tensor sum = torch::full({3}, own, torch::kFloat64);
  group.all_reduce_sum(sum);
  EXPECT_TRUE(torch::equal(sum, torch::full({3}, 3.0, torch::kFloat64)));
  for (const int64_t root : {0, 1}) {
    torch::Tensor copy = torch::full({2, 2}, static_cast<float>(own));
    group.broadcast(copy, root);
    EXPECT_TRUE(torch::equal(copy, torch::full({2, 2}, static_cast<float>(root + 1))));
  }
  // Several under way at a time, waited for out of order.
  torch::Tensor first = torch::full({100000}, static_cast<float>(own));
  torch::Tensor second = torch::full({5}, group.rank() + 7, torch::kInt64);
  const auto first_work = group.all_reduce_async(first);
  const auto second_work = group.all_reduce_async(second);
  second_work->wait();
  first_work->wait();
  EXPECT_TRUE(torch::equal(first, torch::full({100000}, 3.0f)));
  EXPECT_TRUE(torch::equal(second, torch::full({5}, 15, torch::kInt64)));
  group.barrier();
}

TEST(ProcessGroup, TwoRanksSumAndShare) {
  PeerProcess peer("ProcessGroupWorker.DISABLED_UsesTheGroup");
  const auto group = make_process_group(peer.rank_0(), kPatience);
  // Refused before anything is sent: the peer knows nothing of these.
  EXPECT_THROW(group->all_reduce_sum(torch::ones({3, 2}).t()), Bug);
  EXPECT_THROW(group->broadcast(torch::ones({3}), 2), Bug);
  use_group(*group);
  EXPECT_TRUE(peer.succeeded());
}

TEST(ProcessGroupWorker, DISABLED_UsesTheGroup) {
  const auto group = make_process_group(read_launch_environment(), kPatience);
  EXPECT_EQ(group->rank(), 1);
  use_group(*group);
}

// Its closed connections tell at once, long before the time limit.
TEST(ProcessGroup, APeerThatDiesIsAnError) {
  PeerProcess peer("ProcessGroupWorker.DISABLED_Dies");
  const auto group = make_process_group(peer.rank_0(), kPatience);
  torch::Tensor values = torch::ones({3});
  group->all_reduce_sum(values);
  const double seconds = seconds_of([&] {
    EXPECT_THAT(error_of([&] { group->all_reduce_sum(values); }),
                HasSubstr("rank 0: all_reduce: a peer stopped answering (expected within 60 s)"));
  });
  EXPECT_LT(seconds, kPatience / 2);
  EXPECT_THAT(error_of([&] { group->barrier(); }), HasSubstr("rank 0: barrier: a peer stopped"));
  EXPECT_FALSE(peer.succeeded());
}

TEST(ProcessGroupWorker, DISABLED_Dies) {
  const auto group = make_process_group(read_launch_environment(), kPatience);
  group->all_reduce_sum(torch::ones({3}));
  raise(SIGKILL);
}

// It still has its connections: only the time limit tells.
TEST(ProcessGroup, APeerThatHangsIsAnErrorAfterTheTimeLimit) {
  PeerProcess peer("ProcessGroupWorker.DISABLED_Hangs");
  const auto group = make_process_group(peer.rank_0(), 2);
  torch::Tensor values = torch::ones({3});
  group->all_reduce_sum(values);
  const double seconds = seconds_of([&] {
    EXPECT_THAT(error_of([&] { group->all_reduce_sum(values); }),
                HasSubstr("a peer stopped answering (expected within 2 s)"));
  });
  EXPECT_GT(seconds, 1.5);
  EXPECT_LT(seconds, 2 + kPatience / 2);
}

TEST(ProcessGroupWorker, DISABLED_Hangs) {
  const auto group = make_process_group(read_launch_environment(), kPatience);
  group->all_reduce_sum(torch::ones({3}));
  pause();  // until rank 0's test ends this process
}

TEST(ProcessGroup, APeerThatNeverComesIsAnError) {
  const LaunchEnvironment alone{
      .launcher = "torchrun", .size = 2, .master_address = "127.0.0.1", .master_port = free_port()};
  EXPECT_THAT(error_of([&] { make_process_group(alone, kPatience, 0.5); }),
              AllOf(HasSubstr("rank 0: expected to meet 2 ranks at 127.0.0.1:"),
                    HasSubstr("within 0.5 s")));
}

}  // namespace
}  // namespace roundtrip
