// Who may be timed, and what the files say; cases are made by hand.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "base/json.h"
#include "base/sha256.h"
#include "evaluator/evaluate.h"
#include "evaluator/result/files/perf_result.h"

namespace msci {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const Task toy{.name = "toy",
               .sizes = {{"one", {{"n", 1}, {"m", 2}}}, {"two", {{"n", 2}}}},
               .held_out = Size{"nine", {{"n", 9}}},
               .plan = [](const Size& size, const Translation&) -> Result<Plan> {
                 Plan plan;
                 plan.add({.name = "x", .bytes = 1000000 * std::size_t{size["n"]}});
                 for (const auto* kernel : {"a", "b", "a"})
                   plan.launches.push_back({.kernel = kernel});
                 return plan;
               }};
const Translation program{};

SizeResult took(std::string label, double seconds, bool correct = true) {
  return {.label = std::move(label),
          .answer = Verdict{correct, 2, "max_abs", 0.5},
          .timing = Timing{.seconds = seconds}};
}

Outcome both(double one, double two) {
  return Scored{.sizes = {took("one", one), took("two", two)}};
}

VerifyResult verified(const Outcome& outcome) {
  return verify_result(toy, outcome, sha256_of("text"), "cpu");
}

PerfResult timed(const Outcome& outcome, const Outcome& seed) {
  return perf_result(toy, program, outcome, program, seed, "hash", "cpu", benchmark);
}

TEST(Hash, is_sha_256) {
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(VerifyResult, counts_every_size) {
  const auto result = verified(both(1, 1));
  EXPECT_EQ(result.total, 2u);
  EXPECT_EQ(result.passed, 2u);
  EXPECT_TRUE(result.proves(sha256_of("text")));
  EXPECT_FALSE(result.proves(sha256_of("other")));
}

TEST(VerifyResult, counts_the_held_out_size_where_it_was_evaluated) {
  const auto result = verified(
      Scored{.sizes = {took("one", 1), took("two", 1)}, .held_out = took("nine", 1, false)});
  EXPECT_EQ(result.total, 3u);
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0], (CaseFailure{3, "nine (n=9)", "mismatch",
                                             "max_abs 2.000e+00, at most 5.000e-01 allowed"}));
}

TEST(VerifyResult, names_causes_and_seconds) {
  SizeResult hung{.label = "two",
                  .answer = Failure{Failure::Cause::time_out, "no result after 2 s of running"}};
  const auto result = verified(Wrong{{took("one", 1), hung}});
  EXPECT_EQ(result.passed, 1u);
  EXPECT_EQ(result.failures.at(0).type, "time_out");
  EXPECT_EQ(result.failures[0].message, "no result after 2 s of running");
}

TEST(VerifyResult, what_never_ran_has_failed_all) {
  const auto rejected = verified(Rejected{Rejected::Stage::compile, "1:2: no"});
  EXPECT_EQ(rejected.total, 2u);
  EXPECT_EQ(rejected.passed, 0u);
  EXPECT_EQ(rejected.failures.at(1).type, "compile");
  const auto stopped = verified(Wrong{{took("one", 1, false)}});
  EXPECT_EQ(stopped.failures.at(1).type, "not_run");
}

TEST(VerifyResult, comes_back_from_its_file) {
  const auto result = verified(Wrong{{took("one", 1), took("two", 1, false)}});
  const auto back = read_verify_result(to_json(result));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, result);
}

class Gate : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  // What the gate says of the kernel "text" when the file holds that.
  std::string refusal(const std::string& file) const {
    std::ofstream(path_) << file;
    const auto error = refuse_timing(path_, "text");
    return error ? error->message : "";
  }

  fs::path folder_ = testing::TempDir() + "msci_gate_" + std::to_string(::getpid());
  std::string path_ = folder_ / "verify_result.json";
};

TEST_F(Gate, opens_for_what_is_proven) { EXPECT_EQ(refusal(to_json(verified(both(1, 1)))), ""); }

TEST_F(Gate, stays_shut_without_a_readable_proof) {
  EXPECT_NE(refuse_timing(path_, "text")->message.find("no such file"), std::string::npos);
  EXPECT_NE(refusal("").find("is empty"), std::string::npos);
  EXPECT_NE(refusal("{").find("it is not a verify result"), std::string::npos);
  EXPECT_NE(refusal("[1]").find("it is not a verify result"), std::string::npos);
  EXPECT_NE(refusal(R"({"op_name": "toy"})").find("it is not a verify result"), std::string::npos);
}

