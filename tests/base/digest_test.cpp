// Digests and their spelling, against the examples of the standards.
#include <gtest/gtest.h>

#include "base/formats/base64.h"
#include "base/sha256.h"

namespace msci {
namespace {

TEST(Base64, has_the_examples_of_rfc_4648) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foo"), "Zm9v");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(to_base64("\xff\xfe"), "//4=");
}

TEST(Sha256, has_the_examples_of_fips_180) {
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_base64(sha256_digest_of("abc")), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

}  // namespace
}  // namespace msci
