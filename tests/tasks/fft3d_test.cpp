#include <gtest/gtest.h>

#include <complex>

#include "check.h"

namespace msci {
namespace {

using Complex = std::complex<float>;

struct Known {
  std::string_view label;
  std::string_view start;  // CRC-32
  Complex first;           // input element
  double tolerance;
  Complex y000;
  Complex x1;  // at kx = 1, ky = kz = 0
  Complex z1;  // at kz = 1, kx = ky = 0
  double work;
};

const Known known[] = {{"32cube",
                        "4666ac0c",
                        {0.93165326F, -1.1031368F},
                        0.8257455,
                        {36.58018F, 95.83435F},
                        {-48.71435F, -432.07086F},
                        {223.50925F, 268.03192F},
                        3145728},
                       {"64cube",
                        "f9805e53",
                        {0.93165326F, 0.86306810F},
                        2.573492,
                        {510.4425F, 549.85236F},
                        {513.32629F, -309.23798F},
                        {-292.86625F, 615.16974F},
                        25165824},
                       {"128cube",
                        "f7694c6c",
                        {0.93165326F, -0.36741447F},
                        8.372171,
                        {1955.3190F, -363.96918F},
                        {-20.830322F, 832.33405F},
                        {1689.9923F, 970.06915F},
                        201326592},
                       {"256cube",
                        "b4d860c7",
                        {0.93165326F, -2.3502412F},
                        23.34673,
                        {2968.5583F, 45.369392F},
                        {-3125.9622F, -1357.8123F},
                        {-4866.8853F, -3547.1948F},
                        1610612736}};

// Known values have seven or eight digits, of a transform whose values run to thousands.
void expect_near(Complex value, Complex expected, float slack) {
  EXPECT_NEAR(value.real(), expected.real(), slack);
  EXPECT_NEAR(value.imag(), expected.imag(), slack);
}

class Fft3d : public testing::TestWithParam<Known> {};

TEST_P(Fft3d, HasTheKnownStartAndResult) {
  const Known& expected = GetParam();
  const Task& task = the_task("fft3d");
  const Size size = the_size(task, expected.label);
  const Bytes start{start_of(plan_of(task, size), "A")};
  EXPECT_EQ(crc32_of(start), expected.start);
  expect_near(start.as<Complex>()[0], expected.first, 1e-7F);

  const Bytes reference = task.reference(size);
  const auto result = reference.as<Complex>();
  const auto slack = static_cast<float>(1e-6 * expected.tolerance * 1000);
  expect_near(result[0], expected.y000, slack);
  expect_near(result[1], expected.x1, slack);
  expect_near(result[std::size_t{size["n"]} * size["n"]], expected.z1, slack);
  EXPECT_EQ(task.work(size), expected.work);

  const Verdict verdict = *task.judge(size, reference, {reference}, {});
  EXPECT_TRUE(verdict.correct);
  EXPECT_EQ(verdict.error_kind, "max_abs");
  ASSERT_TRUE(verdict.tolerance);
  EXPECT_NEAR(*verdict.tolerance, expected.tolerance, 1e-6 * expected.tolerance);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Fft3d, testing::ValuesIn(known),
                         [](const auto& info) { return test_name("fft3d", info.param.label); });

TEST(Fft3dTask, NamesTheKernelAndBothNumbersWhereTheThreadLimitIsTooLow) {
  const Task& task = the_task("fft3d");
  auto program = program_for(task, 1024);
  program.kernels[1].thread_limit = 32;
  EXPECT_TRUE(task.plan(the_size(task, "32cube"), program));
  const auto plan = task.plan(the_size(task, "64cube"), program);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message,
            "fft3d_y allows 32 threads in a threadgroup, but the host's has 64");
}

}  // namespace
}  // namespace msci
