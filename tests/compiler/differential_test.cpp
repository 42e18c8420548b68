// Random kernels compute on each device what their meaning on the host says. MSCI_SEED is the first
// seed, MSCI_PROGRAMS the number of programs; a failure names the seed of its program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/device/worker.h"
#include "tests/compiler/random_program.h"

namespace msci {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// On the first OpenCL device and on the processor.
class Differential : public testing::TestWithParam<std::string> {};

TEST_P(Differential, random_kernels_give_the_expected_outputs) {
  const auto first = from_environment("MSCI_SEED", 1);
  const auto programs = from_environment("MSCI_PROGRAMS", 2);
  auto device = open_worker_device(GetParam());
  ASSERT_TRUE(device) << device.error().message;
  std::vector<Execution> ways(1);
  if ((*device)->info().chooses_order)
    ways = {{.order = Execution::Order::reversed}, {.lane_by_lane = true}, {.vector_bits = 256}};
  for (auto seed = first; seed < first + programs; ++seed) {
    SCOPED_TRACE(fmt::format("MSCI_SEED={} MSCI_PROGRAMS=1", seed));
    const auto found = find_disagreement(**device, make_random_program(seed), ways);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_FALSE(*found) << **found;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Differential, testing::Values("opencl", "cpu"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace msci
