#include "evaluator/measure/paired_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "base/keyed_random.h"
#include "evaluator/measure/timed_passes.h"
#include "tasks/plan/bindings.h"
#include "tasks/plan/task.h"

namespace msci {
namespace {

std::optional<Ratio> ratio_of(const std::vector<double>& logarithms) {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(logarithms.begin(), logarithms.end(), is_finite)) return std::nullopt;
  const auto interval = rank_interval(logarithms, versus_confidence);
  if (!interval) return std::nullopt;
  return Ratio{std::exp(median(logarithms)), {std::exp(interval->low), std::exp(interval->high)}};
}

std::size_t rounds_of(const PairedTimes& size) {
  return std::min(size.candidate.size(), size.rival.size());
}

double logarithm_at(const PairedTimes& size, std::size_t round) {
  return std::log(size.rival[round] / size.candidate[round]);
}

std::vector<double> logarithms_of(const PairedTimes& size) {
  std::vector<double> logarithms;
  for (std::size_t round = 0; round < rounds_of(size); ++round)
    logarithms.push_back(logarithm_at(size, round));
  return logarithms;
}

std::size_t rounds_of(const std::vector<PairedTimes>& sizes) {
  std::size_t rounds = sizes.empty() ? 0 : rounds_of(sizes.front());
  for (const auto& size : sizes) rounds = std::min(rounds, rounds_of(size));
  return rounds;
}

// Of the geometric mean over the sizes in each round.
std::vector<double> mean_logarithms(const std::vector<PairedTimes>& sizes) {
  std::vector<double> means;
  for (std::size_t round = 0; round < rounds_of(sizes); ++round) {
    double sum = 0;
    for (const auto& size : sizes) sum += logarithm_at(size, round);
    means.push_back(sum / static_cast<double>(sizes.size()));
  }
  return means;
}

std::optional<Failure> of_candidate(Failure failure, std::string_view size) {
  failure.message = fmt::format("at size {}: {}", size, failure.message);
  return failure;
}

Error of_rival(const std::string& message, std::string_view size) {
  return Error{fmt::format("the rival does not run at size {}: {}", size, message)};
}

// What both run at one size, with the same inputs in the same variants.
struct Plans {
  const Task& task;
  const Size& size;
  Plan candidate;
  Plan rival;
  Bytes expected;
  std::shared_ptr<TimedPasses> passes;  // of both
};

// A Failure is the candidate's: its plan cannot be made.
Result<Attempt<std::vector<Plans>>> plans_of(const Task& task, std::span<const Size> sizes,
                                             const Translation& candidate, const Translation& rival,
                                             Cache& references) {
  std::vector<Plans> all;
  const auto nonce = fresh_nonce();
  for (const auto& size : sizes) {
    auto ours = task.plan(size, candidate);
    auto theirs = task.plan(size, rival);
    if (!theirs) return of_rival(theirs.error().message, size.label);
    if (!ours)
      return Attempt<std::vector<Plans>>{
          *of_candidate(Failure{Failure::Cause::run_time, ours.error().message}, size.label)};
    auto passes = std::make_shared<TimedPasses>(task, size, nonce);
    for (auto [plan, program] : {std::pair(&*ours, &candidate), std::pair(&*theirs, &rival)}) {
      mark_constant_buffers(task, *plan);
      if (auto error = passes->prepare(*program, *plan)) return *std::move(error);
    }
    all.push_back({task, size, *std::move(ours), *std::move(theirs),
                   reference_of(task, size, references), std::move(passes)});
  }
  return Attempt<std::vector<Plans>>{std::move(all)};
}

// What a run did that makes its times void.
Result<std::optional<Failure>> find_offence(const Plans& plans, const Plan& plan, const Run& run) {
  const auto failure = [](std::string message) {
    return std::optional(Failure{Failure::Cause::wrong_pass, std::move(message)});
  };
  const auto verdict = plans.task.judge(plans.size, plans.expected, run.outputs, run.outputs);
  if (!verdict) return verdict.error();
  if (!verdict->correct)
    return failure(
        fmt::format("a pass is wrong: {} {:.3e}", verdict->error_kind, verdict->error_value));
  auto wrong = plans.passes->find_wrong(plan, plans.expected, run);
  if (!wrong) return wrong.error();
  if (*wrong) return failure(**std::move(wrong));
  if (!run.overruns.empty())
    return failure("a pass writes beside the ends of " + run.overruns.front());
  if (!run.changed_inputs.empty())
    return failure("a pass writes to the input " + run.changed_inputs.front());
  return std::optional<Failure>();
}

// The failure of a turn, or nothing.
Result<std::optional<Failure>> take_turn(Program& program, const Plans& plans, const Plan& plan,
                                         Repeats turn, std::vector<double>& times) {
  auto run = program.run(plan, turn);
  if (!run) return run.error();
  if (auto* failure = std::get_if<Failure>(&*run)) return std::optional(std::move(*failure));
  if (auto offence = find_offence(plans, plan, std::get<Run>(*run)); !offence || *offence)
    return offence;
  const double seconds = median(std::get<Run>(*run).seconds);
  // The clock is too coarse, which is not the kernel's fault.
  if (!(seconds > 0)) return Error{"a pass took less time than the device's clock resolves"};
  times.push_back(seconds);
  return std::optional<Failure>();
}

// A built program of each.
struct Pair {
  Program& candidate;
  Program& rival;
};

// Every size once; in odd rounds the rival is first.
Result<std::optional<Failure>> take_round(Pair pair, const std::vector<Plans>& plans,
                                          unsigned round, Repeats turn,
                                          PairedComparison& comparison) {
  for (std::size_t i = 0; i < plans.size(); ++i)
    for (const bool is_first : {true, false}) {
      const bool is_ours = is_first == (round % 2 == 0);
      auto& row = comparison.sizes[i];
      auto failure =
          is_ours ? take_turn(pair.candidate, plans[i], plans[i].candidate, turn, row.candidate)
                  : take_turn(pair.rival, plans[i], plans[i].rival, turn, row.rival);
      if (!failure) return failure;
      if (*failure && !is_ours) return of_rival((*failure)->message, row.label);
      if (*failure) return of_candidate(**std::move(failure), row.label);
    }
  return std::optional<Failure>();
}

// Every size once, with programs built for this round.
Result<std::optional<Failure>> play_round(Contender candidate, Contender rival,
                                          const std::vector<Plans>& plans, unsigned round,
                                          Repeats turn, PairedComparison& comparison) {
  auto ours = candidate.device.build(candidate.translation);
  if (!ours) return ours.error();
  auto theirs = rival.device.build(rival.translation);
  if (!theirs) return theirs.error();
  if (auto* failure = std::get_if<Failure>(&*theirs))
    return Error{"the rival is not built: " + failure->message};
  if (auto* failure = std::get_if<Failure>(&*ours)) return std::optional(*failure);
  return take_round({*std::get<0>(*ours), *std::get<0>(*theirs)}, plans, round, turn, comparison);
}

}  // namespace

