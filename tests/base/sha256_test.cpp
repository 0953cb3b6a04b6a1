#include "roundtrip/base/sha256.h"

#include <gtest/gtest.h>

#include "roundtrip/base/atomic_file.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// The examples of FIPS 180-2, appendix B, and the digest of nothing.
TEST(Sha256, GivesThePublishedDigests) {
  Sha256 abc;
  abc.add("abc");
  EXPECT_EQ(abc.digest(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256().digest(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 million;
  for (int i = 0; i < 1000; ++i) million.add(std::string(1000, 'a'));
  EXPECT_EQ(million.digest(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const auto path = std::filesystem::path(testing::TempDir()) / "sha256_test.bin";
  const std::string bytes(3'000'001, 'x');
  write_file(path, bytes);
  Sha256 sha;
  sha.add(bytes);
  EXPECT_EQ(sha256_of_file(path), sha.digest());
  std::filesystem::remove(path);
  EXPECT_NE(error_of([&] { sha256_of_file(path); }).find("sha256_test.bin: cannot be read"),
            std::string::npos);
}

}  // namespace
}  // namespace roundtrip
