#include "evaluator/duel.h"

namespace msci {
namespace {

// One of the two, and where its times go.
struct Side {
  Program* program;
  Plan plan;
  std::vector<double>* seconds;
};

// A turn of one side: its failure, if it has one.
Result<std::optional<Failure>> take_turn(Side& side, unsigned passes) {
  auto run = side.program->run(side.plan, {.warmup = 1, .timed = passes});
  if (!run) return run.error();
  if (auto* failure = std::get_if<Failure>(&*run)) return std::optional(std::move(*failure));
  const auto& seconds = std::get<Run>(*run).seconds;
  side.seconds->insert(side.seconds->end(), seconds.begin(), seconds.end());
  return std::optional<Failure>();
}

Result<Attempt<PairedTimes>> at_size(const Task& task, const Size& size,
                                     const Translation& candidate, Program& candidate_program,
                                     const Translation& rival, Program& rival_program,
                                     Turns turns) {
  using Outcome = Attempt<PairedTimes>;
  PairedTimes times{.label = std::string(size.label)};
  auto candidate_plan = task.plan(size, candidate);
  auto rival_plan = task.plan(size, rival);
  for (const auto* plan : {&candidate_plan, &rival_plan})
    if (!*plan) return Outcome{Failure{Failure::Cause::run_time, plan->error().message}};
  Side first{&candidate_program, *std::move(candidate_plan), &times.candidate};
  Side second{&rival_program, *std::move(rival_plan), &times.rival};
  for (unsigned round = 0; round < turns.rounds; ++round) {
    for (auto* side : {&first, &second}) {
      auto failure = take_turn(*side, turns.passes);
      if (!failure) return failure.error();
      if (*failure) return Outcome{**std::move(failure)};
    }
    std::swap(first, second);
  }
  return Outcome{std::move(times)};
}

}  // namespace

Result<Attempt<std::vector<PairedTimes>>> measure_in_turns(const Task& task,
                                                           std::span<const Size> sizes,
                                                           const Translation& candidate,
                                                           const Translation& rival, Device& device,
                                                           Turns turns) {
  using Outcome = Attempt<std::vector<PairedTimes>>;
  auto ours = device.build(candidate);
  if (!ours) return ours.error();
  auto theirs = device.build(rival);
  if (!theirs) return theirs.error();
  for (auto* built : {&ours, &theirs})
    if (auto* failure = std::get_if<Failure>(&**built)) return Outcome{std::move(*failure)};
  std::vector<PairedTimes> all;
  for (const auto& size : sizes) {
    auto times =
        at_size(task, size, candidate, *std::get<0>(*ours), rival, *std::get<0>(*theirs), turns);
    if (!times) return times.error();
    if (auto* failure = std::get_if<Failure>(&*times)) return Outcome{std::move(*failure)};
    all.push_back(std::get<PairedTimes>(*std::move(times)));
  }
  return Outcome{std::move(all)};
}

}  // namespace msci
