// Choosing among devices.
#include "runtime/device/device.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

const std::vector<DeviceInfo> devices = {
    {.name = "pthread-epyc",
     .platform = "Portable Computing Language",
     .platform_index = 0,
     .device_index = 0},
    {.name = "NVIDIA H200", .platform = "NVIDIA CUDA", .platform_index = 1, .device_index = 0},
    {.name = "NVIDIA H100", .platform = "NVIDIA CUDA", .platform_index = 1, .device_index = 1},
};

TEST(ChooseDevice, by_index_name_or_platform) {
  const std::vector<std::pair<std::string, std::size_t>> cases = {
      {"", 0},          {"2", 2},      {"h200", 1},      {"NVIDIA", 1},   {"1:1", 2},
      {"cuda:h100", 2}, {"cuda:0", 1}, {"0:pthread", 0}, {"portable:", 0}};
  for (const auto& [wanted, place] : cases) {
    const auto chosen = choose_device(devices, wanted);
    ASSERT_TRUE(chosen) << wanted;
    EXPECT_EQ(*chosen, place) << wanted;
  }
}

TEST(ChooseDevice, lists_the_known_ones_when_none_is_meant) {
  for (const std::string wanted : {"3", "radeon", "cuda:2", "0:1", "x:y:z", "-1"}) {
    const auto chosen = choose_device(devices, wanted);
    ASSERT_FALSE(chosen) << wanted;
    EXPECT_EQ(chosen.error().message.find("no device matches \"" + wanted +
                                          "\"; known devices:\n0  0:0  "),
              0u)
        << chosen.error().message;
    EXPECT_NE(chosen.error().message.find("\n2  1:1  NVIDIA H100"), std::string::npos);
  }
}

}  // namespace
}  // namespace msci
