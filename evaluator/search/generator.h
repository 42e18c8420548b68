// What writes candidates: any program that reads a prompt and prints an answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "evaluator/search/history.h"

namespace msci::search {

struct Question {
  unsigned iteration = 0;
  std::string prompt;
  std::string prompt_path;  // the file that holds it, too
  std::string usage_path;   // where the generator may tell its Usage, as a JSON object
};

struct Answer {
  std::string text;
  std::optional<std::string> failure;  // why there is none, for a person
  Usage usage;
  double seconds = 0;  // wall clock
};

// Told as soon as a question is answered.
using TakeAnswer = std::function<Result<std::monostate>(std::size_t question, Answer answer)>;

class Generator {
 public:
  virtual ~Generator() = default;
  // Answers all questions, in any order. Errors: it cannot be run, or what `take` returned.
  virtual Result<std::monostate> answer(std::span<const Question> questions,
                                        const TakeAnswer& take) = 0;
};

// A program. It reads the prompt on standard input and prints the answer; its environment says more
// in MSCI_TASK, MSCI_ITERATION, MSCI_SEED (a number for this iteration), MSCI_PROMPT and MSCI_USAGE
// (paths). A status other than 0 is a failure to answer; 126 and 127 say that it cannot be run.
class ProgramGenerator : public Generator {
 public:
  struct Options {
    std::string line;  // for the shell
    std::string task;
    std::uint64_t seed = 0;
    std::chrono::milliseconds limit = std::chrono::minutes(10);  // for an answer
    unsigned at_once = 1;                                        // answers
  };
  explicit ProgramGenerator(Options options) : options_(std::move(options)) {}
  Result<std::monostate> answer(std::span<const Question> questions,
                                const TakeAnswer& take) override;

 private:
  Options options_;
};

}  // namespace msci::search
