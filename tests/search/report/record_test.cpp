#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "search/report/summary.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr const char* evaluation = R"({"file": "k.metal", "task": "heat2d", "device": "cpu",
  "compile_ok": true, "correct": true, "score": 0.5, "fail_reason": null, "regression_type": null,
  "sizes": [{"label": "256", "correct": true, "gpu_seconds": 0.01, "achieved": 4.0, "ceiling": 8,
             "ceiling_unit": "GB/s", "fraction_of_ceiling": 0.5, "intensity": 0.875}],
  "held_out": {"label": "768", "correct": false, "cause": "time_out", "gpu_seconds": null},
  "strict": {"passed": false, "nonce": "00"},
  "ceilings": {"gflops": 240, "gbps": 8}, "threadgroup_bytes": 1024,
  "diagnostics": [{"severity": "warning", "id": "slow.uncoalesced", "line": 3}], "error": null})";

class Records : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  fs::path folder_ = testing::TempDir() + "msci_records_" + std::to_string(::getpid());
};

std::vector<ResultRecord> read(const std::string& text) {
  auto records = records_in(text, "here");
  EXPECT_TRUE(records) << records.error().message;
  return records ? *std::move(records) : std::vector<ResultRecord>();
}

TEST_F(Records, take_every_figure_of_an_evaluation) {
  const auto record = read(evaluation).at(0);
  EXPECT_EQ(record.name, "k.metal");
  EXPECT_EQ(record.task, "heat2d");
  EXPECT_EQ(record.score(), 0.5);
  ASSERT_TRUE(record.sizes().at(0).timing);
  EXPECT_EQ(record.sizes()[0].timing->seconds, 0.01);
  EXPECT_EQ(record.sizes()[0].timing->intensity, 0.875);
  ASSERT_TRUE(record.held_out());
  EXPECT_FALSE(record.held_out()->correct());
  EXPECT_FALSE(record.held_out()->timing);
  EXPECT_EQ(std::get<Failure>(record.held_out()->answer).cause, Failure::Cause::time_out);
  ASSERT_TRUE(record.strict);
  EXPECT_FALSE(record.strict->passed);
  EXPECT_FALSE(record.is_trusted());
  ASSERT_TRUE(record.ceilings);
  EXPECT_EQ(record.ceilings->gbps, 8);
  EXPECT_EQ(record.threadgroup_bytes, 1024);
  ASSERT_EQ(record.diagnostics.size(), 1u);
  EXPECT_EQ(record.diagnostics[0].id, "slow.uncoalesced");
  EXPECT_EQ(record.diagnostics[0].severity, Severity::warning);
}

TEST_F(Records, come_one_a_line_in_an_array_or_alone) {
  const std::string line = R"({"compile_ok": false, "file": "a"})";
  EXPECT_EQ(read(line + "\n\n" + line + "\r\n").size(), 2u);
  EXPECT_EQ(read("[" + line + "," + line + "]").size(), 2u);
  EXPECT_EQ(read(line).size(), 1u);
}

TEST_F(Records, know_the_bare_infinities_of_older_tools) {
  const auto records = read(
      R"({"compile_ok": true, "file": "NaN \" Infinity", "score": NaN,
          "sizes": [{"label": "a", "achieved": Infinity, "fraction_of_ceiling": -Infinity}]})");
  EXPECT_EQ(records.at(0).name, "NaN \" Infinity");
  EXPECT_FALSE(records[0].score());
  EXPECT_FALSE(records[0].sizes().at(0).timing);
}

TEST_F(Records, of_lint_alone_are_no_verdict) {
  const auto record = read(R"({"file": "a", "valid": false, "regression_type": 3, "checks": {},
                               "diagnostics": [{"rule": "degenerate.no_output", "severity": "error"}]})")
                          .at(0);
  EXPECT_FALSE(record.is_judged);
  EXPECT_EQ(record.diagnostics.at(0).id, "degenerate.no_output");
}

