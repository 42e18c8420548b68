// Results as text and as JSON.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "base/json.h"
#include "evaluator/check/check_result.h"
#include "evaluator/result/gate_result.h"
#include "evaluator/result/result_text.h"
#include "tests/support/field_filler.h"

namespace msci {
namespace {

using Json = nlohmann::json;

SizeResult right(const std::string& label, std::optional<Timing> timing = std::nullopt) {
  return {.label = label,
          .answer = Verdict{true, 1.5e-7, "max_abs", 1e-4},
          .timing = timing,
          .achieved_unit = "GB/s (effective)",
          .ceiling_unit = "GB/s"};
}

SizeResult off_by(const std::string& label, double error) {
  return {.label = label, .answer = Verdict{false, error, "max_abs", 1e-4}};
}

SizeResult failing(const std::string& label, Failure::Cause cause) {
  return {.label = label, .answer = Failure{cause, "no result after 2 s of running"}};
}

const Spread measured{.samples = 5,
                      .interval = ConfidenceInterval{0.4, 0.6},
                      .interquartile = 0.25,
                      .relative_error = 0.125,
                      .outliers = 1};

EvaluationResult report_of(std::variant<Outcome, Error> result) {
  return {.file = "k.metal", .task = "toy", .device = "fake", .result = std::move(result)};
}

double reward_in(const EvaluationResult& result) {
  return Json::parse(to_json(result))["reward"].get<double>();
}

TEST(Reward, is_in_the_order_of_merit) {
  EXPECT_EQ(reward_in(report_of(Rejected{Rejected::Stage::compile, "1:2: no"})), 0);
  EXPECT_DOUBLE_EQ(reward_in(report_of(Wrong{{off_by("1M", 9)}})), 0.1);
  EXPECT_DOUBLE_EQ(reward_in(report_of(Wrong{{right("1M"), off_by("2M", 9)}})), 0.2);
  auto strict = report_of(Scored{{right("1M")}, 0.9});
  strict.strict = StrictResult{.passed = false};
  EXPECT_DOUBLE_EQ(reward_in(strict), 0.3);
  strict.strict->passed = true;
  EXPECT_DOUBLE_EQ(reward_in(strict), 0.5);
  EXPECT_TRUE(Json::parse(to_json(report_of(Error{"a limit"})))["reward"].is_null());
}

TEST(Reward, is_nothing_where_nothing_is_tried) {
  auto nothing = report_of(Wrong{{off_by("1M", 9)}});
  nothing.diagnostics.push_back({.id = "degenerate.no_output"});
  EXPECT_EQ(reward_in(nothing), 0);
  auto fake = report_of(Wrong{{off_by("1M", 9)}});
  fake.regression_type = 3;
  EXPECT_EQ(reward_in(fake), 0);
}

TEST(Reward, grows_with_the_low_end_of_the_gain) {
  // Without measured turns, no speed is rewarded.
  EXPECT_DOUBLE_EQ(reward_in(report_of(Scored{{right("1M")}, 0.9})), 0.5);
  auto same = report_of(Scored{{right("1M")}, 0.9});
  same.comparison = ComparisonResult{.rival = "seed", .same_program = true};
  EXPECT_DOUBLE_EQ(reward_in(same), 0.75);
  const auto of_ratio = [](double ratio) {
    auto result = report_of(Scored{{right("1M")}, 0.9});
    PairedTimes times{.label = "1M"};
    for (int i = 0; i < 12; ++i) {
      times.candidate.push_back(1 + 0.001 * i);
      times.rival.push_back(ratio * (1 + 0.001 * i));
    }
    result.comparison = ComparisonResult{.rival = "seed", .times = {{times}}};
    return reward_in(result);
  };
  EXPECT_LT(of_ratio(0.5), of_ratio(1));
  EXPECT_LT(of_ratio(1), of_ratio(2));
  EXPECT_LT(of_ratio(2), of_ratio(100));
  EXPECT_NEAR(of_ratio(2), 0.5 + 0.5 * 2 / 3.0, 1e-3);
}

TEST(FailReason, speaks_the_benchmarks_words) {
  EXPECT_EQ(fail_reason(Scored{}), std::nullopt);
  EXPECT_EQ(fail_reason(Rejected{Rejected::Stage::compile, "1:2: no"}), "compile error: 1:2: no");
  EXPECT_EQ(fail_reason(Rejected{Rejected::Stage::pipeline, "no kernel"}),
            "pipeline error: no kernel");
  EXPECT_EQ(fail_reason(Wrong{{right("1M"), off_by("2M", 12.25), off_by("3M", 1)}}),
            "correctness failed at size 2M: max_abs=1.225e+01");
  EXPECT_EQ(fail_reason(Wrong{{off_by("1M", NAN)}}), "correctness failed at size 1M: max_abs=nan");
  EXPECT_EQ(fail_reason(Wrong{{failing("1M", Failure::Cause::time_out)}}),
            "runtime error at size 1M: no result after 2 s of running");
}

// Other keys may be there, too.
void expect_holds(const Json& json, const Json& expected) {
  for (const auto& [key, value] : expected.items()) {
    ASSERT_TRUE(json.contains(key)) << key;
    EXPECT_EQ(json[key], value) << key;
  }
}

TEST(JsonReport, holds_the_benchmarks_fields) {
  auto report =
      report_of(Scored{.sizes = {right("1M", Timing{0.5, 50, 200, 0.25, 0.5, measured})},
                       .score = 0.25,
                       .held_out = right("4M", Timing{1, 25, 200, 0.125, 0.5, measured})});
  report.ceilings = Ceilings{1, 200, Ceilings::Source::measured};
  const auto text = to_json(report);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto json = Json::parse(text);
  const auto size =
      Json::parse(R"json({"label": "1M", "correct": true, "error_value": 1.5e-7, "error_text": null,
      "error_kind": "max_abs", "tolerance": 1e-4, "cause": null, "message": null, "gpu_seconds": 0.5,
      "achieved": 50.0, "achieved_unit": "GB/s (effective)", "ceiling": 200.0, "ceiling_unit": "GB/s",
      "fraction_of_ceiling": 0.25, "above_ceiling": null, "intensity": 0.5, "spread": {"samples": 5, "median_low": 0.4,
      "median_high": 0.6, "interquartile": 0.25, "relative_error": 0.125, "outliers": 1, "drift": null},
      "overruns": [], "timed_correct": null})json");
  auto held_out = size;
  held_out.update(
      {{"label", "4M"}, {"gpu_seconds", 1.0}, {"achieved", 25.0}, {"fraction_of_ceiling", 0.125}});
  ASSERT_EQ(json["sizes"].size(), 1U);
  expect_holds(json["sizes"][0], size);
  expect_holds(json["held_out"], held_out);
  expect_holds(json, Json{{"file", "k.metal"},
                          {"role", "candidate"},
                          {"task", "toy"},
                          {"device", "fake"},
                          {"ceiling_source", "measured"},
                          {"ceilings", {{"gflops", 1.0}, {"gbps", 200.0}, {"beside_load", false}}},
                          {"protocol", nullptr},
                          {"machine", nullptr},
                          {"compile_ok", true},
                          {"correct", true},
                          {"score", 0.25},
                          {"fail_reason", nullptr},
                          {"regression_type", nullptr},
                          {"threadgroup_bytes", nullptr},
                          {"source_bytes", 0},
                          {"misread", Json::array()},
                          {"strict", nullptr},
                          {"versus", nullptr},
                          {"diagnostics", Json::array()},
                          {"error", nullptr}});
}

TEST(JsonReport, has_the_strict_verdict_in_a_field_of_its_own) {
  auto report = report_of(Scored{.sizes = {right("1M")}});
  auto overrun = right("7x5");
  overrun.overruns = {"y"};
  report.strict = StrictResult{.nonce = 0xabc, .sizes = {overrun}};
  const auto json = Json::parse(to_json(report));
  EXPECT_EQ(json["correct"], true);
  expect_holds(
      json["strict"],
      Json::parse(R"json({"passed": false, "nonce": "0000000000000abc", "ghosts": []})json"));
  expect_holds(json["strict"]["sizes"].at(0),
               Json::parse(R"json({"label": "7x5", "correct": true, "error_value": 1.5e-7,
      "error_text": null, "error_kind": "max_abs", "tolerance": 1e-4, "cause": null, "message": null,
      "overruns": ["y"]})json"));
}

TEST(JsonReport, spells_what_json_has_no_number_for) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto json = Json::parse(to_json(report_of(Wrong{
      {off_by("1M", NAN), off_by("2M", infinity), failing("3M", Failure::Cause::time_out)}})));
  EXPECT_EQ(json["correct"], false);
  EXPECT_EQ(json["score"], nullptr);
  for (const auto& size : json["sizes"]) EXPECT_EQ(size["error_value"], nullptr);
  EXPECT_EQ(json["sizes"][0]["error_text"], "NaN");
  EXPECT_EQ(json["sizes"][1]["error_text"], "Infinity");
  EXPECT_EQ(json["sizes"][2]["error_kind"], "exception");
  EXPECT_EQ(json["sizes"][2]["cause"], "time_out");
  EXPECT_EQ(json["sizes"][2]["gpu_seconds"], nullptr);
}

