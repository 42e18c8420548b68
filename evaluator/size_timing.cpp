#include <fmt/format.h>

#include "base/statistics.h"
#include "evaluator/evaluate.h"

namespace msci {
namespace {

constexpr double most_accepted = 100;  // times the ceiling

double rate_over_ceiling(const Timing& timing) {
  return timing.ceiling > 0 ? timing.achieved / timing.ceiling : 0;
}

// Bytes that a pass may touch.
std::size_t working_set_of(const Plan& plan) {
  std::size_t bytes = 0;
  for (const auto& buffer : plan.buffers) bytes += buffer.bytes;
  return bytes;
}

}  // namespace

SizeTiming::SizeTiming(const Task& task, const EvaluationContext& context)
    : task_(task),
      context_(context),
      ceilings_(context.gauge ? context.gauge->current() : context.ceilings) {}

Result<Attempt<std::optional<Timing>>> SizeTiming::time(const Size& size, const Plan& plan,
                                                        const std::vector<double>& seconds,
                                                        bool is_right, const RunAgain& run_again) {
  using Timed = Attempt<std::optional<Timing>>;
  const auto working_set = working_set_of(plan);
  if (!seconds.empty() && is_gauged()) {
    if (auto error = context_.gauge->prepare(task_.ceiling, working_set)) return *error;
    ceilings_ = context_.gauge->current();
  }
  auto timing = timing_of(size, working_set, seconds);
  if (!timing) return Timed{timing};
  working_sets_[std::string(size.label)] = working_set;
  if (!is_right || !(timing->seconds > 0)) return Timed{timing};
  if (auto error = doubt_ceiling(working_set, *timing)) return *std::move(error);
  const double rate = rate_over_ceiling(*timing);
  if (rate <= most_fraction || rate > most_accepted) return Timed{timing};
  // Of the two times, the longer.
  auto again = run_again();
  if (!again) return again.error();
  if (auto* failure = std::get_if<Failure>(&*again)) {
    failure->message = "timed again, because it is above the ceiling: " + failure->message;
    return Timed{std::move(*failure)};
  }
  if (auto second = timing_of(size, working_set, std::get<Run>(*again).seconds);
      second && second->seconds > timing->seconds)
    timing = std::move(second);
  return Timed{timing};
}

std::optional<Timing> SizeTiming::timing_of(const Size& size, std::size_t working_set,
                                            const std::vector<double>& seconds) const {
  if (seconds.empty() || !ceilings_) return std::nullopt;
  const double middle = median(seconds);
  Timing timing{.seconds = middle,
                .achieved = middle > 0 ? task_.work(size) / middle * 1e-9 : 0,
                .intensity = task_.intensity ? std::optional(task_.intensity(size)) : std::nullopt,
                .spread = spread_of(seconds)};
  relate(timing, working_set);
  return timing;
}

// Whether the ceiling is one that can be measured.
bool SizeTiming::is_gauged() const { return context_.gauge && !task_.best_rate; }

// Measures the ceiling again beside a kernel that exceeds it or beside other work. Other work only
// lowers a ceiling, so the higher one counts.
std::optional<Error> SizeTiming::doubt_ceiling(std::size_t working_set, Timing& timing) {
  constexpr double doubtful = 1.03;
  for (int i = 0; i < 3 && is_gauged(); ++i) {
    const bool was_beside_load = context_.gauge->is_doubtful(task_.ceiling, working_set);
    if (rate_over_ceiling(timing) <= doubtful && (i > 0 || !was_beside_load)) break;
    if (auto error = context_.gauge->measure_again(task_.ceiling, working_set)) return error;
    ceilings_ = context_.gauge->current();
    relate(timing, working_set);
  }
  return std::nullopt;
}

void SizeTiming::relate(SizeResult& size) const {
  if (const auto set = working_sets_.find(size.label); size.timing && set != working_sets_.end())
    relate(*size.timing, set->second);
}

void SizeTiming::relate(Timing& timing, std::size_t working_set) const {
  timing.ceiling = ceiling_of(task_, *ceilings_, working_set);
  timing.fraction = rate_over_ceiling(timing);
  timing.above_ceiling.reset();
  if (timing.fraction <= most_fraction) return;
  timing.above_ceiling = why_above();
  // The user's own ceiling may be a mark to pass.
  if (!task_.best_rate) timing.fraction = most_fraction;
}

std::string SizeTiming::why_above() const {
  if (task_.best_rate) return "the plan's own ceiling is lower than what the kernel reaches";
  if (ceilings_->is_beside_load)
    return "other work ran while both were measured, also when they were measured again";
  if (task_.ceiling == Ceiling::compute)
    return "the task counts more operations than the kernel needs";
  return "the task counts more bytes than the kernel has to move through memory or caches";
}

std::optional<Failure> impossible_time(const std::optional<Timing>& timing) {
  if (!timing || (timing->seconds > 0 && rate_over_ceiling(*timing) <= most_accepted))
    return std::nullopt;
  return Failure{Failure::Cause::run_time,
                 fmt::format("a pass takes {:.3g} s: that is more than {} times what the device "
                             "can do, and is not accepted as a measurement",
                             timing->seconds, most_accepted)};
}

}  // namespace msci
