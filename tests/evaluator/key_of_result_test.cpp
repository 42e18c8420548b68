#include <gtest/gtest.h>

#include "evaluator/modes/cache/result_memo.h"
#include "tests/fake_device.h"

namespace msci {
namespace {

// The digest of one source on a device.
std::string digest_on(const DeviceInfo& about) {
  FakeDevice device;
  device.about = about;
  const auto key = key_of_result({}, {}, {&device});
  EXPECT_TRUE(key);
  return key ? key->digest_of("kernel void f() {}") : "";
}

const DeviceInfo gpu = {.name = "GPU", .platform = "Vendor", .backend = "opencl", .driver = "1.0"};

TEST(KeyOfResult, is_the_same_for_the_same_device) {
  auto elsewhere = gpu;
  elsewhere.platform_index = 3;
  EXPECT_EQ(digest_on(elsewhere), digest_on(gpu));
}

TEST(KeyOfResult, differs_for_all_that_tells_devices_apart) {
  for (const auto member :
       {&DeviceInfo::backend, &DeviceInfo::platform, &DeviceInfo::name, &DeviceInfo::driver}) {
    auto other = gpu;
    other.*member += " 2";
    EXPECT_NE(digest_on(other), digest_on(gpu)) << other.*member;
  }
}

}  // namespace
}  // namespace msci
