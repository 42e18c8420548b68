// Reading records and counting agreement; the records here are made up.
#include "tests/agreement/agreement.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>

namespace msci {
namespace {

namespace fs = std::filesystem;

class Records : public testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }

  const std::string& write(const std::string& text) {
    const gzFile file = gzopen(path_.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    return path_;
  }

  std::string path_ = testing::TempDir() + "records_test_" + std::to_string(::getpid()) + ".gz";
};

TEST_F(Records, tell_the_four_fates_apart) {
  const auto records = read_candidates(write(
      R"({"id":"a","task":"t","source":"s","compile_ok":false,"pipeline_ok":false,"correct":false,)"
      R"("compiler_log":"note\nprogram_source:9:21: error: no such thing\nprogram_source:2:1: error: two",)"
      R"("fail_reason":null,"sizes":null})"
      "\n"
      R"({"id":"b","task":"t","source":"s","compile_ok":true,"pipeline_ok":false,"correct":false,)"
      R"("compiler_log":null,"fail_reason":"too much\nof it","sizes":[]})"
      "\n"
      R"({"id":"c","task":"t","source":"NaN \" NaN","compile_ok":true,"pipeline_ok":true,"correct":false,)"
      R"("compiler_log":null,"fail_reason":"off","sizes":[{"label":"1","correct":true,"error_value":1},)"
      R"({"label":"2","correct":false,"error_value":NaN},{"label":"3","correct":false,"error_value":-Infinity}]})"
      "\n"
      R"({"id":"d","task":"t","source":"s","compile_ok":true,"pipeline_ok":true,"correct":true,)"
      R"("compiler_log":null,"fail_reason":null,"sizes":[]})"
      "\n"));
  ASSERT_TRUE(records) << records.error().message;
  ASSERT_EQ(records->size(), 4u);
  const auto& [a, b, c, d] = std::tie((*records)[0], (*records)[1], (*records)[2], (*records)[3]);
  EXPECT_EQ(a.fate, Fate::refused_by_compiler);
  EXPECT_EQ(a.error_line, 9u);
  EXPECT_EQ(a.reason, "error: no such thing");
  EXPECT_EQ(b.fate, Fate::refused_at_pipeline);
  EXPECT_EQ(b.reason, "too much");
  EXPECT_EQ(c.fate, Fate::wrong);
  EXPECT_EQ(c.wrong_size, "2");
  EXPECT_EQ(c.source, "NaN \" NaN");
  EXPECT_EQ(d.fate, Fate::right);
}

TEST_F(Records, of_generated_sources) {
  const auto rejected = read_rejected(write(
      R"({"id":"r","source":"s","errors":[{"line":4,"column":1,"message":"no"}],"has_kernel":false})"));
  ASSERT_TRUE(rejected) << rejected.error().message;
  EXPECT_EQ((*rejected)[0].fate, Fate::refused_by_compiler);
  EXPECT_EQ((*rejected)[0].error_line, 4u);
  const auto accepted = read_accepted(write(R"({"id":"a","source":"s","language":"metal2.3"})"));
  ASSERT_TRUE(accepted) << accepted.error().message;
  EXPECT_EQ((*accepted)[0].fate, Fate::accepted);
  EXPECT_EQ((*accepted)[0].language, "metal2.3");
  EXPECT_EQ((*rejected)[0].language, "");
}

TEST_F(Records, broken_ones_are_named_by_their_line) {
  const auto records = read_accepted(write("{\"id\":\"a\",\"source\":\"s\"}\n{\"id\":"));
  ASSERT_FALSE(records);
  EXPECT_NE(records.error().message.find(path_ + ":2: not a record"), std::string::npos);
  EXPECT_FALSE(read_accepted(path_ + "absent"));
}

Compared compared(Fate recorded, Fate ours, std::optional<unsigned> recorded_line = std::nullopt,
                  std::optional<unsigned> our_line = std::nullopt) {
  return {
      {.id = "id", .task = "t", .fate = recorded, .error_line = recorded_line, .reason = "theirs"},
      {.fate = ours, .error_line = our_line, .reason = "ours"}};
}

TEST(Agreement, counts_what_can_be_compared) {
  const std::vector<Compared> all = {
      compared(Fate::refused_by_compiler, Fate::refused_by_compiler, 3, 3),
      compared(Fate::refused_by_compiler, Fate::refused_by_compiler, 3, 4),
      compared(Fate::refused_by_compiler, Fate::right, 3),
      compared(Fate::refused_at_pipeline, Fate::refused_by_compiler, std::nullopt, 7),
      compared(Fate::right, Fate::right),
      compared(Fate::right, Fate::wrong),
      compared(Fate::wrong, Fate::wrong),
      compared(Fate::right, Fate::accepted),
      compared(Fate::right, Fate::unchecked),
  };
  const auto counted = tally(all);
  EXPECT_EQ(counted.acceptance.same, 7u);
  EXPECT_EQ(counted.acceptance.of, 8u);
  EXPECT_EQ(counted.error_lines.same, 1u);
  EXPECT_EQ(counted.error_lines.of, 2u);
  EXPECT_EQ(counted.verdicts.same, 2u);
  EXPECT_EQ(counted.verdicts.of, 3u);
  EXPECT_EQ(counted.unchecked, 1u);
  EXPECT_EQ((counted.matrix.at({Fate::right, Fate::wrong})), 1u);

  const auto list = list_disagreements(all);
  EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 9) << list;
  EXPECT_NE(list.find("recorded: refused by compiler, line 3: theirs\n  ours:     right: ours\n"),
            std::string::npos)
      << list;
}

TEST(Agreement, the_front_ends_answer_names_its_first_error) {
  Compiled refused{.diagnostics = {{.severity = Severity::warning, .place = {"", {{1, 1}, {1, 2}}}},
                                   {.severity = Severity::error, .place = {"", {{5, 1}, {5, 2}}}},
                                   {.severity = Severity::error, .place = {"", {{6, 1}, {6, 2}}}}},
                   .rejection = "no"};
  EXPECT_EQ(answer_of(Result<Compiled>(refused)).fate, Fate::refused_by_compiler);
  EXPECT_EQ(answer_of(Result<Compiled>(refused)).error_line, 5u);
  EXPECT_EQ(answer_of(Result<Compiled>(Compiled{.translation = Translation{}})).fate,
            Fate::accepted);
  const auto gap = answer_of(Result<Compiled>(Error{"textures"}));
  EXPECT_EQ(gap.fate, Fate::accepted);
  EXPECT_EQ(gap.reason, "not translated: textures");
}

TEST(Agreement, the_evaluations_answer_names_its_first_wrong_size) {
  const SizeResult right{.label = "1", .answer = Verdict{.correct = true}};
  const SizeResult wrong{.label = "2", .answer = Failure{Failure::Cause::crash, "signal 11"}};
  const auto answer = answer_of(Result<Evaluation>(Evaluation{.outcome = Wrong{{right, wrong}}}));
  EXPECT_EQ(answer.fate, Fate::wrong);
  EXPECT_EQ(answer.wrong_size, "2");
  EXPECT_EQ(answer.reason, "runtime error at size 2: signal 11");
  EXPECT_EQ(answer_of(Result<Evaluation>(Evaluation{.outcome = Scored{{right}}})).fate,
            Fate::right);
  EXPECT_EQ(answer_of(Result<Evaluation>(Error{"no memory"})).fate, Fate::unchecked);
}

}  // namespace
}  // namespace msci
