#include "evaluator/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace msci {
namespace {

// What `work` returns; the time it took is added to `total`.
template <typename Work>
auto timed(double& total, Work work) {
  const auto start = std::chrono::steady_clock::now();
  auto result = work();
  total += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::string names_of(const std::vector<KernelSignature>& kernels) {
  std::string names;
  for (const auto& kernel : kernels) names += (names.empty() ? "" : ", ") + kernel.name;
  return names.empty() ? "none" : names;
}

// Why a Metal host could not build its pipelines; kernels that the task does not use may be
// anything.
std::optional<Rejected> refuse_pipelines(const Task& task, const Translation& translation) {
  for (const auto& contract : task.kernels) {
    const auto* kernel = translation.find(contract.name);
    if (!kernel)
      return Rejected{Rejected::Stage::pipeline,
                      fmt::format("there is no kernel {}; the source has: {}", contract.name,
                                  names_of(translation.kernels)),
                      true};
    if (const auto failure = refuse_pipeline(*kernel))
      return Rejected{Rejected::Stage::pipeline, failure->message};
  }
  return std::nullopt;
}

// One candidate on its way through the sizes.
class Candidate {
 public:
  Candidate(const Task& task, const Translation& translation, const Bench& bench, Protocol protocol,
            Program& program, Effort& effort)
      : task_(task),
        translation_(translation),
        bench_(bench),
        protocol_(protocol),
        program_(program),
        effort_(effort) {}

  Result<Outcome> all_sizes() {
    std::vector<SizeOutcome> sizes;
    for (const auto& size : task_.sizes) {
      auto outcome = one_size(size);
      if (!outcome) return outcome.error();
      sizes.push_back(*std::move(outcome));
      if (!sizes.back().correct() && protocol_.stop_at_wrong) break;
    }
    if (!std::all_of(sizes.begin(), sizes.end(), [](const auto& each) { return each.correct(); }))
      return Outcome{Wrong{std::move(sizes)}};
    Scored scored{.score = score(sizes)};
    scored.sizes = std::move(sizes);
    if (protocol_.held_out) {
      auto held_out = one_size(task_.held_out);
      if (!held_out) return held_out.error();
      scored.held_out = *std::move(held_out);
    }
    return Outcome{std::move(scored)};
  }

 private:
  Result<SizeOutcome> one_size(const Size& size) {
    if (bench_.begins_size) bench_.begins_size(size.label);
    SizeOutcome outcome{.label = std::string(size.label)};
    auto run = run_size(size);
    if (!run) return run.error();
    if (auto* failure = std::get_if<Failure>(&*run)) {
      outcome.answer = std::move(*failure);
      return outcome;
    }
    auto& ran = std::get<Run>(*run);
    const auto expected = timed(effort_.reference, [&] { return reference(size); });
    outcome.answer = timed(effort_.judge, [&] {
      return task_.judge(size, expected, ran.outputs,
                         ran.timed_outputs ? *ran.timed_outputs : ran.outputs);
    });
    outcome.timing = timing(size, ran.seconds);
    outcome.overruns = std::move(ran.overruns);
    return outcome;
  }

  Result<Attempt<Run>> run_size(const Size& size) {
    const auto plan = timed(effort_.inputs, [&] { return task_.plan(size, translation_); });
    // A Metal host fails here as its driver would: at this size, while running.
    if (!plan) return Attempt<Run>{Failure{Failure::Cause::run_time, plan.error().message}};
    return timed(effort_.run, [&] { return program_.run(*plan, protocol_.repeats); });
  }

  Bytes reference(const Size& size) {
    if (!task_.reference) return {};
    const auto name =
        fmt::format("references/{}-v{}-{}.bin", task_.name, task_.version, size.label);
    if (auto kept = bench_.cache.load(name)) return {*std::move(kept)};
    auto computed = task_.reference(size);
    bench_.cache.store(name, computed.data);
    return computed;
  }

  std::optional<Timing> timing(const Size& size, const std::vector<double>& seconds) const {
    if (seconds.empty() || !bench_.ceilings) return std::nullopt;
    const double middle = median(seconds);
    const double achieved = middle > 0 ? task_.work(size) / middle * 1e-9 : 0;
    const double ceiling = bench_.ceilings->of(task_.ceiling);
    return Timing{
        .seconds = middle,
        .achieved = achieved,
        .ceiling = ceiling,
        .fraction = ceiling > 0 ? achieved / ceiling : 0,
        .intensity = task_.intensity ? std::optional(task_.intensity(size)) : std::nullopt,
        .spread = spread_of(seconds)};
  }

  static std::optional<double> score(const std::vector<SizeOutcome>& sizes) {
    std::vector<double> fractions;
    for (const auto& size : sizes) {
      if (!size.timing) return std::nullopt;
      fractions.push_back(size.timing->fraction);
    }
    return geometric_mean(fractions);
  }

  const Task& task_;
  const Translation& translation_;
  const Bench& bench_;
  Protocol protocol_;
  Program& program_;
  Effort& effort_;
};

}  // namespace

bool SizeOutcome::correct() const {
  const auto* verdict = std::get_if<Verdict>(&answer);
  return verdict && verdict->correct;
}

double geometric_mean(std::span<const double> fractions) {
  double sum = 0;
  for (const auto fraction : fractions) sum += std::log(std::max(fraction, 1e-12));
  return std::exp(sum / static_cast<double>(fractions.size()));
}

Result<Evaluation> evaluate(const Task& task, const Translation& translation, const Bench& bench,
                            Protocol protocol) {
  Evaluation evaluation;
  if (auto rejected = refuse_pipelines(task, translation)) {
    evaluation.outcome = *std::move(rejected);
    return evaluation;
  }
  auto built = timed(evaluation.effort.build, [&] { return bench.device.build(translation); });
  if (!built) return built.error();
  if (auto* failure = std::get_if<Failure>(&*built)) {
    evaluation.outcome = Rejected{Rejected::Stage::pipeline, std::move(failure->message)};
    return evaluation;
  }
  auto& program = *std::get<std::unique_ptr<Program>>(*built);
  auto outcome =
      Candidate(task, translation, bench, protocol, program, evaluation.effort).all_sizes();
  if (!outcome) return outcome.error();
  evaluation.outcome = *std::move(outcome);
  return evaluation;
}

}  // namespace msci