TEST(JsonReport, tells_a_refused_source_from_a_refused_pipeline_and_from_an_error) {
  auto report = report_of(Rejected{Rejected::Stage::compile, "undeclared"});
  report.diagnostics = {{.severity = Severity::error,
                         .id = "undeclared_var_use",
                         .place = {"", {{3, 5}, {3, 9}}},
                         .message = "bytes of any encoding: \xe9"}};
  const auto refused = Json::parse(to_json(report));
  EXPECT_EQ(refused["compile_ok"], false);
  EXPECT_EQ(refused["correct"], false);
  EXPECT_EQ(refused["diagnostics"][0]["line"], 3);
  EXPECT_EQ(refused["diagnostics"][0]["severity"], "error");

  const auto pipeline =
      Json::parse(to_json(report_of(Rejected{Rejected::Stage::pipeline, "too much"})));
  EXPECT_EQ(pipeline["compile_ok"], true);
  EXPECT_EQ(pipeline["fail_reason"], "pipeline error: too much");

  const auto error = Json::parse(to_json(report_of(Error{"no such file"})));
  EXPECT_EQ(error["compile_ok"], nullptr);
  EXPECT_EQ(error["correct"], nullptr);
  EXPECT_EQ(error["error"], "no such file");
}

TEST(TextReport, has_a_line_for_each_size_and_a_conclusion) {
  auto report =
      report_of(Scored{.sizes = {right("1M", Timing{0.0005, 50, 200, 0.25})}, .score = 0.25});
  report.ceilings = Ceilings{1, 200, Ceilings::Source::table};
  const auto text = to_text(report, false);
  EXPECT_NE(
      text.find(
          "k.metal: toy on fake\n  1M             right  max_abs 1.500e-07 (at most 1.000e-04)"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("0.5 ms"), std::string::npos) << text;
  EXPECT_NE(text.find("25.0 % of 200\n  score 0.2500 of the table's ceiling\n"), std::string::npos)
      << text;
}

TEST(ResultText, says_why_a_right_size_fails_the_strict_verdict) {
  auto size = right("s");
  size.wrong_pass = "max_abs is 6.0e-06, more than rounding explains (5.7e-06)";
  EXPECT_NE(
      to_text(report_of(Scored{.sizes = {size}}), false)
          .find("  at size s max_abs is 6.0e-06, more than rounding explains (5.7e-06), which "
                "fails the strict verdict\n"),
      std::string::npos);
}

TEST(TextReport, aligns_the_lines_of_long_labels) {
  const auto text =
      to_text(report_of(Scored{.sizes = {right("64 in 64"), right("1000000 in 1000")}}), false);
  EXPECT_NE(text.find("\n  64 in 64        right  max_abs"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  1000000 in 1000 right  max_abs"), std::string::npos) << text;
}

TEST(TextReport, says_what_is_wrong_and_what_was_overrun) {
  auto size = off_by("1M", 3);
  size.overruns = {"y", "x"};
  size.timing = Timing{0.0005, 50, 200, 0.25};
  auto report = report_of(Wrong{{size}});
  report.type_mismatches = {"k reads uint where ushort is bound"};
  const auto text = to_text(report, false);
  EXPECT_EQ(text.find("0.5 ms"), std::string::npos) << text;
  EXPECT_NE(text.find("  note: k reads uint where ushort is bound\n"), std::string::npos) << text;
  EXPECT_NE(text.find("WRONG  max_abs 3.000e+00"), std::string::npos) << text;
  EXPECT_NE(text.find("note: writes beside the ends of y, x at size 1M\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  correctness failed at size 1M: max_abs=3.000e+00\n"), std::string::npos)
      << text;
}

TEST(TextReport, names_the_first_element_that_differs) {
  const auto text = to_text(
      report_of(
          Wrong{{{.label = "1M",
                  .answer = Verdict{.correct = false,
                                    .error_value = 5,
                                    .error_kind = "different",
                                    .tolerance = 0,
                                    .differences = Differences{64, 5, 0, "y[3] is 7, not 8"}}}}}),
      false);
  EXPECT_NE(text.find("WRONG  5 of 64 elements differ; y[3] is 7, not 8\n"), std::string::npos)
      << text;
}

SizeResult off_at(const std::string& label, double error, Differences differences) {
  auto size = off_by(label, error);
  std::get<Verdict>(size.answer).differences = std::move(differences);
  return size;
}

TEST(TextReport, names_the_first_element_beyond_a_tolerance) {
  const auto report = report_of(Wrong{{off_at("1M", NAN, {64, 9, 2, "y[3] is NaN, not 0.25"})}});
  const std::string sentence =
      "9 of 64 elements differ by more, 2 of them NaN; y[3] is NaN, not 0.25";
  const auto text = to_text(report, false);
  EXPECT_NE(text.find("WRONG  max_abs nan (at most 1.000e-04); " + sentence + "\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(report.fail_reason(), "correctness failed at size 1M: max_abs=nan; " + sentence);
  EXPECT_NE(prompt_text(report).find("INCORRECT (max_abs=nan, tolerance 1.000e-04; " + sentence),
            std::string::npos)
      << prompt_text(report);
}

TEST(TextReport, of_one_element) {
  const auto text =
      to_text(report_of(Wrong{{off_at("1M", 3, {1, 1, 0, "y[0] is 4, not 1"})}}), false);
  EXPECT_NE(text.find("; 1 of 1 element differs by more; y[0] is 4, not 1\n"), std::string::npos)
      << text;
}

TEST(StrictResult, hides_from_a_search_how_large_the_held_out_size_is) {
  const Outcome outcome = Scored{.sizes = {right("1M")}};
  const auto reason = [&](const std::string& label) {
    return strict_fail_reason(
        outcome, StrictResult{.sizes = {off_at(label, 3, {4096, 9, 0, "y[3] is 4, not 1"})}});
  };
  EXPECT_EQ(reason("7x5"),
            "strict: wrong at size 7x5: max_abs 3.000e+00 (at most 1.000e-04); 9 of 4096 elements "
            "differ by more; y[3] is 4, not 1");
  EXPECT_EQ(reason("held out"),
            "strict: wrong at size held out: max_abs 3.000e+00 (at most 1.000e-04)");
}

TEST(TextReport, says_above_instead_of_a_fraction_that_cannot_be) {
  Timing timing{0.0005, 300, 200, 1.05};
  timing.above_ceiling = "the task counts more bytes";
  auto report = report_of(Scored{.sizes = {right("1M", timing)}, .score = 1.05});
  report.ceilings = Ceilings{1, 200, Ceilings::Source::measured};
  const auto text = to_text(report, false);
  EXPECT_NE(text.find("  above 200\n"), std::string::npos) << text;
  EXPECT_EQ(text.find(" % of 200"), std::string::npos) << text;
  EXPECT_NE(text.find("  note: size 1M is above the ceiling: the task counts more "
                      "bytes\n"),
            std::string::npos)
      << text;
  const std::string note = "  note: other work ran on this machine while its ceiling was measured";
  EXPECT_EQ(text.find(note), std::string::npos) << text;
  report.ceilings->is_beside_load = true;
  EXPECT_NE(to_text(report, false).find(note), std::string::npos);
  report.result = Wrong{{off_by("1M", 3)}};
  EXPECT_EQ(to_text(report, false).find(note), std::string::npos) << "no fraction is printed";
}

// A terminal must not obey what a source, or its name, says.
TEST(TextReport, passes_no_control_characters_of_names_and_messages) {
  const auto shows_all = [](const std::string& text) {
    EXPECT_EQ(text.find_first_of("\033\a\r"), std::string::npos) << text;
    EXPECT_NE(text.find("e?[31m?.metal"), std::string::npos) << text;
    for (const auto* forged : {"\nfine", "\nk.metal: all sizes right"})
      EXPECT_EQ(text.find(forged), std::string::npos) << text;
  };
  const std::string name = "e\033[31m\a.metal\nfine";
  Diagnostic finding{.id = "check.race",
                     .place = {"", {{3, 1}, {3, 2}}},
                     .message = "boo \033]0;x\a\r\nk.metal: all sizes right"};
  finding.notes.push_back({{"", {{9, 1}, {9, 2}}}, finding.message});
  auto report = report_of(Rejected{Rejected::Stage::compile, "compile error: " + name});
  report.file = name;
  report.diagnostics = {finding};
  shows_all(to_text(report, false));
  report.result = Scored{.sizes = {right("1M")}};
  report.comparison = ComparisonResult{.rival = name, .same_program = true};
  shows_all(to_text(report, false));
  report.result = Error{finding.message + " e\033[31m\a.metal"};
  shows_all(to_text(report, false));
  CheckResult check{
      .heading = {.file = name}, .diagnostics = {finding}, .result = Checked{{finding}}};
  shows_all(to_text(check, false));
  check.result = Rejected{Rejected::Stage::compile, name};
  shows_all(to_text(check, false));
}

TEST(TextReport, names_no_error_where_none_is_allowed) {
  const auto line = [](Verdict verdict) {
    const auto text =
        to_text(report_of(Scored{.sizes = {{.label = "1M", .answer = std::move(verdict)}}}), false);
    const auto begin = text.find("  1M");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  const std::string right = "  1M             right";
  EXPECT_EQ(line({.correct = true, .error_value = 0, .error_kind = "check"}), right);
  EXPECT_EQ(line({.correct = true, .error_value = 0, .error_kind = "strict_rel", .tolerance = 0.0}),
            right);
  EXPECT_EQ(line({.correct = true, .error_value = 0, .error_kind = "max_abs", .tolerance = 1.0}),
            right + "  max_abs 0.000e+00 (at most 1.000e+00)");
}

TEST(TextReport, says_slower_where_it_is_slower) {
  const auto conclusion = [](double candidate) {
    auto report = report_of(Scored{.sizes = {right("1M")}});
    const std::vector<double> ours(12, candidate), theirs(12, 1);
    report.comparison = ComparisonResult{.rival = "seed", .times = {{{"1M", ours, theirs}}}};
    const auto text = to_text(report, false);
    return text.substr(text.rfind(": "));
  };
  EXPECT_EQ(conclusion(1.5), ": slower\n");
  EXPECT_EQ(conclusion(1.01), ": not shown to be 2 % faster\n");
  EXPECT_EQ(conclusion(0.5), ": faster\n");
}

TEST(TextReport, compares_no_program_with_itself) {
  auto report = report_of(Scored{.sizes = {right("1M")}});
  report.comparison = ComparisonResult{.rival = "old.metal", .same_program = true};
  EXPECT_NE(to_text(report, false)
                .find("  against old.metal: both translate to the same program; no comparison is "
                      "run\n"),
            std::string::npos);
  const auto read = evaluation_from_json(to_json(report));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->comparison, report.comparison);
  EXPECT_NE(to_json(report).find("\"ratio\":1.0,\"low\":1.0,\"high\":1.0,\"same_program\":true"),
            std::string::npos)
      << to_json(report);
}

TEST(TextReport, gives_no_ratio_without_an_interval) {
  auto report = report_of(Scored{.sizes = {right("1M")}});
  report.comparison = ComparisonResult{.rival = "seed", .times = {{{"1M", {1, 1}, {2, 2}}}}};
  EXPECT_NE(to_text(report, false).find("  all            no ratio after 2 rounds: not shown"),
            std::string::npos)
      << to_text(report, false);
  EXPECT_NE(to_json(report).find("\"ratio\":null,\"low\":null"), std::string::npos);
}

TEST(TextReport, tells_how_to_see_a_strict_failure_again) {
  auto report = report_of(Scored{.sizes = {right("1M")}});
  report.strict = StrictResult{.passed = true, .nonce = 0xabc, .sizes = {right("7x5")}};
  const auto fine = to_text(report, false);
  EXPECT_NE(fine.find("  stress sizes:\n  7x5            right"), std::string::npos) << fine;
  EXPECT_EQ(fine.find("--nonce"), std::string::npos) << fine;
  report.strict->sizes = {off_by("7x5", 3)};
  report.strict->passed = false;
  const auto wrong = to_text(report, false);
  EXPECT_NE(wrong.find("  fails the strict verdict, which decides only with --strict; repeat with "
                       "--nonce 0000000000000abc\n"),
            std::string::npos)
      << wrong;
  const auto decisive = to_text(report, false, true);
  EXPECT_NE(decisive.find("  strict:\n"), std::string::npos) << decisive;
  EXPECT_NE(decisive.find("  fails the strict verdict; repeat with --nonce 0000000000000abc\n"),
            std::string::npos)
      << decisive;
}

TEST(TextReport, names_the_places_of_a_certificate_that_no_run_has_seen) {
  using Status = CertifiedOutcome::Status;
  const auto outcome = [](unsigned line, Status status, std::vector<double> constants) {
    return CertifiedOutcome{.kernel = "k",
                            .line = line,
                            .condition = fmt::format("n > {}", line),
                            .status = status,
                            .of_threads = true,
                            .constants = std::move(constants)};
  };
  auto report = report_of(Scored{.sizes = {right("1M")}});
  report.strict = StrictResult{.passed = true, .sizes = {right("7x5")}};
  report.strict->certificate =
      Certificate{.outcomes = {outcome(4, Status::seen, {}), outcome(5, Status::never, {}),
                               outcome(6, Status::never, {600})}};
  report.strict->never_executed = never_executed(*report.strict->certificate);
  const auto text = to_text(report, false);
  EXPECT_NE(text.find("  certificate    1 outcomes of conditions seen, 0 impossible, 2 never\n"
                      "                 never seen: line 5, when n > 5\n"
                      "  never executed: line 6, when n > 6\n"),
            std::string::npos)
      << text;
  auto of_launch = outcome(7, Status::never, {});
  of_launch.of_threads = false;
  EXPECT_TRUE(is_decisive(of_launch));
  report.strict->certificate->outcomes = {
      outcome(1, Status::never, {}), outcome(2, Status::never, {}), outcome(3, Status::never, {}),
      outcome(4, Status::never, {}), outcome(5, Status::never, {})};
  const auto many = to_text(report, false);
  EXPECT_NE(many.find("line 3, when n > 3\n                 and 2 more, which --json lists\n"),
            std::string::npos)
      << many;
}

TEST(TextReport, says_once_what_bounds_predicted_times) {
  const auto predicted = [](const std::string& label, Bound bound, bool is_unlike) {
    auto size = right(label);
    size.predicted = PredictedTime{.seconds = 0.002,
                                   .low = 0.001,
                                   .high = 0.004,
                                   .bound_by = bound,
                                   .unlike = is_unlike ? "large" : ""};
    return size;
  };
  const auto same = to_text(report_of(Scored{.sizes = {predicted("1M", Bound::latency, true),
                                                       predicted("2M", Bound::latency, true)}}),
                            false);
  EXPECT_NE(same.find("predicted 2 ms (80 %: 1 to 4)\n  predicted times: bound by latency; unlike "
                      "what was measured: large\n"),
            std::string::npos)
      << same;
  const auto other = to_text(report_of(Scored{.sizes = {predicted("1M", Bound::latency, false),
                                                        predicted("2M", Bound::memory, true)},
                                              .held_out = predicted("3M", Bound::memory, false)}),
                             false);
  EXPECT_NE(other.find("\n  predicted times: bound by latency at 1M, by memory at 2M, 3M; at 2M "
                       "unlike what was measured: large\n"),
            std::string::npos)
      << other;
  EXPECT_EQ(to_text(report_of(Scored{.sizes = {predicted("1M", Bound::latency, false)}}), false)
                .find("unlike"),
            std::string::npos);
}

TEST(TextReport, names_the_rule_of_a_diagnostic) {
  auto report = report_of(Scored{.sizes = {right("1M")}});
  report.diagnostics = {{.severity = Severity::warning,
                         .id = "hazard.missing_guard",
                         .place = {"", {{3, 5}, {3, 9}}},
                         .message = "no guard"}};
  EXPECT_TRUE(to_text(report, false)
                  .starts_with("k.metal:3:5: warning: no guard [hazard.missing_guard]\n"));
}

TEST(TextReport, is_coloured_on_request_only) {
  const auto report = report_of(Wrong{{off_by("1M", 3)}});
  EXPECT_EQ(to_text(report, false).find('\x1b'), std::string::npos);
  EXPECT_NE(to_text(report, true).find('\x1b'), std::string::npos);
}

// A result with a value in every field that JSON has.
EvaluationResult complete() {
  auto timed = right("1M", Timing{0.5, 50, 200, 0.25, 0.5, measured});
  timed.overruns = {"y"};
  timed.timed_correct = true;
  timed.timing->above_ceiling = "the task counts more bytes";
  auto stress = off_by("7x5", NAN);
  std::get<Verdict>(stress.answer).differences = Differences{64, 9, 2, "y[3] is 7, not 8"};
  stress.achieved_unit.clear();
  stress.ceiling_unit.clear();
  auto result = report_of(Scored{.sizes = {timed, timed}, .score = 0.25, .held_out = right("4M")});
  result.role = EvaluationResult::Role::seed;
  result.ceilings = Ceilings{1, 200, Ceilings::Source::measured};
  result.protocol = "steady";
  result.machine = MachineState{.load = 0.5, .clock_mhz = 2000};
  result.regression_type = 3;
  result.threadgroup_bytes = 1024;
  result.source_bytes = 77;
  result.type_mismatches = {"k reads uint where ushort is bound"};
  result.strict = StrictResult{.nonce = 0xfedcba9876543210,
                               .sizes = {stress},
                               .order_dependence = OrderDependence{"7x5", "forward", "reversed"},
                               .irrelevant_parts = {"kernel a"},
                               .not_checked = "its checked form is refused"};
  result.comparison = ComparisonResult{"old.metal", {{{"1M", {1, 1, 1}, {2, 2, 2}}}}};
  result.program = "0123456789abcdef";
  result.diagnostics = {{.severity = Severity::warning,
                         .id = "hazard.missing_guard",
                         .place = {"", {{3, 5}, {3, 9}}},
                         .message = "no guard"}};
  return result;
}

TEST(JsonReport, is_read_back_to_the_same_result) {
  const std::variant<Outcome, Error> outcomes[] = {
      complete().result,
      Scored{.sizes = {right("1M")}},
      Wrong{{right("1M"), failing("2M", Failure::Cause::crash)}},
      Wrong{{off_by("1M", NAN), off_by("2M", -std::numeric_limits<double>::infinity())}},
      Rejected{Rejected::Stage::compile, "undeclared"},
      Rejected{Rejected::Stage::pipeline, "too much memory"},
      Error{"no such file"}};
  for (const auto& outcome : outcomes) {
    auto result = complete();
    result.result = outcome;
    const auto json = to_json(result);
    const auto read = evaluation_from_json(json);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(to_json(*read), json);
    EXPECT_EQ(read->result.index(), outcome.index());
    EXPECT_EQ(to_text(*read, false), to_text(result, false));
    EXPECT_EQ(prompt_text(*read), prompt_text(result));
  }
  const auto read = evaluation_from_json(to_json(complete()));
  EXPECT_EQ(read->strict->nonce, 0xfedcba9876543210);
  EXPECT_EQ(read->strict->order_dependence, complete().strict->order_dependence);
  EXPECT_EQ(read->result, complete().result);
  EXPECT_EQ(read->comparison, complete().comparison);
  EXPECT_EQ(read->ceilings, complete().ceilings);
}

// The paths of all values below `json`, such as "sizes.spread.samples".
void collect_paths(const Json& json, const std::string& path, std::set<std::string>& all,
                   std::set<std::string>& with_value) {
  all.insert(path);
  if (!json.is_null()) with_value.insert(path);
  if (json.is_object())
    for (const auto& [key, value] : json.items())
      collect_paths(value, path.empty() ? key : path + "." + key, all, with_value);
  if (json.is_array())
    for (const auto& value : json) collect_paths(value, path, all, with_value);
}

// Fills every field that a kind of result can hold together, and reads the result back. Returns the
// fields that had no value in any kind.
template <typename T>
std::set<std::string> fields_not_kept(std::initializer_list<std::set<std::string>> left_out,
                                      Result<T> (*from_json)(std::string_view)) {
  std::set<std::string> all, with_value;
  for (const auto& keys : left_out) {
    T filled = {};
    FieldFiller filler(keys);
    describe(filler, filled);
    const auto json = to_json(filled);
    const auto read = from_json(json);
    EXPECT_TRUE(read) << read.error().message;
    if (read) EXPECT_EQ(to_json(*read), json);
    collect_paths(Json::parse(json), "", all, with_value);
  }
  std::set<std::string> missing;
  std::set_difference(all.begin(), all.end(), with_value.begin(), with_value.end(),
                      std::inserter(missing, missing.end()));
  return missing;
}

TEST(JsonReport, keeps_every_field) {
  // Correct, failed, wrong, and not checked.
  EXPECT_EQ(fields_not_kept<EvaluationResult>(
                {{"error", "cause", "message", "parts", "candidate_parts", "rival_parts"},
                 {"error"},
                 {"error", "correct"},
                 {}},
                evaluation_from_json),
            (std::set<std::string>{}));
  EXPECT_EQ(fields_not_kept<GateResult>({{"candidate_parts", "rival_parts"}, {}}, gate_from_json),
            (std::set<std::string>{}));
}

// Every field has a description.
void expect_descriptions(const Json& schema, const std::string& path) {
  if (schema.contains("anyOf")) return expect_descriptions(schema["anyOf"][0], path);
  if (schema.contains("items")) return expect_descriptions(schema["items"], path);
  if (!schema.contains("properties")) return;
  for (const auto& [key, field] : schema["properties"].items()) {
    EXPECT_TRUE(field.contains("description")) << path << key << " has no description";
    expect_descriptions(field, path + key + ".");
  }
}

TEST(Schema, describes_every_field) {
  for (const auto& text : {evaluation_schema(), gate_schema(), check_schema()}) {
    const auto schema = Json::parse(text);
    EXPECT_GE(schema["properties"].size(), 9U);
    expect_descriptions(schema, "");
  }
}

TEST(Schema, states_the_types) {
  const auto fields = Json::parse(evaluation_schema())["properties"];
  const auto type_of = [](Json field) {
    field.erase("description");
    return field;
  };
  EXPECT_EQ(type_of(fields["file"]), (Json{{"type", "string"}}));
  EXPECT_EQ(type_of(fields["task"]), (Json{{"type", {"string", "null"}}}));
  EXPECT_EQ(type_of(fields["correct"]), (Json{{"type", {"boolean", "null"}}}));
  EXPECT_EQ(type_of(fields["score"]), (Json{{"type", {"number", "null"}}}));
  EXPECT_EQ(type_of(fields["source_bytes"]), (Json{{"type", "integer"}, {"minimum", 0}}));
  EXPECT_EQ(type_of(fields["ceiling_source"]),
            (Json{{"enum", {"table", "measured", "plan", nullptr}}}));
  EXPECT_EQ(fields["sizes"]["items"]["properties"]["label"]["type"], "string");
  EXPECT_EQ(type_of(fields["sizes"]["items"]["properties"]["intensity"]),
            (Json{{"type", {"number", "null"}}}));
  EXPECT_EQ(fields["held_out"]["anyOf"][1], (Json{{"type", "null"}}));
  const auto required = Json::parse(evaluation_schema())["required"];
  EXPECT_EQ(std::count(required.begin(), required.end(), "file"), 1);
  EXPECT_EQ(std::count(required.begin(), required.end(), "elapsed_s"), 0) << "may be absent";
}

TEST(JsonReport, is_refused_with_the_key_that_is_wrong) {
  const auto problem_of = [](const char* json) {
    const auto read = evaluation_from_json(json);
    return read ? "read" : read.error().message;
  };
  const auto says = [&](const char* json, const char* problem) {
    EXPECT_NE(problem_of(json).find(problem), std::string::npos) << problem_of(json);
  };
  says(R"({"score": "high"})", "'score' must be a number");
  says(R"({"sizes": [{"label": "1M", "correct": true}, {"label": 2}]})",
       "'sizes[1].label' must be a string");
  says(R"({"sizes": [{"label": "1M"}]})", "'sizes[0].correct' is missing");
  says(R"({"strict": {"sizes": 3}})", "'strict.sizes' must be an array");
  says(R"({"role": "guest"})", "'role' has the unknown value \"guest\"");
  says(R"({"source_bytes": -1})", "'source_bytes' must be an integer in range");
  says("[]", "it is not a JSON object");
  says(R"({"unknown": 1, "held_out": null})", "read");
}

TEST(JsonReport, takes_the_seconds_that_a_search_adds) {
  const auto json = with_elapsed_seconds(R"({"unknown": 1})", 2.5);
  ASSERT_TRUE(json);
  EXPECT_EQ(*json, "{\n \"unknown\": 1,\n \"elapsed_s\": 2.5\n}\n");
  EXPECT_EQ(evaluation_from_json(*json)->elapsed_seconds, 2.5);
  EXPECT_FALSE(with_elapsed_seconds("[]", 1));
}

TEST(RegressionType, is_that_of_the_diagnostics_or_of_a_missing_kernel) {
  const auto type_of = [](const char* id, Severity severity = Severity::error) {
    return regression_type({{.severity = severity, .id = id}}, Outcome{Scored{}});
  };
  EXPECT_EQ(type_of("degenerate.no_kernel"), 1);
  EXPECT_EQ(type_of("degenerate.no_output"), 3);
  EXPECT_EQ(type_of("degenerate.no_output", Severity::warning), std::nullopt);
  EXPECT_EQ(type_of("hazard.missing_guard"), std::nullopt);
  EXPECT_EQ(regression_type({}, Outcome{Rejected{Rejected::Stage::pipeline, "none", true}}), 1);
  EXPECT_EQ(regression_type({}, Error{"no such file"}), std::nullopt);
}

Diagnostic finding_at(std::string id, unsigned line, std::vector<unsigned> notes = {}) {
  Diagnostic finding{
      .id = std::move(id), .place = {"", {{line, 1}, {line, 2}}}, .message = "a message"};
  for (const auto each : notes) finding.notes.push_back({{"", {{each, 1}, {each, 2}}}, "a note"});
  return finding;
}

TEST(CheckResult, names_the_included_file_of_a_place) {
  Diagnostic finding{.id = "check.race", .place = {"common.h", {{3, 1}, {3, 2}}}, .message = "m"};
  finding.notes.push_back({{"", {{9, 1}, {9, 2}}}, "a note"});
  const CheckResult result{.heading = {.file = "k.metal"},
                           .result = Checked{.findings = {finding}}};
  const auto json = Json::parse(to_json(result))["findings"][0];
  EXPECT_EQ(json["file"], "common.h");
  EXPECT_FALSE(json["notes"][0].contains("file"));
  const auto text = to_text(result, false);
  EXPECT_NE(text.find("common.h:3:1: error: m [check.race]\nk.metal:9:1: note: a note\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(joined(finding_at("hazard.threadgroup_race", 3), std::get<Checked>(result.result)),
            Joined::not_seen);
}

TEST(CheckResult, says_of_each_hazard_whether_the_run_confirms_it) {
  const Checked checked{.findings = {finding_at("check.race", 9, {8})}};
  EXPECT_EQ(joined(finding_at("hazard.threadgroup_race", 9), checked), Joined::confirmed);
  EXPECT_EQ(joined(finding_at("hazard.barrier_flags", 7, {8}), checked), Joined::confirmed);
  EXPECT_EQ(joined(finding_at("hazard.threadgroup_race", 20), checked), Joined::not_seen);
  EXPECT_EQ(joined(finding_at("hazard.out_of_bounds", 9), checked), Joined::not_seen);
  EXPECT_EQ(joined(finding_at("slow.uncoalesced", 9), checked), std::nullopt);
  EXPECT_EQ(joined(finding_at("hazard.threadgroup_race", 20), {.failure = Failure{}}),
            std::nullopt);
}

TEST(CheckResult, says_of_a_hazard_that_the_run_never_got_to_its_place) {
  const Checked checked{.findings = {finding_at("check.race", 9)}, .unreached = {20, 9}};
  EXPECT_EQ(joined(finding_at("hazard.threadgroup_race", 20), checked), Joined::not_reached);
  EXPECT_EQ(joined(finding_at("hazard.threadgroup_race", 19, {20}), checked), Joined::not_reached);
  EXPECT_EQ(joined(finding_at("hazard.threadgroup_race", 9), checked), Joined::confirmed);
  EXPECT_EQ(joined(finding_at("hazard.threadgroup_race", 19), checked), Joined::not_seen);
  const CheckResult result{.heading = {.file = "k.metal"},
                           .diagnostics = {finding_at("hazard.threadgroup_race", 20)},
                           .result = checked};
  EXPECT_EQ(Json::parse(to_json(result))["diagnostics"][0]["in_run"], "not_reached");
  EXPECT_NE(to_text(result, false).find("\n  not reached by this run\n"), std::string::npos);
}

TEST(CheckResult, counts_stores_that_were_let_go_and_says_what_reruns_gave) {
  Checked checked{.findings = {finding_at("check.race", 9)},
                  .benign_races = {.count = 3, .first = {"", {{8, 2}, {8, 3}}}},
                  .reruns = Reruns{.orders = {"forward", "reversed"}, .differs = "reversed"}};
  const auto text_of = [&] {
    return to_text({.heading = {.file = "k.metal"}, .result = checked}, false);
  };
  EXPECT_NE(text_of().find("  the answer depends on the order of the threads: reversed changes it\n"
                           "  3 conflicting stores of equal values were let go, the first at "
                           "k.metal:8:2\n"),
            std::string::npos)
      << text_of();
  const auto json = Json::parse(to_json({.heading = {.file = "k.metal"}, .result = checked}));
  EXPECT_EQ(json["let_go"], Json({{"count", 3}, {"line", 8}, {"column", 2}}));
  EXPECT_EQ(json["reruns"]["orders"].size(), 2u);
  EXPECT_EQ(json["reruns"]["differs"], "reversed");
  checked.reruns->differs = std::nullopt;
  checked.benign_races = {};
  EXPECT_NE(text_of().find("  the answer is the same in 2 orders of the threads\n"),
            std::string::npos)
      << text_of();
  EXPECT_TRUE(json["reruns"]["launches_differ"].is_null());
}

TEST(CheckResult, says_which_orders_of_concurrent_launches_were_tried) {
  Checked checked{.findings = {finding_at("check.race", 9)},
                  .reruns = Reruns{.orders = {"forward", "reversed"}, .launches_differ = true}};
  const auto text_of = [&] {
    return to_text({.heading = {.file = "k.metal"}, .result = checked}, false);
  };
  const std::string same =
      "  the answer is the same in 2 orders of the threads, with the launches in the plan's "
      "order\n";
  EXPECT_NE(
      text_of().find(same + "  the answer depends on the order of the concurrent launches: the "
                            "reverse of the plan's changes it\n"),
      std::string::npos)
      << text_of();
  checked.reruns->launches_differ = false;
  EXPECT_NE(text_of().find(
                same + "  the answer is the same with the concurrent launches in reverse order\n"),
            std::string::npos)
      << text_of();
  EXPECT_EQ(Json::parse(to_json(
                {.heading = {.file = "k.metal"}, .result = checked}))["reruns"]["launches_differ"],
            false);
  checked.reruns->launches_differ = std::nullopt;
  checked.reruns->reversed_launches_fail = true;
  EXPECT_NE(
      text_of().find(same + "  the concurrent launches fail or do not end in reverse order\n"),
      std::string::npos)
      << text_of();
}

TEST(PromptText, says_which_hazards_a_checked_run_confirmed) {
  EvaluationResult result{.result = Outcome{Wrong{}}};
  result.diagnostics = {finding_at("hazard.threadgroup_race", 9),
                        finding_at("hazard.threadgroup_race", 12)};
  result.strict = StrictResult{.findings = {finding_at("check.race", 9)}};
  const auto text = prompt_text(result);
  EXPECT_NE(
      text.find("9:1: error: a message [hazard.threadgroup_race]; a run with checked accesses "
                "confirms it\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("12:1: error: a message [hazard.threadgroup_race]\n"), std::string::npos)
      << text;
}

TEST(PromptText, names_the_line_and_the_cause_of_a_diagnosis_without_values) {
  EvaluationResult result{.result = Outcome{Wrong{}}};
  result.diagnosis = Diagnosis{.difference = FirstDifference{.size = "drawn 3 (n 37)",
                                                             .where = "u[65] is 0.25, not 1",
                                                             .lines = {15, 17},
                                                             .cause = "it depends on u_in[64]"}};
  const auto heading = std::string("what runs that look for the cause say");
  EXPECT_EQ(prompt_text(result), heading +
                                     " of the first wrong element, one of the lines 15, 17: it "
                                     "depends on u_in[64]\n");
  result.diagnosis->difference->lines = {15};
  EXPECT_EQ(prompt_text(result),
            heading + " of the first wrong element, line 15: it depends on u_in[64]\n");
  result.diagnosis->findings = {finding_at("check.race", 9)};
  EXPECT_EQ(prompt_text(result),
            heading + ", as LINE:COLUMN:\n  9:1: error: a message [check.race]\n");
  result.diagnosis->findings.insert(result.diagnosis->findings.begin(), finding_at("check.x", 0));
  EXPECT_EQ(result.diagnosis->lines(), std::vector{9u});
}

TEST(PromptText, says_nothing_of_the_held_out_size) {
  EvaluationResult result{.result = Outcome{Wrong{}}};
  result.diagnosis = Diagnosis{.difference = FirstDifference{.size = std::string(held_out_label),
                                                             .where = "u[589823] is 0, not 1",
                                                             .lines = {15},
                                                             .cause = "it depends on u[589824]"}};
  EXPECT_EQ(prompt_text(result), "");
  const auto json = Json::parse(to_json(result))["diagnosis"];
  EXPECT_EQ(json["lines"], Json::array());
  EXPECT_EQ(json["cause"], nullptr);
}

AllowedRule allowed(std::string rule, unsigned first_line, unsigned last_line) {
  return {std::move(rule), "a reason", first_line, last_line};
}

Checked race_without(const AllowedRule& allowed) {
  Checked checked{.findings = {finding_at("check.race", 9, {8})}};
  take_suppressed(checked, {{allowed}});
  return checked;
}

TEST(CheckResult, a_comment_allows_faults_of_its_rules_kind_at_its_lines) {
  for (const auto& rule :
       {allowed("hazard.threadgroup_race", 9, 9), allowed("hazard.barrier_flags", 8, 8),
        allowed("hazard.lost_update", 1, 20)})
    EXPECT_TRUE(race_without(rule).findings.empty()) << rule.rule;
  for (const auto& rule :
       {allowed("hazard.threadgroup_race", 7, 7), allowed("hazard.threadgroup_race", 10, 20),
        allowed("hazard.out_of_bounds", 9, 9), allowed("slow.uncoalesced", 9, 9)})
    EXPECT_EQ(race_without(rule).findings.size(), 1u) << rule.rule;
}

TEST(CheckResult, tells_suppressed_faults_with_their_reasons) {
  const auto checked = race_without(allowed("hazard.threadgroup_race", 9, 9));
  EXPECT_TRUE(checked.clean());
  EXPECT_EQ(joined(finding_at("hazard.barrier_flags", 8), checked), Joined::confirmed);
  const CheckResult result{.heading = {.file = "k.metal", .device = "cpu"}, .result = checked};
  const auto json = Json::parse(to_json(result));
  EXPECT_EQ(json["valid"], true);
  EXPECT_EQ(json["findings"], Json::array());
  const auto& suppressed = json["suppressed"][0];
  EXPECT_EQ(suppressed["id"], "check.race");
  EXPECT_EQ(suppressed["line"], 9);
  EXPECT_EQ(suppressed["notes"][0]["line"], 8);
  EXPECT_EQ(suppressed["rule"], "hazard.threadgroup_race");
  EXPECT_EQ(suppressed["reason"], "a reason");
  const auto text = to_text(result, false);
  EXPECT_NE(text.find("k.metal:9:1: suppressed: a message [check.race]\n"
                      "  hazard.threadgroup_race is allowed here: a reason\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("nothing found, 1 suppressed"), std::string::npos) << text;
}

}  // namespace
}  // namespace msci
