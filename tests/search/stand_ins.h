// A generator and a judge that answer from tables, in this process.
#pragma once

#include <functional>
#include <optional>

#include "search/loop.h"

namespace msci::search {

class TableGenerator : public Generator {
 public:
  // The answer of an iteration to a prompt; none where the generator fails.
  using Table = std::function<std::optional<std::string>(const GeneratorRequest&)>;
  explicit TableGenerator(Table table) : table_(std::move(table)) {}

  std::optional<Error> answer(std::span<const GeneratorRequest> questions,
                              const OnAnswer& take) override {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const auto text = table_(questions[i]);
      GeneratorReply answer{.text = text.value_or(""),
                            .usage = {.input_tokens = 10, .output_tokens = 5}};
      if (!text) answer.failure = "the table has no answer";
      if (auto error = take(i, std::move(answer))) return error;
    }
    return std::nullopt;
  }

 private:
  Table table_;
};

class TableJudge : public Judge {
 public:
  // msci-eval's JSON for a job.
  using Table = std::function<std::string(const JudgeRequest&)>;
  explicit TableJudge(Table table) : table_(std::move(table)) {}

  std::optional<Error> judge(std::span<const JudgeRequest> jobs, const OnJudgement& take) override {
    for (std::size_t i = 0; i < jobs.size(); ++i)
      if (auto error = take(i, table_(jobs[i]), 0.25)) return error;
    return std::nullopt;
  }

 private:
  Table table_;
};

}  // namespace msci::search
