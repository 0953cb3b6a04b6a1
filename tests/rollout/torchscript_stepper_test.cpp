#include "roundtrip/rollout/torchscript_stepper.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/script.h>

#include "roundtrip/rollout/batch_scheduler.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TorchScriptStepperTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string("script_") +
             testing::UnitTest::GetInstance()->current_test_info()->name() + ".pt");
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string save(const std::string& source, int64_t contexts = 0) const {
    torch::jit::Module module("model");
    if (contexts > 0) module.register_attribute("contexts", c10::IntType::get(), contexts);
    module.define(source);
    module.save(path_.string());
    return path_.string();
  }

  std::filesystem::path path_;
};

constexpr const char* kGood = R"(
def forward(self, window: Tensor, anchor: Tensor, target_index: Tensor, direction: Tensor) -> Tensor:
    sign = direction.float().view(-1, 1, 1, 1)
    return window[:, -1] * 2 + anchor * sign + target_index.float().view(-1, 1, 1, 1)
)";

TEST_F(TorchScriptStepperTest, StepsAsTheModuleDoes) {
  const auto stepper = make_torchscript_stepper(save(kGood), {1, 2, 2}, 3);
  EXPECT_EQ(stepper->contexts(), 3);
  const torch::Tensor window = torch::rand({2, 3, 1, 2, 2});
  const torch::Tensor anchor = torch::rand({2, 1, 2, 2});
  const torch::Tensor next =
      stepper->step({window, anchor, torch::tensor({7, 8}), torch::tensor({1, -1})});
  EXPECT_TRUE(torch::allclose(next[0], window[0][-1] * 2 + anchor[0] + 7));
  EXPECT_TRUE(torch::allclose(next[1], window[1][-1] * 2 - anchor[1] + 8));
}

// What a module gives back may be a part of what it was given, and it may write to that.
TEST_F(TorchScriptStepperTest, AModuleMayNotReachIntoThePool) {
  for (const char* body : {"    return window[:, 0]\n", "    return window.mul_(2)[:, 0] / 2\n"}) {
    const auto stepper = make_torchscript_stepper(
        save(std::string("def forward(self, window: Tensor, anchor: Tensor, target_index: Tensor, "
                         "direction: Tensor) -> Tensor:\n") +
             body),
        {1, 1, 1}, 2);
    BatchScheduler scheduler({stepper.get()}, 4);
    Leg leg{.window = one_window(torch::tensor({1.0F, 2.0F}).view({2, 1, 1, 1}),
                                 torch::zeros({1, 1, 1}), 0, +1),
            .steps = 3};
    std::vector<double> seen;
    leg.stepped = [&](int64_t, const torch::Tensor& context) {
      seen.push_back(context[-1].item<double>());
    };
    scheduler.add(std::move(leg));
    scheduler.run();
    EXPECT_THAT(seen, testing::ElementsAre(1, 2, 1));  // the farther of two frames, every time
  }
}

TEST_F(TorchScriptStepperTest, AModuleMaySayHowManyFramesItSees) {
  EXPECT_EQ(make_torchscript_stepper(save(kGood, 5), {1, 2, 2}, 2)->contexts(), 5);
}

TEST_F(TorchScriptStepperTest, WhatDoesNotFitIsSaidInOneLine) {
  const auto message = [&](const std::string& source) {
    const std::string path = save(source);
    const std::string text = error_of([&] { make_torchscript_stepper(path, {1, 2, 2}, 2); });
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text;
  };
  EXPECT_THAT(message("def forward(self, window: Tensor) -> Tensor:\n    return window\n"),
              AllOf(HasSubstr("[torchscript]"), HasSubstr("expected forward(window")));
  EXPECT_THAT(message(R"(
def forward(self, window: Tensor, anchor: Tensor, target_index: Tensor, direction: Tensor) -> Tensor:
    return window
)"),
              HasSubstr("found one of 2x2x1x2x2 (Float)"));
  EXPECT_THAT(message(R"(
def forward(self, window: Tensor, anchor: Tensor, target_index: Tensor, direction: Tensor) -> int:
    return 1
)"),
              HasSubstr("found no tensor"));
  EXPECT_THAT(message(R"(
def forward(self, window: Tensor, anchor: Tensor, target_index: Tensor, direction: Tensor) -> Tensor:
    return torch.matmul(window, torch.ones(3, 3))
)"),
              HasSubstr("the module failed"));
}

TEST_F(TorchScriptStepperTest, OtherFilesAreRefused) {
  EXPECT_EQ(error_of([] {
              make_torchscript_stepper("nowhere.pt", {1, 2, 2}, 2);
            }),
            "[torchscript] nowhere.pt: no such file");
  std::ofstream(path_) << "not a module";
  EXPECT_THAT(error_of([&] {
                make_torchscript_stepper(path_, {1, 2, 2}, 2);
              }),
              HasSubstr("expected a file that torch.jit.save wrote"));
}

}  // namespace
}  // namespace roundtrip
