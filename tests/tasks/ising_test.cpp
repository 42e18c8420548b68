#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "check.h"
#include "tasks/launch.h"

namespace msci {
namespace {

using Spin = signed char;

struct Known {
  std::string_view label;
  std::string_view start_crc;
  int start_sum;
  std::string_view result_crc;
  int result_sum;
  std::string_view first;  // the result's first eight spins
  int changed;
  double work;
};

const Known known[] = {
    {"256x256_100", "e22ba87c", 134, "d6148441", -6104, "-------+", 32777, 13107200},
    {"1024x1024_50", "b2a1ec45", 504, "4b4926a0", 734, "+++--+--", 523673, 104857600},
    {"2048x2048_25", "0ecf8cb2", 2478, "b1b9d778", -23426, "--++----", 2091998, 209715200},
    {"1536x1536_40", "6cbaf251", 346, "3c8dc6ea", -23234, "++--++++", 1177184, 188743680}};

std::string first_spins(std::span<const Spin> spins) {
  std::string text;
  for (const Spin spin : spins.first(8)) text += spin > 0 ? '+' : '-';
  return text;
}

class Ising : public testing::TestWithParam<Known> {};

TEST_P(Ising, HasTheKnownStartAndResult) {
  const Known& expected = GetParam();
  const Task& task = the_task("ising");
  const Size size = the_size(task, expected.label);
  const Bytes start{start_of(plan_of(task, size), "spins")};
  const Bytes reference = task.reference(size);
  const auto before = start.as<Spin>(), after = reference.as<Spin>();

  EXPECT_EQ(crc32_of(start), expected.start_crc);
  EXPECT_EQ(std::accumulate(before.begin(), before.end(), 0), expected.start_sum);
  EXPECT_EQ(first_spins(before), "++-----+");
  EXPECT_EQ(crc32_of(reference), expected.result_crc);
  EXPECT_EQ(std::accumulate(after.begin(), after.end(), 0), expected.result_sum);
  EXPECT_EQ(first_spins(after), expected.first);
  EXPECT_EQ(task.work(size), expected.work);

  // The start as an answer: judge counts what the run changed.
  const Verdict verdict = *task.judge(size, reference, {start}, {});
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.error_value, expected.changed);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Ising, testing::ValuesIn(known),
                         [](const auto& info) { return test_name("ising", info.param.label); });

TEST(IsingTask, HashesStepAndSiteAsItsPageSays) {
  const auto hash = [](std::uint32_t step, std::uint32_t site) {
    return mix(mix(0xC0FFEE01 + step * 0x9E3779B9) ^ site);
  };
  EXPECT_EQ(hash(0, 0), 0xBA936299);
  EXPECT_EQ(hash(0, 1), 0x2D34D74E);
  EXPECT_EQ(hash(1, 0), 0x669C5833);
  EXPECT_EQ(hash(1, 65535), 0xC9BD1552);
  EXPECT_EQ(hash(199, 65535), 0x88620DFA);
  EXPECT_EQ(hash(49, 4194303), 0x8ECA2AFD);
  EXPECT_EQ(hash(79, 1537), 0x13CCEA21);
}

TEST(IsingTask, BindsTheKnownChancesAndEachStepsNumber) {
  const Task& task = the_task("ising");
  const Plan plan = plan_of(task, task.sizes[0]);
  const Bytes chances{start_of(plan, "p_accept")};
  std::vector<std::uint32_t> bits;
  for (const float chance : chances.as<float>())
    bits.push_back(std::bit_cast<std::uint32_t>(chance));
  EXPECT_EQ(bits, (std::vector<std::uint32_t>{0x3F800000, 0x3F800000, 0x3F800000, 0x3E3ED8D2,
                                              0x3D0E468F}));
  ASSERT_EQ(plan.launches.size(), 200U);
  for (unsigned step = 0; step < 200; ++step) EXPECT_EQ(number_at(plan, step, 4), step);
}

TEST(IsingTask, RejectsOneWrongByte) {
  const Task& task = the_task("ising");
  const Bytes reference = task.reference(task.sizes[0]);
  EXPECT_TRUE(task.judge(task.sizes[0], reference, {reference}, {})->correct);
  std::vector<std::byte> output(reference.begin(), reference.end());
  output[65535] ^= std::byte{2};
  const Verdict verdict = *task.judge(task.sizes[0], reference, {output}, {});
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.error_value, 1);
  EXPECT_EQ(verdict.error_kind, "spin_disagreements");
  EXPECT_FALSE(verdict.tolerance);
}

}  // namespace
}  // namespace msci
