#include "evaluator/search/judge.h"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <nlohmann/json.hpp>

#include "evaluator/search/judgement.h"

namespace msci::search {
namespace {

// Signals that a program brings upon itself, here by reading or translating a source.
constexpr std::array faults = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGXCPU};

bool is_object(const std::string& text) {
  return nlohmann::json::parse(text, nullptr, false).is_object();
}

}  // namespace

std::vector<std::string> arguments_of(const JudgeCall& call, const Job& job,
                                      const std::string& device) {
  std::vector<std::string> arguments = {"--task", call.task, "--json"};
  arguments.emplace_back(job.gate ? "--gate" : "--stop-at-wrong");
  if (!job.gate) arguments.insert(arguments.end(), {"--protocol", "metal-sci"});
  if (job.rival) arguments.insert(arguments.end(), {"--vs", *job.rival});
  if (!device.empty()) arguments.insert(arguments.end(), {"--device", device});
  arguments.insert(arguments.end(), {"--", job.candidate});
  return arguments;
}

Result<std::string> judgement_of(const Ended& ended) {
  if (ended.timed_out) return refusal("judging " + complaint(ended));
  for (const int fault : faults)
    if (ended.signal == fault)
      return refusal("what reads the source crashed on it: " + complaint(ended));
  if (!ended.signal && is_object(ended.out)) return ended.out;
  return Error{fmt::format("the judge gave no judgement: {}", complaint(ended))};
}

Result<std::monostate> LocalJudge::judge(std::span<const Job> jobs, const TakeJudgement& take) {
  const auto command = [&](std::size_t job, std::size_t slot) {
    return Command{.words = shell_words(call_.line, arguments_of(call_, jobs[job], devices_[slot])),
                   .folder = call_.folder,
                   .limit = call_.limit};
  };
  const auto ended = [&](std::size_t job, Ended ended) -> Result<std::monostate> {
    auto json = judgement_of(ended);
    if (!json) return json.error();
    return take(job, *std::move(json), ended.seconds);
  };
  return run_all(jobs.size(), devices_.size(), command, ended);
}

}  // namespace msci::search