TEST_F(Records, of_a_profile_are_no_verdict) {
  const auto records = records_in(
      R"({"file": "k.metal", "source": "x", "task": "lj", "chip": "m1", "sizes": [{"label": "s",
          "predicted_seconds": 0.5, "launches": [{"kernel": "k", "launches": 3, "advice": "less",
          "lines": [{"line": 7, "cycles": 2.5}]}]}], "message": null, "error": null})",
      "p.json");
  ASSERT_TRUE(records) << records.error().message;
  const auto& page = records->at(0).profile;
  ASSERT_TRUE(page);
  EXPECT_FALSE(records->at(0).is_judged);
  EXPECT_EQ(page->sizes.at(0).launches.at(0).lines.at(0).line, 7u);
  EXPECT_EQ(page->sizes[0].launches[0].lines[0].cycles, 2.5);
  EXPECT_EQ(page->sizes[0].launches[0].launches, 3);
}

TEST_F(Records, of_a_summary_are_its_history) {
  const auto records =
      read(R"([{"run": "r1", "task": "lbm", "chip": "M1", "model": "m", "history": [
      {"iteration": 0, "role": "seed", "compile_ok": true, "correct": true, "score": 0.2},
      {"iteration": 1, "role": "skipped", "compile_ok": false, "correct": false, "score": null}]}])");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].role, EvaluationResult::Role::seed);
  EXPECT_EQ(records[1].role, EvaluationResult::Role::skipped);
  EXPECT_EQ(records[1].name, "r1/01");
  EXPECT_EQ(records[1].generator, "m");
  EXPECT_EQ(records[0].device, "M1");
}

TEST_F(Records, leave_out_numbers_beyond_their_range) {
  const auto records = read(R"([{"run": "r1", "task": "lbm", "history": [
      {"iteration": -3, "role": "candidate"}, {"iteration": 4294967296, "role": "candidate"}]}])");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_FALSE(records[0].iteration);
  EXPECT_FALSE(records[1].iteration);
}

TEST_F(Records, of_a_search_join_history_and_results) {
  write("run1/summary.json", R"({"task": "heat2d", "model": "m", "history": [
      {"iteration": 0, "role": "seed", "compile_ok": true, "correct": true, "score": 0.4},
      {"iteration": 1, "role": "candidate", "compile_ok": true, "correct": true, "score": 0.5,
       "is_new_best": true, "speedup": {"over": 0, "low": 1.2, "estimate": 1.25, "high": 1.3}},
      {"iteration": 2, "role": "candidate", "compile_ok": false, "correct": false, "score": null}]})");
  write("run1/01_result.json", evaluation);
  write("run1/best_result.json", evaluation);
  write("run1/gate.json",
        R"({"iteration": 1, "verdict": "silent-regression", "size": "768",
            "speedup": {"low": 0.7, "estimate": 0.8, "high": 0.9}})");
  write("notes.json", "[]");
  const auto records = read_records({folder_.string()});
  ASSERT_TRUE(records) << records.error().message;
  ASSERT_EQ(records->size(), 3u) << "the best is one of the others";
  EXPECT_EQ((*records)[1].name, "run1/01");
  EXPECT_EQ((*records)[1].generator, "m");
  EXPECT_EQ((*records)[1].sizes().size(), 1u);
  EXPECT_EQ((*records)[1].iteration, 1u);
  EXPECT_EQ((*records)[1].gate, (GateResult{.size = "768",
                                            .verdict = GateVerdict::silent_regression,
                                            .speed_up = Ratio{0.8, ConfidenceInterval{0.7, 0.9}},
                                            .iteration = 1}));
  EXPECT_FALSE((*records)[0].gate);
  EXPECT_EQ((*records)[2].compile_ok(), false);
  EXPECT_TRUE((*records)[1].is_new_best);
  EXPECT_EQ((*records)[1].speed_up, (Ratio{1.25, {1.2, 1.3}}));
  EXPECT_FALSE((*records)[2].is_new_best);
}

