#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "analysis/profile/chip.h"
#include "base/json.h"
#include "base/judging/timing_protocol.h"
#include "base/process/failure_reason.h"
#include "evaluator/result/evaluation_result.h"
#include "search/loop.h"

namespace msci::search {
namespace {

// The signals of a crash, here while msci-eval reads or translates a source.
constexpr std::array faults = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGXCPU};

bool is_object(const std::string& text) {
  const auto json = parse_json<Json>(text);
  return json && json->is_object();
}

// The result of a source that msci-eval cannot judge, because it crashes on it or takes too long.
std::string no_verdict(std::string reason) {
  EvaluationResult result;
  result.result = Error{std::move(reason)};
  return to_json(result);
}

}  // namespace

std::vector<std::string> arguments_of(const JudgeCall& call, const JudgeRequest& request,
                                      const std::string& device) {
  std::vector<std::string> arguments = {"--task", call.task, "--json", "--verdict", call.verdict};
  arguments.emplace_back(request.gate ? "--gate" : "--stop-at-wrong");
  if (!request.gate && !call.explains) arguments.emplace_back("--no-diagnosis");
  const bool measures = request.gate || call.chip.empty();
  if (!measures) arguments.emplace_back("--verify-only");
  if (measures && !request.gate) {
    arguments.emplace_back("--protocol");
    arguments.emplace_back(to_string(TimingProtocol::metal_sci));
  }
  if (!call.chip.empty())
    arguments.insert(arguments.end(), {"--predict", call.chip});
  else if (call.profiles && !request.gate)
    arguments.insert(arguments.end(), {"--predict", std::string(default_chip)});
  for (const auto& program : request.judged_programs)
    arguments.insert(arguments.end(), {"--judged-program", program});
  if (request.rival) arguments.insert(arguments.end(), {"--vs", *request.rival});
  if (!device.empty()) arguments.insert(arguments.end(), {"--device", device});
  arguments.push_back(request.candidate);
  return arguments;
}

Result<std::string> judgement_of(const CommandResult& result) {
  if (result.timed_out) return no_verdict("judging " + failure_reason(result));
  if (std::find(faults.begin(), faults.end(), result.exit.signal) != faults.end())
    return no_verdict("msci-eval crashed on it: " + failure_reason(result));
  if (result.exit.code && is_object(result.out)) return result.out;
  return Error{fmt::format("the judge gave no judgement: {}", failure_reason(result))};
}

std::optional<Error> LocalJudge::judge(std::span<const JudgeRequest> requests,
                                       const OnJudgement& on_judgement) {
  const auto command_at = [&](std::size_t number, std::size_t slot) {
    return Command{.arguments = shell_arguments(
                       call_.line, arguments_of(call_, requests[number], devices_[slot])),
                   .folder = call_.folder,
                   .time_limit = call_.limit};
  };
  const auto on_result = [&](std::size_t number, CommandResult result) -> std::optional<Error> {
    auto json = judgement_of(result);
    if (!json) return json.error();
    return on_judgement(number, *std::move(json), result.seconds);
  };
  return run_commands(requests.size(), devices_.size(), command_at, on_result);
}

}  // namespace msci::search
