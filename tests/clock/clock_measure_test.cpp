#include <gtest/gtest.h>

#include "tests/clock/calibrate.h"
#include "tests/clock/measure.h"

namespace msci {
namespace {

// A pass of one launch that only adds.
Profile adding(double instructions) {
  LaunchProfile launch{.kernel = "k", .groups = 10000, .simdgroups = 8, .active_lanes = 32};
  launch.work[static_cast<std::size_t>(WorkKind::float_add)] = instructions;
  launch.registers = 20;
  return {{launch}};
}

// Kernels of one run, by their instructions and recorded seconds.
std::vector<ProfiledRecord> run_of(const std::string& task,
                                   const std::vector<std::pair<double, double>>& kernels) {
  std::vector<ProfiledRecord> records;
  for (const auto& [instructions, seconds] : kernels) {
    ProfiledRecord record;
    record.id = task + std::to_string(records.size());
    record.task = task;
    record.run = "run of " + task;
    record.size = "one";
    record.seconds = seconds;
    record.times = {{"one", seconds}};
    record.profile = adding(instructions);
    records.push_back(std::move(record));
  }
  return records;
}

TaskConstants built_for(const std::vector<ProfiledRecord>& records) {
  TaskConstants constants;
  for (const auto& record : records) constants[record.task] = m1_pro_constants;
  return constants;
}

std::string as_built(const std::vector<ProfiledRecord>& records) {
  return measure_table(records, built_for(records), true);
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Measure, counts_pairs_in_order_and_equal_predictions_as_wrong) {
  const auto right = as_built(run_of("t", {{4000, 0.03}, {400, 0.01}}));
  EXPECT_TRUE(has(right, "| t | 1 | 1.00 | 1.00 | 0 | 0 | 0 | 1 | 1.00 |")) << right;
  const auto wrong = as_built(run_of("t", {{400, 0.03}, {4000, 0.01}}));
  EXPECT_TRUE(has(wrong, "| t | 1 | 0.00 | 1.00 | 0 | 0 | 0 | 1 | 0.00 |")) << wrong;
  const auto tie = as_built(run_of("t", {{4000, 0.03}, {4000, 0.01}}));
  EXPECT_TRUE(has(tie, "| t | 1 | 0.00 | 0.00 | 1 | 0 | 0 | 0 | – |")) << tie;
}

// A claim about two kernels that are recorded as nearly equal can be wrong, too.
TEST(Measure, counts_claims_about_all_pairs) {
  const auto near = as_built(run_of("t", {{400, 0.0101}, {4000, 0.01}}));
  EXPECT_TRUE(has(near, "| t | 0 | – | – | 0 | 0 | 0 | 1 | 0.00 |")) << near;
}

TEST(Pairs, are_reproducible_where_all_sizes_agree) {
  auto records = run_of("t", {{1, 0.03}, {1, 0.01}});
  EXPECT_TRUE(pairs_of(records).at(0).is_reproducible);
  records[0].times.push_back({"two", 1});
  records[1].times.push_back({"two", 2});
  EXPECT_FALSE(pairs_of(records).at(0).is_reproducible);
  records[1].run = "another";
  EXPECT_TRUE(pairs_of(records).empty());
}

// A third of the times of each task are wrong by a factor of three.
TEST(Calibrated, widens_intervals_to_the_errors_of_other_tasks) {
  std::vector<ProfiledRecord> records;
  for (const auto* task : {"a", "b", "c", "d", "e", "f"}) {
    const double seconds =
        predict(adding(4000), **find_chip(default_chip), m1_pro_constants).seconds;
    for (auto& record :
         run_of(task, {{4000, seconds}, {4000, 1.01 * seconds}, {4000, 3 * seconds}}))
      records.push_back(record);
  }
  std::vector<Prediction> predictions;
  for (const auto& record : records)
    predictions.push_back(predict(record.profile, **find_chip(default_chip), m1_pro_constants));
  const auto calibration = calibrated(records, predictions, pairs_of(records), "a");
  const auto pass = predicted_pass(records[0].profile, predictions[0], calibration.range);
  EXPECT_EQ(pass.unlike, "");
  const auto interval = interval_of(pass, calibration);
  EXPECT_GE(interval.high / pass.seconds, 2.99);
  EXPECT_LE(interval.high / pass.seconds, 3.5);
}

// Thirty tasks of two kernels each: from a ratio of 1.5 on, all predictions are in order, and below
// it none.
TEST(Calibrated, claims_from_the_ratio_on_that_keeps_its_promise) {
  std::vector<ProfiledRecord> records;
  std::vector<Prediction> predictions;
  for (unsigned i = 0; i < 30; ++i) {
    const bool is_right = i % 2 == 0;
    const double ratio = is_right ? 1.5 + 0.01 * i : 1.1 + 0.01 * i;
    for (auto& record : run_of("task" + std::to_string(i),
                               {{4000, is_right ? 2 : 1}, {4000 * ratio, is_right ? 3 : 0.5}})) {
      predictions.push_back(predict(record.profile, **find_chip(default_chip), m1_pro_constants));
      records.push_back(std::move(record));
    }
  }
  const auto calibration = calibrated(records, predictions, pairs_of(records), "");
  EXPECT_NEAR(std::exp(calibration.claim_width), 1.4, 0.1);
}

}  // namespace
}  // namespace msci
