// Finding devices, and choosing among them.
#include "engine/device/device.h"

#include <gtest/gtest.h>

#include <array>

#include "engine/device/worker_main.h"
#include "tests/fake_device.h"

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

// --- Back ends

unsigned asked_second = 0;

Result<std::unique_ptr<Device>> opened(std::string name) {
  auto device = std::make_unique<FakeDevice>();
  device->about.name = std::move(name);
  return std::unique_ptr<Device>(std::move(device));
}

constexpr std::array backends{
    DeviceBackend{"first",
                  []() -> Result<std::vector<DeviceInfo>> {
                    return std::vector{DeviceInfo{.name = "a"}, DeviceInfo{.name = "b"}};
                  },
                  [](std::size_t index) { return opened(index == 0 ? "a" : "b"); }},
    DeviceBackend{"second",
                  []() -> Result<std::vector<DeviceInfo>> {
                    ++asked_second;
                    return std::vector{DeviceInfo{.name = "c"}};
                  },
                  [](std::size_t) { return opened("c"); }},
};

std::vector<std::string> names_of(const Result<LocalDevices>& found) {
  if (!found) return {"Error: " + found.error().message};
  std::vector<std::string> names;
  for (const auto& device : found->devices) names.push_back(device.backend + " " + device.name);
  return names;
}

TEST(Backends, are_all_asked_for_their_devices_unless_one_is_named) {
  using Names = std::vector<std::string>;
  asked_second = 0;
  EXPECT_EQ(names_of(find_local_devices(backends, "first")), (Names{"first a", "first b"}));
  EXPECT_EQ(asked_second, 0U);
  EXPECT_EQ(names_of(find_local_devices(backends)), (Names{"first a", "first b", "second c"}));
  EXPECT_EQ(asked_second, 1U);
  EXPECT_EQ(names_of(find_local_devices(backends, "third")),
            (Names{"Error: back end 'third' not found"}));
}

TEST(Backends, without_devices_say_why) {
  constexpr DeviceBackend missing{
      "missing", []() -> Result<std::vector<DeviceInfo>> { return Error{"no driver"}; },
      [](std::size_t) { return opened("none"); }};
  const auto found = find_local_devices(std::array{missing, backends[0]});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(names_of(found), (std::vector<std::string>{"first a", "first b"}));
  EXPECT_EQ(found->problems, std::vector<std::string>{"no driver"});
  EXPECT_EQ(names_of(find_local_devices(std::array{missing, missing})),
            std::vector<std::string>{"Error: no driver; no driver"});
}

TEST(Backends, open_their_own_devices) {
  asked_second = 0;
  const auto device = open_local_device(backends, "first", 1);
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ((*device)->info().name, "b");
  EXPECT_EQ(asked_second, 0U);
  EXPECT_EQ((*open_local_device(backends, "second", 0))->info().name, "c");
  EXPECT_FALSE(open_local_device(backends, "third", 0));
}

}  // namespace
}  // namespace msci
