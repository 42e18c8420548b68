#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "search/tune/tune.h"

namespace msci::search {
namespace {

// At least so many points are random before neighbours are tried, if the space has four times more.
constexpr std::size_t random_points = 8;

// How far two points are from each other: 1 for a step of one value, 2 for another one value, and 3
// for others.
unsigned distance(const Configuration& one, const Configuration& other) {
  std::size_t different = 0, step = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    if (one[i] != other[i]) {
      ++different;
      step = one[i] > other[i] ? one[i] - other[i] : other[i] - one[i];
    }
  return different != 1 ? 3 : step == 1 ? 1 : 2;
}

// The iterations whose neighbours are worth a try: the incumbent, then those with higher scores.
std::vector<const Record*> centres(const History& before) {
  std::vector<const Record*> records;
  for (const auto& record : before)
    if (record.score && !record.same_program_as) records.push_back(&record);
  std::ranges::stable_sort(records, [&](const Record* one, const Record* other) {
    const bool leads = one->iteration == incumbent(before).iteration;
    const bool follows = other->iteration == incumbent(before).iteration;
    return leads != follows ? leads : *one->score > *other->score;
  });
  return records;
}

History before_generation(const History& history, unsigned generation) {
  History before;
  for (const auto& record : history)
    if (record.generation < generation) before.push_back(record);
  return before;
}

}  // namespace

Tuner::Tuner(TuneSpace space, std::uint64_t seed)
    : space_(std::move(space)), seed_(seed), open_(space_.points.size()) {
  tried_.resize(space_.points.size());
  if (const auto own = own_point(space_))
    if (const auto found = std::ranges::find(space_.points, *own); found != space_.points.end()) {
      tried_[static_cast<std::size_t>(found - space_.points.begin())] = true;
      --open_;
    }
}

std::vector<std::size_t> Tuner::untried() const {
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < tried_.size(); ++i)
    if (!tried_[i]) points.push_back(i);
  return points;
}

std::size_t Tuner::choose(unsigned iteration, const History& before) const {
  auto candidates = untried();
  const auto any_of = [&](const std::vector<std::size_t>& points) {
    return points[draw(seed_, iteration) % points.size()];
  };
  if (iteration <= std::min(random_points, open_ / 4)) return any_of(candidates);
  const auto own = own_point(space_);
  for (const auto* centre : centres(before)) {
    const auto* point = centre->iteration > 0 ? &space_.points[chosen_[centre->iteration - 1]]
                        : own                 ? &*own
                                              : nullptr;
    if (!point) continue;
    for (const unsigned near : {1u, 2u}) {
      std::vector<std::size_t> neighbours;
      for (const auto candidate : candidates)
        if (distance(space_.points[candidate], *point) == near) neighbours.push_back(candidate);
      if (!neighbours.empty()) return any_of(neighbours);
    }
  }
  return any_of(candidates);
}

const Configuration& Tuner::configuration(unsigned iteration, const History& history) {
  while (chosen_.size() < iteration) {
    const auto next = static_cast<unsigned>(chosen_.size() + 1);
    const auto generation =
        next < history.size() ? history[next].generation : history.back().generation + 1;
    chosen_.push_back(choose(next, before_generation(history, generation)));
    tried_[chosen_.back()] = true;
  }
  return space_.points[chosen_[iteration - 1]];
}

std::optional<Error> Tuner::answer(std::span<const GeneratorRequest> requests,
                                   const OnAnswer& on_answer) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].iteration > open_)
      return Error{fmt::format("all {} points have been tried", open_)};
    const auto& point = configuration(requests[i].iteration, *requests[i].history);
    const auto kernel = with_values(space_, point);
    auto text = fmt::format("{}\n\n```metal\n{}{}```\n", to_string(space_, point), kernel,
                            kernel.ends_with('\n') ? "" : "\n");
    if (auto error = on_answer(i, {.text = std::move(text)})) return error;
  }
  return std::nullopt;
}

}  // namespace msci::search
