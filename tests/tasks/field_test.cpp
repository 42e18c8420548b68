// The tasks whose result is one field of floats: known start, known result, known tolerance.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "check.h"

namespace msci {
namespace {

struct Known {
  std::string_view task;
  std::string_view label;
  double start_sum;
  double result_sum;
  std::size_t probe;  // an index into the result
  float probed;
  double tolerance;
  double work;
  std::string_view start_crc;   // empty where the start depends on the library's exp or sin
  std::string_view result_crc;  // empty likewise
  std::string_view error_kind = "max_abs";
};

constexpr std::size_t middle(std::size_t nx, std::size_t ny, std::size_t nz = 1) {
  return (nz / 2 * ny + ny / 2) * nx + nx / 2;
}

// The middle of a cube in Z-order sets the top bit of all three coordinates.
constexpr std::size_t z_order_middle(std::size_t n) { return n * n * n / 8 * 7; }

const Known known[] = {
    {"heat2d", "256x256_50", 32372.32521, 30837.25822, middle(256, 256), 0.52685404F, 1.057820e-4,
     26214400, "4f0669ff", "76838911"},
    {"heat2d", "512x512_100", 130327.3788, 125757.0844, middle(512, 512), 0.51015997F, 1.055156e-4,
     209715200, "b57f6ef6", "aaea82df"},
    {"heat2d", "1024x1024_50", 522346.9570, 516054.9705, middle(1024, 1024), 0.46370789F,
     1.057380e-4, 419430400, "797d2213", "f5927d0c"},
    {"heat2d", "768x768_75", 293537.8208, 287612.9641, middle(768, 768), 0.49278897F, 1.055524e-4,
     353894400, "105152f2", "a72333f7"},
    {"wave3d", "64x64x64_30", 4128.65087, 4079.97077, middle(64, 64, 64), -0.40042922F, 1.040043e-4,
     94371840, "", ""},
    {"wave3d", "160x160x160_20", 64510.24964, 64508.51210, middle(160, 160, 160), 0.60750490F,
     1.060751e-4, 983040000, "", ""},
    {"wave3d", "192x192x192_15", 111473.73106, 111472.75114, middle(192, 192, 192), 0.83187258F,
     1.083187e-4, 1274019840, "", ""},
    {"wave3d", "128x128x128_20", 33029.24584, 33027.45572, middle(128, 128, 128), 0.42752635F,
     1.042753e-4, 503316480, "", ""},
    {"lbm", "64x64_50", 4124.903551, 4124.905460, middle(64, 64), 0.44040602F, 5.452435e-4,
     14745600, "dbeff48c", "56f5ba8f", "max_abs_f"},
    {"lbm", "128x128_100", 16499.61340, 16499.62844, middle(128, 128), 0.44041967F, 5.452743e-4,
     117964800, "21ec9e86", "dc55f18e", "max_abs_f"},
    {"lbm", "256x256_100", 65998.45273, 65998.51315, middle(256, 256), 0.44201952F, 5.449933e-4,
     471859200, "6aa7ed28", "35a4c11f", "max_abs_f"},
    {"lbm", "192x192_75", 37124.12977, 37124.15543, middle(192, 192), 0.44207767F, 5.449915e-4,
     199065600, "ce088660", "7e1efc84", "max_abs_f"},
    {"gradshaf", "65x65_30", 1659.37955, 3191.02876, middle(65, 65), 0.98930603F, 1.098937e-4,
     1521000, "", ""},
    {"gradshaf", "257x257_40", 26560.07253, 29401.24051, middle(257, 257), 0.99736112F, 1.099736e-4,
     31703520, "", ""},
    {"gradshaf", "513x513_30", 106242.28972, 108350.04533, middle(513, 513), 0.99944925F,
     1.099945e-4, 94740840, "", ""},
    {"gradshaf", "129x129_35", 6639.51817, 9120.91898, middle(129, 129), 0.99317634F, 1.099318e-4,
     6989220, "", ""},
    {"adi3d", "N64_20", 13882.67706, 13700.70429, middle(64, 64, 64), 0.74408394F, 1.744084e-3,
     125829120, "", ""},
    {"adi3d", "N96_15", 46873.56286, 46689.77930, middle(96, 96, 96), 0.89942539F, 1.899425e-3,
     318504960, "", ""},
    {"adi3d", "N128_10", 111129.17274, 110942.47334, middle(128, 128, 128), 0.95979524F,
     1.959795e-3, 503316480, "", ""},
    {"adi3d", "P256x192x128_10", 326567.94976, 324766.98135, middle(256, 192, 128), 0.98030245F,
     1.980302e-3, 1509949440, "", ""},
    {"morton", "N32_120", 1732.682885, 1502.510008, z_order_middle(32), 0.34001085F, 1.034001e-4,
     31457280, "", ""},
    {"morton", "N64_60", 13882.67706, 13782.68446, z_order_middle(64), 0.82927555F, 1.082928e-4,
     125829120, "", ""},
    {"morton", "N128_30", 111129.17274, 111003.48138, z_order_middle(128), 0.97509688F, 1.097510e-4,
     503316480, "", ""},
    {"morton", "N256_10", 889274.78645, 889094.36860, z_order_middle(256), 0.99771553F, 1.099772e-4,
     1342177280, "", ""},
};

class Field : public testing::TestWithParam<Known> {};

TEST_P(Field, HasTheKnownStartAndResult) {
  const Known& expected = GetParam();
  const Task& task = the_task(expected.task);
  const Size size = the_size(task, expected.label);
  // The library's exp and sin move the last places of values and so of sums.
  const double slack = expected.start_crc.empty() ? 3e-7 : 1e-9;

  const Plan plan = plan_of(task, size);
  const auto& start = start_of(plan, "A");
  EXPECT_NEAR(sum_of(start), expected.start_sum, slack * expected.start_sum);
  if (!expected.start_crc.empty()) {
    EXPECT_EQ(crc32_of(start), expected.start_crc);
  }

  const Bytes reference = task.reference(size);
  EXPECT_NEAR(sum_of(reference), expected.result_sum, slack * expected.result_sum);
  EXPECT_NEAR(reference.as<float>()[expected.probe], expected.probed, 2e-6);
  if (!expected.result_crc.empty()) {
    EXPECT_EQ(crc32_of(reference), expected.result_crc);
  }

  const Verdict verdict = *task.judge(size, reference, {reference}, {});
  EXPECT_TRUE(verdict.correct);
  EXPECT_EQ(verdict.error_value, 0);
  EXPECT_EQ(verdict.error_kind, expected.error_kind);
  ASSERT_TRUE(verdict.tolerance);
  EXPECT_NEAR(*verdict.tolerance, expected.tolerance, 1e-6 * expected.tolerance);
  EXPECT_EQ(task.work(size), expected.work);
}

INSTANTIATE_TEST_SUITE_P(Tasks, Field, testing::ValuesIn(known), [](const auto& info) {
  return test_name(info.param.task, info.param.label);
});

}  // namespace
}  // namespace msci
