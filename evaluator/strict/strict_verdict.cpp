#include "evaluator/strict/strict_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluator/measure/timed_passes.h"
#include "tasks/plan/bindings.h"

namespace msci {
namespace {

// Honest kernels add in another order, contract other products and run on other devices than the
// seed. Half precision alone is 8192 times coarser than single.
constexpr double derivation_factor = 32;

// With a larger error, the seed is wrong or its stress problem is ill-conditioned.
constexpr double largest_plausible_error = 1e-3;

// The seed's error at one size, for one nonce.
Result<double> seed_error(const Task& task, const Size& size, std::uint64_t nonce,
                          const Translation& seed, Program& program) {
  const auto key = key_of(nonce, size.label, 0);
  const auto reference = start_reference(task, size, key);
  const auto ran = run_stress(task, size, key, task.stress.plan(size, seed, key), reference,
                              program, {}, two_passes, std::numeric_limits<double>::infinity());
  if (!ran) return ran.error();
  if (const auto* failure = std::get_if<Failure>(&*ran))
    return Error{fmt::format("the seed of {} does not run at {}: {}", task.name, size.label,
                             failure->message)};
  const auto& run = std::get<StressRun>(*ran);
  if (!(run.error <= largest_plausible_error) || !run.overruns.empty())
    return Error{
        fmt::format("the seed of {} is wrong at {}: off by {}", task.name, size.label, run.error)};
  return run.error;
}

// The same for the first nonces, with the tolerance that follows.
Result<Derivation::OfSize> errors_at(const Task& task, const Size& size, unsigned nonces,
                                     const Translation& seed, Program& program) {
  Derivation::OfSize of_size{.label = std::string(size.label)};
  for (std::uint64_t nonce = 1; nonce <= nonces; ++nonce) {
    const auto error = seed_error(task, size, nonce, seed, program);
    if (!error) return error.error();
    of_size.errors.push_back(*error);
  }
  of_size.tolerance =
      derivation_factor * *std::max_element(of_size.errors.begin(), of_size.errors.end());
  return of_size;
}

Result<std::unique_ptr<Program>> build_seed(const Task& task, const Translation& seed,
                                            Device& device) {
  auto built = device.build(seed);
  if (!built) return built.error();
  if (const auto* failure = std::get_if<Failure>(&*built))
    return Error{fmt::format("the seed of {} does not build: {}", task.name, failure->message)};
  return std::get<std::unique_ptr<Program>>(*std::move(built));
}

}  // namespace

Result<Attempt<StressRun>> run_stress(const Task& task, const Size& size, Key key,
                                      Result<Plan> plan, const StressReference& reference,
                                      Program& program, const Execution& execution, Repeats repeats,
                                      double tolerance) {
  if (!plan && !task.plan_file.empty()) return plan.error();
  if (!plan) return Attempt<StressRun>{Failure{Failure::Cause::run_time, plan.error().message}};
  plan->vary_slack = true;
  mark_constant_buffers(task, *plan);
  plan->execution = execution;
  auto ran = program.run(*plan, repeats);
  if (!ran) return ran.error();
  if (auto* failure = std::get_if<Failure>(&*ran)) return Attempt<StressRun>{*failure};
  auto& run = std::get<Run>(*ran);
  const auto& expected = reference.get();
  const auto& outputs = run.timed_outputs ? *run.timed_outputs : run.outputs;
  const auto first = stress_error(task, size, key, expected, outputs);
  if (!first) return first.error();
  const auto second =
      outputs == run.outputs ? first : stress_error(task, size, key, expected, run.outputs);
  if (!second) return second.error();
  StressRun stress{.overruns = std::move(run.overruns),
                   .changed_inputs = std::move(run.changed_inputs),
                   .counts = std::move(run.counts)};
  const bool first_is_worse = std::isnan(*first) || *first > *second;
  stress.error = first_is_worse ? *first : *second;
  if (!(stress.error <= tolerance) && expected)
    stress.differences =
        strict_differences(*plan, *expected, first_is_worse ? outputs : run.outputs, tolerance);
  stress.plan = *std::move(plan);
  return Attempt<StressRun>{std::move(stress)};
}

Result<Derivation> derive(const Task& task, const Translation& seed, Device& device,
                          unsigned nonces) {
  if (task.stress.sizes.empty())
    return Error{fmt::format("{} has no stress problem to derive tolerances from", task.name)};
  const auto program = build_seed(task, seed, device);
  if (!program) return program.error();
  Derivation derivation{.device = device.info().name, .factor = derivation_factor};
  for (const auto& size : task.stress.sizes) {
    auto of_size = errors_at(task, size, nonces, seed, **program);
    if (!of_size) return of_size.error();
    derivation.sizes.push_back(*std::move(of_size));
  }
  return derivation;
}

Result<std::vector<Derivation::OfSize>> derive_whole(const Task& task, const Translation& seed,
                                                     Device& device, unsigned nonces) {
  const auto program = build_seed(task, seed, device);
  if (!program) return program.error();
  auto sizes = task.sizes;
  if (task.held_out) sizes.push_back(*task.held_out);
  std::vector<Derivation::OfSize> whole;
  for (const auto& size : sizes) {
    const auto plan = task.stress.plan(size, seed, key_of(1, size.label, 0));
    if (!plan) return plan.error();
    if (!is_timed_with_random_inputs(*plan)) continue;
    auto of_size = errors_at(task, size, nonces, seed, **program);
    if (!of_size) return of_size.error();
    whole.push_back(*std::move(of_size));
  }
  return whole;
}

Result<std::vector<Derivation::OfRecorded>> derive_recorded(const Task& task,
                                                            const Translation& seed,
                                                            Device& device) {
  const auto program = build_seed(task, seed, device);
  if (!program) return program.error();
  auto sizes = task.sizes;
  if (task.held_out) sizes.push_back(*task.held_out);
  std::vector<Derivation::OfRecorded> recorded;
  for (const auto& size : sizes) {
    const auto plan = task.plan(size, seed);
    if (!plan) return plan.error();
    const auto ran = (*program)->run(*plan, verify_only);
    if (!ran) return ran.error();
    const auto* run = std::get_if<Run>(&*ran);
    if (!run) return Error{fmt::format("the seed does not run at {}", size.label)};
    const auto judged = task.judge(size, task.reference ? task.reference(size) : Bytes{},
                                   run->outputs, run->outputs);
    if (!judged) return judged.error();
    const auto& verdict = *judged;
    if (!verdict.tolerance) return recorded;
    recorded.push_back({size.label, verdict.error_value});
  }
  return recorded;
}

}  // namespace msci