TEST_F(Gate, stays_shut_for_another_kernel_or_no_cases) {
  auto other = verified(both(1, 1));
  other.candidate = sha256_of("text ");
  EXPECT_NE(refusal(to_json(other)).find("it is about another kernel"), std::string::npos);
  auto none = verified(both(1, 1));
  none.total = none.passed = 0;
  EXPECT_NE(refusal(to_json(none)).find("it has no cases"), std::string::npos);
}

TEST_F(Gate, tells_the_first_five_failures) {
  auto wrong = verified(both(1, 1));
  wrong.total = 7;
  wrong.passed = 1;
  for (std::size_t i = 1; i <= 6; ++i) wrong.failures.push_back({i, "in", "crash", "signal"});
  const auto text = refusal(to_json(wrong));
  EXPECT_NE(text.find(path_ + ": 1 of 7 cases passed"), std::string::npos) << text;
  EXPECT_NE(text.find("case 5, in: crash: signal"), std::string::npos);
  EXPECT_EQ(text.find("case 6"), std::string::npos);
}

TEST_F(Gate, does_not_believe_counts_that_disagree) {
  auto lying = verified(Wrong{{took("one", 1), took("two", 1, false)}});
  lying.passed = 2;
  EXPECT_NE(refusal(to_json(lying)), "");
}

TEST(PerfResult, is_the_geometric_mean_of_the_seeds_time_over_the_candidates) {
  const auto result = timed(both(1, 1), both(8, 2));
  EXPECT_DOUBLE_EQ(*result.cases.at(0).speed_up, 8);
  EXPECT_DOUBLE_EQ(*result.speed_up(), 4);
  const auto json = Json::parse(to_json(result));
  EXPECT_EQ(json["warmup"], 5);
  EXPECT_EQ(json["repeats"], 50);
  EXPECT_EQ(json["framework"]["avg_latency_ms"], 5000);
  EXPECT_EQ(json["implementation"]["operators"], Json({"a", "b"}));
  EXPECT_EQ(json["per_shape_results"][1]["framework"]["peak_memory_mb"], 2);
  EXPECT_EQ(json["per_shape_results"][0]["input_desc"], "one (n=1, m=2)");
}

TEST(PerfResult, odd_ratios_keep_their_case_passed_and_stay_out_of_the_mean) {
  const double infinity = std::numeric_limits<double>::infinity();
  const struct {
    double seed, candidate;
    const char* field;
  } odd[] = {{0, 0, "nan_indices"},        {NAN, 1, "nan_indices"}, {1, 0, "inf_indices"},
             {infinity, 1, "inf_indices"}, {0, 1, "zero_indices"},  {-1, 1, "negative_indices"}};
  for (const auto& each : odd) {
    const auto json = Json::parse(to_json(timed(both(1, each.candidate), both(3, each.seed))));
    EXPECT_EQ(json[each.field], Json({2})) << each.field;
    EXPECT_EQ(json["passed_cases"], 2);
    EXPECT_DOUBLE_EQ(json["speedup"].get<double>(), 3);
  }
  Scored untimed{
      .sizes = {took("one", 1), {.label = "two", .answer = Verdict{true, 0, "exact", {}}}}};
  const auto json = Json::parse(to_json(timed(untimed, both(2, 2))));
  EXPECT_EQ(json["none_indices"], Json({2}));
  EXPECT_DOUBLE_EQ(json["speedup"].get<double>(), 2);
}

TEST(PerfResult, failed_cases_are_in_no_class_and_nothing_valid_is_null) {
  const auto json = Json::parse(
      to_json(timed(Wrong{{took("one", 1, false), took("two", 1, false)}}, both(1, 1))));
  EXPECT_EQ(json["failed_cases"], 2);
  EXPECT_EQ(json["speedup"], nullptr);
  for (const auto* field : {"nan_indices", "none_indices"}) EXPECT_EQ(json[field], Json::array());
  EXPECT_EQ(json["per_shape_results"][0]["status"], "failed");
}

}  // namespace
}  // namespace msci
