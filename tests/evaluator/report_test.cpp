// Outcomes as text and as JSON.
#include "evaluator/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace msci {
namespace {

using Json = nlohmann::json;

SizeOutcome right(const std::string& label, std::optional<Timing> timing = std::nullopt) {
  return {.label = label, .answer = Verdict{true, 1.5e-7, "max_abs", 1e-4}, .timing = timing};
}

SizeOutcome off_by(const std::string& label, double error) {
  return {.label = label, .answer = Verdict{false, error, "max_abs", 1e-4}};
}

SizeOutcome failing(const std::string& label, Failure::Cause cause) {
  return {.label = label, .answer = Failure{cause, "no result after 2 s of running"}};
}

const Spread measured{.samples = 5,
                      .interval = ConfidenceInterval{0.4, 0.6},
                      .interquartile = 0.25,
                      .relative_error = 0.125,
                      .outliers = 1};

EvaluationReport report_of(std::variant<Outcome, Error> result) {
  return {.file = "k.metal",
          .task = "toy",
          .achieved_unit = "GB/s (effective)",
          .device = "fake",
          .result = std::move(result)};
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
      "fraction_of_ceiling": 0.25, "intensity": 0.5, "spread": {"samples": 5, "median_low": 0.4,
      "median_high": 0.6, "interquartile": 0.25, "relative_error": 0.125, "outliers": 1, "drift": null},
      "overruns": [], "timed_correct": null})json");
  auto held_out = size;
  held_out.update(
      {{"label", "4M"}, {"gpu_seconds", 1.0}, {"achieved", 25.0}, {"fraction_of_ceiling", 0.125}});
  EXPECT_EQ(json, (Json{{"file", "k.metal"},
                        {"role", "candidate"},
                        {"task", "toy"},
                        {"device", "fake"},
                        {"ceiling_source", "measured"},
                        {"ceilings", {{"gflops", 1.0}, {"gbps", 200.0}}},
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
                        {"sizes", {size}},
                        {"held_out", held_out},
                        {"strict", nullptr},
                        {"versus", nullptr},
                        {"diagnostics", Json::array()},
                        {"error", nullptr}}));
}

TEST(JsonReport, has_the_strict_verdict_in_a_field_of_its_own) {
  auto report = report_of(Scored{.sizes = {right("1M")}});
  auto overrun = right("7x5");
  overrun.overruns = {"y"};
  report.strict = Strict{.nonce = 0xabc, .sizes = {overrun}};
  const auto json = Json::parse(to_json(report));
  EXPECT_EQ(json["correct"], true);
  EXPECT_EQ(json["strict"],
            (Json::parse(R"json({"passed": false, "nonce": "0000000000000abc", "sizes": [
      {"label": "7x5", "correct": true, "error_value": 1.5e-7, "error_text": null, "error_kind": "max_abs",
       "tolerance": 1e-4, "cause": null, "message": null, "overruns": ["y"]}], "ghosts": []})json")));
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
                         .range = {{3, 5}, {3, 9}},
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

TEST(TextReport, says_what_is_wrong_and_what_was_overrun) {
  auto size = off_by("1M", 3);
  size.overruns = {"y", "x"};
  size.timing = Timing{0.0005, 50, 200, 0.25};
  auto report = report_of(Wrong{{size}});
  report.misread = {"k reads uint where ushort is bound"};
  const auto text = to_text(report, false);
  EXPECT_EQ(text.find("0.5 ms"), std::string::npos) << text;
  EXPECT_NE(text.find("  note: k reads uint where ushort is bound\n"), std::string::npos) << text;
  EXPECT_NE(text.find("WRONG  max_abs 3.000e+00"), std::string::npos) << text;
  EXPECT_NE(text.find("note: writes beside the ends of y, x at size 1M\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  correctness failed at size 1M: max_abs=3.000e+00\n"), std::string::npos)
      << text;
}

TEST(TextReport, doubts_a_measured_ceiling_that_a_kernel_exceeds) {
  auto report =
      report_of(Scored{.sizes = {right("1M", Timing{0.0005, 300, 200, 1.5})}, .score = 1.5});
  report.ceilings = Ceilings{1, 200, Ceilings::Source::measured};
  const std::string note = "  note: size 1M is above the ceiling: ";
  EXPECT_NE(to_text(report, false).find(note), std::string::npos) << to_text(report, false);
  report.ceilings->source = Ceilings::Source::table;
  EXPECT_EQ(to_text(report, false).find(note), std::string::npos);
}

TEST(TextReport, tells_how_to_see_a_strict_failure_again) {
  auto report = report_of(Scored{.sizes = {right("1M")}});
  report.strict = Strict{.nonce = 0xabc, .sizes = {right("7x5")}};
  const auto fine = to_text(report, false);
  EXPECT_NE(fine.find("  strict:\n  7x5            right"), std::string::npos) << fine;
  EXPECT_EQ(fine.find("--nonce"), std::string::npos) << fine;
  report.strict->sizes = {off_by("7x5", 3)};
  const auto wrong = to_text(report, false);
  EXPECT_NE(wrong.find("strictly wrong; the same inputs again: --nonce 0000000000000abc\n"),
            std::string::npos)
      << wrong;
}

TEST(TextReport, names_the_rule_of_a_diagnostic) {
  auto report = report_of(Scored{.sizes = {right("1M")}});
  report.diagnostics = {{.severity = Severity::warning,
                         .id = "hazard.missing_guard",
                         .range = {{3, 5}, {3, 9}},
                         .message = "no guard"}};
  EXPECT_TRUE(to_text(report, false)
                  .starts_with("k.metal:3:5: warning: no guard [hazard.missing_guard]\n"));
}

TEST(TextReport, is_coloured_on_request_only) {
  const auto report = report_of(Wrong{{off_by("1M", 3)}});
  EXPECT_EQ(to_text(report, false).find('\x1b'), std::string::npos);
  EXPECT_NE(to_text(report, true).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace msci