TEST_F(Records, of_a_history_have_a_ratio_only_over_the_seed_and_with_its_interval) {
  const auto ratio_of = [&](const std::string& speedup) {
    return read(R"([{"run": "r", "history": [{"iteration": 2, "speedup": )" + speedup + "}]}]")
        .at(0)
        .speed_up;
  };
  EXPECT_EQ(ratio_of(R"({"over": 0, "low": 1, "estimate": 1, "high": 1})"), same_program_ratio);
  EXPECT_FALSE(ratio_of(R"({"over": 1, "low": 1.2, "estimate": 1.25, "high": 1.3})"));
  EXPECT_FALSE(ratio_of(R"({"over": 0, "estimate": 1.25})"));
  EXPECT_FALSE(ratio_of(R"({"over": 0, "low": "a", "estimate": 1.25, "high": 1.3})"));
  EXPECT_FALSE(ratio_of("1.25"));
}

TEST_F(Records, of_searches_in_folders_of_one_name_stay_apart) {
  constexpr const char* history = R"([{"iteration": 0, "role": "seed", "score": 0.4}])";
  for (const char* folder : {"a/run", "b/run", "b/other"})
    write(std::string(folder) + "/history.json", history);
  const auto records = read_records({folder_ / "b/other", folder_ / "b/run/", folder_ / "a/run"});
  ASSERT_TRUE(records) << records.error().message;
  std::vector<std::string> names;
  for (const auto& record : *records) names.push_back(record.run + ": " + record.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"other: other/00", "b/run: b/run/00", "a/run: a/run/00"}));
}

// As searches of an earlier version left it.
TEST_F(Records, of_a_search_whose_gate_has_no_verdict_are_read_without_it) {
  write("run/history.json",
        R"([{"iteration": 0, "role": "seed", "compile_ok": true, "correct": true, "score": 0.4}])");
  write("run/gate.json", R"({"compile_ok": false, "fail_reason": "it crashed", "iteration": 0})");
  const auto records = read_records({(folder_ / "run").string()});
  ASSERT_TRUE(records) << records.error().message;
  ASSERT_EQ(records->size(), 1u);
  EXPECT_FALSE(records->front().gate);
}

TEST(Gate, is_read_with_what_it_has) {
  const auto gate =
      gate_from_json(R"({"verdict": "generalises", "same_program": true, "speedup": null})");
  ASSERT_TRUE(gate);
  EXPECT_TRUE(gate->same_program);
  EXPECT_FALSE(gate->speed_up);
  EXPECT_FALSE(
      gate_from_json(R"({"verdict": "generalises", "speedup": {"estimate": 2}})")->speed_up)
      << "without an interval";
  for (const char* text : {"", "[]", "{}", R"({"verdict": "fine"})", R"({"verdict": 3})",
                           R"({"verdict": "generalises", "speedup": 3})"})
    EXPECT_FALSE(gate_from_json(text)) << text;
  for (const char* iteration : {"-1", "1.5", "1e300", "\"1\"", "null"})
    EXPECT_EQ(
        gate_from_json(std::string(R"({"verdict": "generalises", "iteration": )") + iteration + "}")
            ->iteration,
        std::nullopt)
        << iteration;
}

TEST_F(Records, that_cannot_be_had_are_said_in_a_line) {
  const auto complaint = [](const Result<std::vector<ResultRecord>>& records) {
    return records ? "" : records.error().message;
  };
  EXPECT_NE(complaint(records_in("{", "f")).find("f: it is not JSON"), std::string::npos);
  EXPECT_NE(complaint(records_in("{}", "f")).find("f: it holds no result"), std::string::npos);
  EXPECT_NE(complaint(read_records({"/no/such/file"})).find("no such file"), std::string::npos);
  EXPECT_NE(complaint(read_records({folder_.string()})).find("no result in this folder"),
            std::string::npos);
  const auto broken = write("broken.json", "{\"compile_ok\": tru");
  EXPECT_NE(complaint(read_records({broken})).find("it is not JSON"), std::string::npos);
}

TEST_F(Records, of_the_wrong_types_are_as_good_as_missing) {
  const auto record = read(R"({"compile_ok": "yes", "file": 7, "score": "high", "sizes": 3,
                               "diagnostics": [4], "held_out": [], "ceilings": null})")
                          .at(0);
  EXPECT_FALSE(record.compile_ok());
  EXPECT_FALSE(record.score());
  EXPECT_TRUE(record.sizes().empty());
}

}  // namespace
}  // namespace msci
