#include "evaluator/search/generator.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "evaluator/search/process.h"
#include "evaluator/search/strategy.h"

namespace msci::search {
namespace {

using Json = nlohmann::json;

constexpr int not_executable = 126;  // the shell's words for what it cannot run
constexpr int not_found = 127;

// What the generator told; nothing where it told nothing, or nonsense.
Usage read_usage(const std::string& path) {
  std::ifstream file(path);
  const auto json = Json::parse(file, nullptr, false);
  if (!json.is_object()) return {};
  const auto count = [&](const char* field) {
    const auto found = json.find(field);
    return found != json.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
  };
  const auto cost = json.find("cost");
  return {count("input_tokens"), count("output_tokens"),
          cost != json.end() && cost->is_number() ? cost->get<double>() : 0};
}

}  // namespace

Result<std::monostate> ProgramGenerator::answer(std::span<const Question> questions,
                                                const TakeAnswer& take) {
  const auto command = [&](std::size_t question, std::size_t) {
    const auto& asked = questions[question];
    return Command{
        .words = shell_words(options_.line),
        .environment = {"MSCI_TASK=" + options_.task,
                        fmt::format("MSCI_ITERATION={}", asked.iteration),
                        fmt::format("MSCI_SEED={}", draw(options_.seed, asked.iteration) >> 33),
                        "MSCI_PROMPT=" + asked.prompt_path, "MSCI_USAGE=" + asked.usage_path},
        .input = asked.prompt,
        .limit = options_.limit};
  };
  const auto ended = [&](std::size_t question, Ended ended) -> Result<std::monostate> {
    if (!ended.timed_out && !ended.signal &&
        (ended.status == not_executable || ended.status == not_found))
      return Error{
          fmt::format("cannot run the generator '{}': {}", options_.line, complaint(ended))};
    Answer answer{.text = std::move(ended.out),
                  .usage = read_usage(questions[question].usage_path),
                  .seconds = ended.seconds};
    if (!ended.well()) answer.failure = complaint(ended);
    return take(question, std::move(answer));
  };
  return run_all(questions.size(), options_.at_once, command, ended);
}

}  // namespace msci::search
