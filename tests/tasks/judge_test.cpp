// Verdicts at their edges.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "check.h"
#include "tasks/launch.h"

namespace msci {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(MaxDifference, PropagatesNaN) {
  const std::vector<float> expected{1, 2, 3};
  EXPECT_EQ(max_difference(std::vector<float>{1, 2.5F, 3}, expected), 0.5);
  for (std::size_t at = 0; at < 3; ++at) {
    std::vector<float> got{2, 4, 1};
    got[at] = nan;
    EXPECT_TRUE(std::isnan(max_difference(got, expected))) << at;
  }
  EXPECT_EQ(max_difference(std::vector<float>{1, infinity, 3}, expected), infinity);
  EXPECT_TRUE(
      std::isnan(max_difference(std::vector<float>{infinity}, std::vector<float>{infinity})));
}

TEST(MaxDifference, RoundsEachDifferenceToFloat) {
  EXPECT_EQ(max_difference(std::vector<float>{0.1F}, std::vector<float>{0.3F}),
            double{0.3F - 0.1F});
}

TEST(MaxMagnitude, IgnoresSigns) {
  EXPECT_EQ(max_magnitude(std::vector<float>{1, -3, 2}), 3);
  EXPECT_EQ(max_magnitude(std::vector<float>{}), 0);
}

TEST(Within, TakesTheToleranceItselfAndNoNaN) {
  EXPECT_TRUE(within("max_abs", 0.5, 0.5).correct);
  EXPECT_FALSE(within("max_abs", std::nextafter(0.5, 1), 0.5).correct);
  EXPECT_FALSE(within("max_abs", infinity, 0.5).correct);
  const Verdict verdict = within("max_abs", nan, 0.5);
  EXPECT_FALSE(verdict.correct);
  EXPECT_TRUE(std::isnan(verdict.error_value));
}

TEST(Within, NamesTheFirstElementBeyondTheTolerance) {
  const std::vector<float> expected{1, 2, 3, 4, 5, 6};
  EXPECT_FALSE(
      within("max_abs", std::vector<float>{1, 2, 3, 4, 5, 6.5F}, expected, 0.5).differences);
  EXPECT_EQ(
      within("max_abs", std::vector<float>{1, 2.1F, 3, 5.25F, nan, 6}, expected, 0.5).differences,
      (Differences{6, 2, 1, "[3] is 5.25, not 4"}));
  EXPECT_EQ(
      within("max_abs", std::vector<float>{1, 2, 3, 4, nan, 6}, expected, 0.5, "xyz").differences,
      (Differences{6, 1, 1, "[1].y is NaN, not 5"}));
}

// A task that is judged by the largest difference, and how a device would lay out the right answer.
struct Compared {
  std::string_view task;
  bool has_points = false;  // float4 positions
  bool has_counters = false;
};

const Compared compared[] = {{"saxpy"}, {"heat2d"},         {"wave3d"},   {"nbody", true},
                             {"lbm"},   {"lj", true, true}, {"gradshaf"}, {"fft3d"},
                             {"adi3d"}, {"morton"}};

class Judge : public testing::TestWithParam<Compared> {
 protected:
  const Task& task = the_task(GetParam().task);
  const Size& size = task.sizes[0];
  const Bytes reference = task.reference(size);

  // The right answer after `change` was made to one value of it, at `place` thousandths of its
  // length.
  template <typename Change>
  Verdict judge_after(std::size_t place, const Change& change) const {
    const auto right = reference.as<float>();
    std::vector<float> values(right.begin(), right.end());
    change(values[(values.size() - 1) * place / 1000]);
    Outputs output = {GetParam().has_points ? Bytes{pack(values).take_bytes()}
                                            : Bytes::of<float>(values)};
    if (GetParam().has_counters) output.push_back(Bytes::of<unsigned>(std::vector<unsigned>(125)));
    return *task.judge(size, reference, output, output);
  }
};

TEST_P(Judge, AcceptsTheReference) {
  const Verdict verdict = judge_after(0, [](float&) {});
  EXPECT_TRUE(verdict.correct);
  EXPECT_EQ(verdict.error_value, 0);
}

TEST_P(Judge, RejectsNaNAnywhere) {
  for (const std::size_t place : {0, 1, 500, 777, 1000}) {
    const Verdict verdict = judge_after(place, [](float& value) { value = nan; });
    EXPECT_FALSE(verdict.correct) << place;
    EXPECT_TRUE(std::isnan(verdict.error_value)) << place;
  }
}

TEST_P(Judge, AllowsItsToleranceAndNoMore) {
  const double tolerance = *judge_after(0, [](float&) {}).tolerance;
  for (const std::size_t place : {0, 500, 1000}) {
    const auto off_by = [&](double share) {
      return judge_after(place,
                         [=](float& value) { value += static_cast<float>(share * tolerance); });
    };
    EXPECT_TRUE(off_by(0.95).correct) << place;
    EXPECT_FALSE(off_by(1.05).correct) << place;
    EXPECT_NEAR(off_by(-1.05).error_value, 1.05 * tolerance, 0.01 * tolerance) << place;
  }
}

INSTANTIATE_TEST_SUITE_P(Tasks, Judge, testing::ValuesIn(compared),
                         [](const auto& info) { return std::string(info.param.task); });

// w is whatever a kernel leaves there.
TEST(JudgePoints, DoesNotLookAtW) {
  const Task& task = the_task("nbody");
  const Bytes reference = task.reference(task.sizes[0]);
  auto points = pack(reference.as<float>());
  for (Float4& point : points) point.w = nan;
  const Bytes output{std::move(points).take_bytes()};
  EXPECT_TRUE(task.judge(task.sizes[0], reference, {output}, {})->correct);
}

}  // namespace
}  // namespace msci
