#include "evaluator/versus.h"

#include <algorithm>
#include <cmath>

namespace msci {
namespace {

Ratio ratio_of(const std::vector<double>& logarithms) {
  if (logarithms.empty()) return {};
  Ratio ratio{.median = std::exp(median(logarithms))};
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(logarithms.begin(), logarithms.end(), is_finite)) return ratio;
  if (const auto interval = rank_interval(logarithms, versus_confidence))
    ratio.interval = ConfidenceInterval{std::exp(interval->low), std::exp(interval->high)};
  return ratio;
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

// One of the two, at one size.
struct Side {
  Program& program;
  Plan plan;
  std::vector<double>& seconds;
};

// What went wrong in a turn, or nothing.
Result<std::optional<Failure>> take_turn(Side& side, Repeats turn) {
  auto run = side.program.run(side.plan, turn);
  if (!run) return run.error();
  if (auto* failure = std::get_if<Failure>(&*run)) return std::optional(std::move(*failure));
  const double seconds = median(std::get<Run>(*run).seconds);
  // A clock that stands still says nothing of the kernel.
  if (!(seconds > 0)) return Error{"a pass took no time that the device's clock could tell"};
  side.seconds.push_back(seconds);
  return std::optional<Failure>();
}

Result<std::optional<Failure>> take_turns(Side candidate, Side rival, Rounds rounds) {
  for (unsigned round = 0; round < rounds.count; ++round) {
    const bool swapped = round % 2 == 1;
    for (auto* side : {swapped ? &rival : &candidate, swapped ? &candidate : &rival}) {
      auto failure = take_turn(*side, rounds.turn);
      if (!failure || *failure) return failure;
    }
  }
  return std::optional<Failure>();
}

// Adds a round in which they may have changed places.
void append(Versus& versus, const Versus& round, bool swapped) {
  if (versus.sizes.empty())
    for (const auto& size : round.sizes) versus.sizes.push_back({.label = size.label});
  for (std::size_t i = 0; i < round.sizes.size(); ++i) {
    const auto& [label, first, second] = round.sizes[i];
    const auto& ours = swapped ? second : first;
    const auto& theirs = swapped ? first : second;
    versus.sizes[i].candidate.insert(versus.sizes[i].candidate.end(), ours.begin(), ours.end());
    versus.sizes[i].rival.insert(versus.sizes[i].rival.end(), theirs.begin(), theirs.end());
  }
}

}  // namespace

Ratio Versus::at(std::size_t size) const { return ratio_of(logarithms_of(sizes[size])); }

Ratio Versus::overall() const {
  std::size_t rounds = sizes.empty() ? 0 : rounds_of(sizes.front());
  for (const auto& size : sizes) rounds = std::min(rounds, rounds_of(size));
  std::vector<double> means;
  for (std::size_t round = 0; round < rounds; ++round) {
    double sum = 0;
    for (const auto& size : sizes) sum += logarithm_at(size, round);
    means.push_back(sum / static_cast<double>(sizes.size()));
  }
  return ratio_of(means);
}

bool Versus::is_faster(double margin) const {
  const auto interval = overall().interval;
  return interval && interval->low > 1 + margin;
}

bool Versus::is_slower(double margin) const {
  const auto interval = overall().interval;
  return interval && interval->high < 1 / (1 + margin);
}

Result<Attempt<Versus>> compare_in_turns(const Task& task, const std::vector<const Size*>& sizes,
                                         Contender candidate, Contender rival, Rounds rounds) {
  Versus versus;
  for (const auto* size : sizes) {
    const auto our_plan = task.plan(*size, candidate.translation);
    const auto their_plan = task.plan(*size, rival.translation);
    for (const auto* plan : {&our_plan, &their_plan})
      if (!*plan) return Attempt<Versus>{Failure{Failure::Cause::run_time, plan->error().message}};
    auto& row = versus.sizes.emplace_back(PairedTimes{.label = std::string(size->label)});
    auto failure = take_turns({candidate.program, *our_plan, row.candidate},
                              {rival.program, *their_plan, row.rival}, rounds);
    if (!failure) return failure.error();
    if (*failure) return Attempt<Versus>{**std::move(failure)};
  }
  return Attempt<Versus>{std::move(versus)};
}

Result<Attempt<Versus>> compare_in_turns(const Task& task, const std::vector<const Size*>& sizes,
                                         const Translation& candidate, const Translation& rival,
                                         Device& device, Rounds rounds) {
  Versus versus;
  for (unsigned round = 0; round < rounds.count; ++round) {
    auto ours = device.build(candidate);
    if (!ours) return ours.error();
    auto theirs = device.build(rival);
    if (!theirs) return theirs.error();
    for (auto* built : {&*ours, &*theirs})
      if (auto* failure = std::get_if<Failure>(built)) return Attempt<Versus>{std::move(*failure)};
    const Contender us{candidate, *std::get<0>(*ours)};
    const Contender them{rival, *std::get<0>(*theirs)};
    const bool swapped = round % 2 == 1;
    auto turn = compare_in_turns(task, sizes, swapped ? them : us, swapped ? us : them,
                                 {.count = 1, .turn = rounds.turn});
    if (!turn) return turn.error();
    if (auto* failure = std::get_if<Failure>(&*turn)) return Attempt<Versus>{std::move(*failure)};
    append(versus, std::get<Versus>(*turn), swapped);
  }
  return Attempt<Versus>{std::move(versus)};
}

}  // namespace msci
