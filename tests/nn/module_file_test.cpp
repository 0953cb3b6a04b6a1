#include "roundtrip/nn/module_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/nn/init.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

class ModuleFileTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  const std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
       ".safetensors");
};

TEST_F(ModuleFileTest, AModuleComesBackBitForBit) {
  torch::nn::Linear written(3, 2), read(3, 2);
  initialise(*written, 1);
  write_tensors(path_, named_tensors(*written));
  read_module(path_, *read);
  EXPECT_TRUE(torch::equal(written->weight, read->weight));
  EXPECT_TRUE(torch::equal(written->bias, read->bias));
}

TEST_F(ModuleFileTest, OtherTypesComeBackAsTheyWere) {
  const NamedTensors tensors = {{"wide", torch::full({2, 2}, 1.0 / 3, torch::kFloat64)},
                                {"count", torch::tensor({int64_t{1} << 40})}};
  write_tensors(path_, tensors, {{"step", "4"}});
  const SafetensorsFile file(path_);
  for (const auto& [name, tensor] : tensors) {
    EXPECT_TRUE(torch::equal(read_tensor(file, name), tensor));
  }
  EXPECT_EQ(file.metadata().at("step"), "4");
}

TEST_F(ModuleFileTest, NamesOfAnotherFamilyAreTranslated) {
  write_tensors(path_, {{"w", torch::ones({2, 3})}, {"b", torch::zeros({2})}});
  torch::nn::Linear read(3, 2);
  read_module(path_, *read, [](const std::string& name) { return name.substr(0, 1); });
  EXPECT_EQ(read->weight.min().item<float>(), 1);
}

TEST_F(ModuleFileTest, AnotherNetworkIsRefused) {
  torch::nn::Linear written(3, 2);
  write_tensors(path_, named_tensors(*written));
  torch::nn::Linear wider(4, 2);
  EXPECT_THAT(error_of([&] { read_module(path_, *wider); }),
              HasSubstr("weight: expected shape (2, 4), found (2, 3)"));
  torch::nn::Linear bare(torch::nn::LinearOptions(3, 2).bias(false));
  EXPECT_THAT(error_of([&] { read_module(path_, *bare); }),
              HasSubstr("bias: the network has no such tensor"));
  write_tensors(path_, named_tensors(*bare));
  EXPECT_THAT(error_of([&] { read_module(path_, *written); }), HasSubstr("bias"));
}

}  // namespace
}  // namespace roundtrip
