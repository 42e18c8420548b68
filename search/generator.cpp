#include <fmt/format.h>

#include "base/files/read_file.h"
#include "base/json.h"
#include "base/process/failure_reason.h"
#include "base/process/run_command.h"
#include "search/loop.h"

namespace msci::search {
namespace {

// The exit statuses of a shell that cannot run a program.
constexpr int not_executable = 126;
constexpr int not_found = 127;
// EX_CONFIG of sysexits.h, from a generator: no later request will be answered, either.
constexpr int misconfigured = 78;

constexpr std::size_t most_usage_bytes = 1 << 16;

// The usage that the generator wrote; zeros if it wrote none, or malformed JSON.
Usage read_usage(const std::string& path) {
  const auto text = read_text(path, most_usage_bytes);
  if (!text) return {};
  const auto json = parse_json<Json>(*text);
  if (!json || !json->is_object()) return {};
  const auto count = [&](const char* field) {
    const auto found = json->find(field);
    return found != json->end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
  };
  const auto cost = json->find("cost");
  return {count("input_tokens"), count("output_tokens"),
          cost != json->end() && cost->is_number() ? cost->get<double>() : 0};
}

}  // namespace

std::optional<Error> ProgramGenerator::answer(std::span<const GeneratorRequest> requests,
                                              const OnAnswer& on_answer) {
  const auto command_at = [&](std::size_t number, std::size_t) {
    const auto& request = requests[number];
    return Command{
        .arguments = shell_arguments(options_.line),
        .environment = {"MSCI_TASK=" + options_.task,
                        fmt::format("MSCI_ITERATION={}", request.iteration),
                        fmt::format("MSCI_SEED={}", draw(options_.seed, request.iteration) >> 33),
                        "MSCI_PROMPT=" + request.prompt_path, "MSCI_USAGE=" + request.usage_path},
        .input = request.prompt,
        .time_limit = options_.limit};
  };
  const auto on_result = [&](std::size_t number, CommandResult result) -> std::optional<Error> {
    if (!result.timed_out && (result.exit.code == not_executable || result.exit.code == not_found))
      return Error{fmt::format("cannot run the generator '{}': {}", redacted_.text,
                               without_values(failure_reason(result), redacted_.values))};
    if (!result.timed_out && result.exit.code == misconfigured)
      return Error{fmt::format("the generator will not answer: {}",
                               without_values(failure_reason(result), redacted_.values))};
    GeneratorReply answer{.usage = read_usage(requests[number].usage_path),
                          .seconds = result.seconds};
    // Both go to files of the search, and the failure to prompts.
    if (!result.succeeded())
      answer.failure = without_values(failure_reason(result), redacted_.values);
    answer.text = without_values(std::move(result.out), redacted_.secrets);
    return on_answer(number, std::move(answer));
  };
  return run_commands(requests.size(), options_.at_once, command_at, on_result);
}

}  // namespace msci::search
