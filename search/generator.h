// Generators write candidates: any program that reads a prompt and prints an answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "base/process/redacted_command.h"
#include "search/history.h"

namespace msci::search {

struct GeneratorRequest {
  unsigned iteration = 0;
  std::string prompt;
  std::string prompt_path;  // a file that holds it
  std::string usage_path;   // where the generator may write its Usage, as a JSON object
};

struct GeneratorReply {
  std::string text;
  std::optional<std::string> failure;  // why the text is not usable, for a person
  Usage usage;
  double seconds = 0;  // wall clock
};

// Called as soon as a request is answered.
using OnAnswer = std::function<std::optional<Error>(std::size_t request, GeneratorReply answer)>;

class Generator {
 public:
  virtual ~Generator() = default;
  // Answers all requests, in any order. Errors: the generator cannot be run, or the Error of
  // `on_answer`.
  [[nodiscard]] virtual std::optional<Error> answer(std::span<const GeneratorRequest> requests,
                                                    const OnAnswer& on_answer) = 0;
};

// A program. It reads the prompt on standard input and prints the answer. Its environment holds
// MSCI_TASK, MSCI_ITERATION, MSCI_SEED (a number for this iteration), MSCI_PROMPT and MSCI_USAGE
// (paths). An exit status other than 0 is a failure; 126 and 127 mean that it cannot be run, and 78
// that it will never answer.
// Secrets in its command line are hidden in what it answers.
class ProgramGenerator : public Generator {
 public:
  struct Options {
    std::string line;  // for the shell
    std::string task;
    std::uint64_t seed = 0;
    std::chrono::milliseconds limit = std::chrono::minutes(10);  // for an answer
    unsigned at_once = 1;                                        // processes
  };
  explicit ProgramGenerator(Options options)
      : options_(std::move(options)), redacted_(redact_command(options_.line)) {}
  std::optional<Error> answer(std::span<const GeneratorRequest> requests,
                              const OnAnswer& on_answer) override;

 private:
  Options options_;
  RedactedCommand redacted_;
};

}  // namespace msci::search
