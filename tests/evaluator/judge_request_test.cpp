#include "evaluator/server/judge_request.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "evaluator/options/eval_options.h"

namespace msci {
namespace {

Result<JudgeRequest> request_of(const std::string& fields) {
  auto line = parse_served_line(R"({"source": "x", "task": "lbm", )" + fields + "}");
  if (!line.content) return line.content.error();
  return std::get<JudgeRequest>(*std::move(line.content));
}

std::string error_of(const std::string& fields) {
  const auto request = request_of(fields);
  return request ? "" : request.error().message;
}

TEST(JudgeRequest, options_of_msci_eval_are_fields) {
  const auto request = request_of(
      R"("verdict": "timed", "nonce": "1f", "fuzz_sizes": 2, "held_out": true,
         "stop_at_wrong": true, "protocol": "benchmark")");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->judging.nonce, "1f");
  EXPECT_EQ(request->judging.fuzz_sizes, 2u);
  EXPECT_TRUE(request->judging.held_out);
  EXPECT_TRUE(request->judging.stop_at_wrong);
  EXPECT_EQ(request->timing.protocol, "benchmark");
  const auto predicted = request_of(R"("verdict": "predicted", "chip": "m2")");
  ASSERT_TRUE(predicted) << predicted.error().message;
  EXPECT_EQ(predicted->timing.predict, "m2");
  const auto strict = request_of(R"("verdict": "strict", "no_certificate": true)");
  ASSERT_TRUE(strict) << strict.error().message;
  EXPECT_TRUE(strict->judging.skips_certificate);
}

TEST(JudgeRequest, a_comparison_has_a_rival) {
  const auto request = request_of(R"("verdict": "compared", "rival": "struct S;")");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->rival->text, "struct S;");
  EXPECT_FALSE(request->uses_cache);
  EXPECT_TRUE(request->is_timed());
  EXPECT_NE(error_of(R"("verdict": "compared")").find("needs a \"rival\""), std::string::npos);
  for (const std::string verdict : {"verify", "strict", "timed"}) {
    const auto in_turns =
        request_of(R"("rival": "seed", "cache": true, "verdict": ")" + verdict + '"');
    ASSERT_TRUE(in_turns) << in_turns.error().message;
    EXPECT_TRUE(in_turns->is_timed()) << verdict;
    EXPECT_FALSE(in_turns->uses_cache) << verdict;
  }
  EXPECT_FALSE(request_of(R"("verdict": "strict")")->is_timed());
  const auto predicted = request_of(R"("verdict": "predicted", "rival": "struct S;")");
  ASSERT_TRUE(predicted) << predicted.error().message;
  EXPECT_EQ(predicted->rival->text, "struct S;");
  for (const std::string verdict : {"lint", "check"})
    EXPECT_NE(error_of(R"("rival": "struct S;", "verdict": ")" + verdict + '"')
                  .find("belongs to the verdicts verify, strict, timed, predicted, compared"),
              std::string::npos)
        << verdict;
}

TEST(JudgeRequest, the_cause_of_a_wrong_result_is_looked_for_on_request) {
  EXPECT_FALSE(request_of(R"("verdict": "strict")")->wants_diagnosis);
  for (const std::string verdict : {"verify", "strict", "timed"}) {
    const auto request = request_of(R"("diagnosis": true, "verdict": ")" + verdict + '"');
    ASSERT_TRUE(request) << request.error().message;
    EXPECT_TRUE(request->wants_diagnosis) << verdict;
  }
  EXPECT_NE(error_of(R"("diagnosis": true, "verdict": "check")")
                .find("belongs to the verdicts verify, strict, timed, predicted, compared"),
            std::string::npos);
}

TEST(JudgeRequest, a_text_that_is_none_is_judged_and_a_file_that_is_none_is_an_error) {
  const auto with = [](const std::string& source, const std::string& verdict) {
    const auto line =
        parse_served_line(R"({"task": "lbm", "verdict": ")" + verdict + "\", " + source + "}");
    if (!line.content) return "error: " + line.content.error().message;
    return std::get<JudgeRequest>(*line.content).no_text;
  };
  for (const auto* verdict : {"verify", "strict", "timed", "predicted"}) {
    EXPECT_NE(with(R"("source": "")", verdict).find("<source> is empty"), std::string::npos);
    EXPECT_NE(with(R"("source": "a\u0000")", verdict).find("<source> is not text"),
              std::string::npos);
    EXPECT_EQ(with(R"("source": " ")", verdict), "");
    EXPECT_TRUE(with(R"("file": "/dev/null")", verdict).starts_with("error: "));
    EXPECT_TRUE(with(R"("file": "x", "source": "")", verdict).starts_with("error: "));
  }
  EXPECT_TRUE(with(R"("source": "")", "lint").starts_with("error: "));
}

TEST(JudgeRequest, wrong_options_are_refused) {
  EXPECT_NE(error_of(R"("protocol": "steady")").find("belongs to the verdict timed"),
            std::string::npos);
  EXPECT_NE(error_of(R"("no_certificate": true)").find("belongs to the verdict strict"),
            std::string::npos);
  EXPECT_NE(error_of(R"("chip": "m2")").find("belongs to the verdict predicted"),
            std::string::npos);
  EXPECT_NE(error_of(R"("nonce": "xyz")").find("hexadecimal"), std::string::npos);
  EXPECT_NE(error_of(R"("fuzz_sizes": 1001)").find("at most 1000"), std::string::npos);
  EXPECT_NE(error_of(R"("fuzz_sizes": -1)").find("a non-negative integer"), std::string::npos);
  EXPECT_NE(error_of(R"("verdict": "timed", "protocol": "quick")").find("expected one of steady"),
            std::string::npos);
  EXPECT_NE(error_of(R"("json": true)").find("json"), std::string::npos);
}

TEST(JudgeRequest, a_kept_verdict_depends_on_each_option) {
  const auto key = [](const std::string& fields, const std::string& verdict = "timed") {
    const auto request = request_of(R"("verdict": ")" + verdict + '"' + fields);
    EvaluatorOptions options;
    options.verdict = request->judging;
    options.timing = request->timing;
    return to_line(key_of(options));
  };
  const auto plain = key("");
  EXPECT_EQ(key(R"(, "name": "other.metal", "cache": true)"), plain);
  for (const auto* field : {R"(, "nonce": "1f")", R"(, "fuzz_sizes": 1)", R"(, "held_out": true)",
                            R"(, "stop_at_wrong": true)", R"(, "protocol": "benchmark")"})
    EXPECT_NE(key(field), plain) << field;
  EXPECT_NE(key(R"(, "no_certificate": true)", "strict"), key("", "strict"));
}

TEST(JudgeRequest, the_schema_lists_all_fields) {
  const auto schema = parse_json<Json>(judge_request_schema());
  ASSERT_TRUE(schema);
  for (const auto& [name, field] : schema->at("properties").items())
    EXPECT_TRUE(field.contains("description")) << name;
  for (const auto* name : {"cache", "cancel", "chip", "diagnosis", "fuzz_sizes", "held_out", "id",
                           "no_certificate", "nonce", "protocol", "stop_at_wrong", "verdict"})
    EXPECT_TRUE(schema->at("properties").contains(name)) << name;
  EXPECT_EQ(schema->at("dependentSchemas").at("chip").dump(),
            R"({"properties":{"verdict":{"const":"predicted"}},"required":["verdict"]})");
}

}  // namespace
}  // namespace msci