std::optional<Ratio> PairedComparison::at(std::size_t size) const {
  return ratio_of(logarithms_of(sizes[size]));
}

std::optional<Ratio> PairedComparison::overall() const { return ratio_of(mean_logarithms(sizes)); }

unsigned PairedComparison::rounds() const { return static_cast<unsigned>(rounds_of(sizes)); }

bool PairedComparison::is_faster(double margin) const {
  const auto ratio = overall();
  return ratio && ratio->interval.low > 1 + margin;
}

bool PairedComparison::is_slower(double margin) const {
  const auto ratio = overall();
  return ratio && ratio->interval.high < 1 / (1 + margin);
}

bool PairedComparison::may_be_faster(unsigned count, double margin) const {
  auto logarithms = mean_logarithms(sizes);
  logarithms.resize(std::max<std::size_t>(count, logarithms.size()),
                    std::numeric_limits<double>::infinity());
  const auto interval = rank_interval(std::move(logarithms), versus_confidence);
  return interval && std::exp(interval->low) > 1 + margin;
}

Result<Attempt<PairedComparison>> compare_paired(const Task& task, std::span<const Size> sizes,
                                                 Contender candidate, Contender rival,
                                                 Cache& references, Rounds rounds) {
  const auto plans = plans_of(task, sizes, candidate.translation, rival.translation, references);
  if (!plans) return plans.error();
  if (const auto* failure = std::get_if<Failure>(&*plans))
    return Attempt<PairedComparison>{*failure};
  PairedComparison comparison;
  for (const auto& size : sizes) comparison.sizes.push_back({.label = std::string(size.label)});
  for (unsigned round = 0; round < rounds.count; ++round) {
    auto failure =
        play_round(candidate, rival, std::get<0>(*plans), round, rounds.turn, comparison);
    if (!failure) return failure.error();
    if (*failure) return Attempt<PairedComparison>{**std::move(failure)};
    if (rounds.end_early && !comparison.may_be_faster(rounds.count)) break;
  }
  return Attempt<PairedComparison>{std::move(comparison)};
}

}  // namespace msci
