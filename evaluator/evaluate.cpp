#include "evaluator/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <map>

#include "base/elapsed.h"
#include "evaluator/measure/timed_passes.h"
#include "evaluator/strict/ablation.h"
#include "evaluator/strict/strict_verdict.h"
#include "instrument/check/result/checked_run.h"
#include "instrument/profile/result/profiled_run.h"
#include "plan/bindings.h"
#include "plan/task_reference.h"

namespace msci {
namespace {

// Returns what `work` returns, and adds its time to `total`.
template <typename Work>
auto timed(double& total, Work work) {
  const auto start = std::chrono::steady_clock::now();
  auto result = work();
  total += seconds_since(start);
  return result;
}

std::string names_of(const std::vector<KernelSignature>& kernels) {
  std::string names;
  for (const auto& kernel : kernels) names += (names.empty() ? "" : ", ") + kernel.name;
  return names.empty() ? "none" : names;
}

// Runs and judges one kernel at all sizes.
class SizeLoop {
 public:
  SizeLoop(const Task& task, const Translation& translation, const EvaluationContext& context,
           Protocol protocol, Program& program, PhaseTimes& times)
      : task_(task),
        translation_(translation),
        context_(context),
        protocol_(protocol),
        program_(program),
        times_(times),
        ceilings_(context.gauge ? context.gauge->current() : context.ceilings) {}

  Result<Outcome> all_sizes() {
    std::vector<SizeResult> sizes;
    for (const auto& size : task_.sizes) {
      auto outcome = one_size(size);
      if (!outcome) return outcome.error();
      sizes.push_back(*std::move(outcome));
      if (!sizes.back().correct() && protocol_.stop_at_wrong) break;
    }
    if (!std::all_of(sizes.begin(), sizes.end(), [](const auto& each) { return each.correct(); }))
      return Outcome{Wrong{std::move(sizes)}};
    Scored scored{.sizes = std::move(sizes)};
    if (protocol_.held_out && task_.held_out) {
      auto held_out = one_size(*task_.held_out);
      if (!held_out) return held_out.error();
      scored.held_out = *std::move(held_out);
    }
    // A ceiling may have been too low when the first sizes were timed.
    for (auto& size : scored.sizes) relate(size);
    if (scored.held_out) relate(*scored.held_out);
    scored.score = score(scored.sizes);
    return Outcome{std::move(scored)};
  }

  // Of the device, as they were measured until now.
  const std::optional<Ceilings>& ceilings() const { return ceilings_; }

 private:
  Result<SizeResult> one_size(const Size& size) {
    if (context_.begins_size) context_.begins_size(size.label);
    SizeResult outcome = blank(size);
    auto run = run_size(size);
    if (!run) return run.error();
    if (auto* failure = std::get_if<Failure>(&*run)) {
      outcome.answer = std::move(*failure);
      return outcome;
    }
    auto& ran = std::get<Run>(*run);
    if (auto error = predict_time(size, ran, outcome)) return *error;
    const auto expected =
        timed(times_.reference, [&] { return reference_of(task_, size, context_.cache); });
    auto verdict = timed(times_.judge, [&] {
      return task_.judge(size, expected, ran.outputs,
                         ran.timed_outputs ? *ran.timed_outputs : ran.outputs);
    });
    if (!verdict) return verdict.error();
    name_difference(*verdict);
    outcome.answer = *std::move(verdict);
    const auto most_error = explained_error(size, outcome.answer);
    if (ran.timed_outputs) {
      auto wrong_pass = timed(times_.judge, [&] {
        return find_wrong_pass(task_, size, plan_, expected, ran, most_error);
      });
      if (!wrong_pass) return wrong_pass.error();
      outcome.wrong_pass = *std::move(wrong_pass);
    }
    if (ran.timed_outputs) outcome.timed_correct = outcome.correct() && !outcome.wrong_pass;
    if (outcome.correct() && !outcome.wrong_pass)
      outcome.wrong_pass =
          timed(times_.judge, [&] { return doubt(size, ran.outputs, outcome.answer, most_error); });
    outcome.changed_inputs = std::move(ran.changed_inputs);
    if (auto error = prepare_ceiling(ran.seconds)) return *error;
    outcome.timing = timing(size, ran.seconds);
    if (outcome.correct())
      if (auto error = doubt_ceiling(size, outcome.timing)) return *error;
    if (auto failure = impossible_time(outcome.timing)) outcome.answer = *std::move(failure);
    outcome.overruns = std::move(ran.overruns);
    if (!outcome.keeps_the_rules()) outcome.timing.reset();
    return outcome;
  }

  std::optional<Error> predict_time(const Size& size, const Run& run, SizeResult& outcome) const {
    if (!protocol_.chip) return std::nullopt;
    const auto profile = profile_of(translation_, plan_, run.counts);
    if (!profile) return profile.error();
    outcome.predicted = predict_pass(task_, size, *profile, *protocol_.chip);
    return std::nullopt;
  }

  // Tasks of the benchmark compare their first result, whose name depends on the steps.
  void name_difference(Verdict& verdict) const {
    if (verdict.differences && verdict.differences->first.starts_with('['))
      verdict.differences->first.insert(0, plan_.buffers[plan_.results.front()].name);
  }

  // The largest error of recorded inputs that rounding explains, where it was derived.
  std::optional<double> explained_error(const Size& size, const Answer& answer) const {
    const auto* verdict = std::get_if<Verdict>(&answer);
    if (!protocol_.scrutiny.thorough || !verdict || !verdict->tolerance) return std::nullopt;
    const auto derivation = derivation_from(task_.derivation);
    if (!derivation) return std::nullopt;
    return derivation->recorded_tolerance(size.label, *verdict->tolerance);
  }

  // Why a thorough verdict does not take results that the recorded one accepts for the contract's.
  std::optional<std::string> doubt(const Size& size, const Outputs& outputs, const Answer& answer,
                                   std::optional<double> most) const {
    if (const auto* verdict = std::get_if<Verdict>(&answer); most && verdict->error_value > *most)
      return fmt::format("{} is {:.3e}, more than rounding explains ({:.3e})", verdict->error_kind,
                         verdict->error_value, *most);
    if (!protocol_.scrutiny.thorough || !task_.stress.recorded_error) return std::nullopt;
    constexpr double most_recomputed = 1e-3;  // what rounding leaves after hundreds of steps
    KeyedRandom draws(key_of(protocol_.strict_nonce.value_or(0), size.label, 4));
    const auto error = task_.stress.recorded_error(size, outputs, draws);
    if (error <= most_recomputed) return std::nullopt;
    return fmt::format("recomputed results are off by {:.3g}", error);
  }

  SizeResult blank(const Size& size) const {
    return {.label = std::string(size.label),
            .achieved_unit = std::string(task_.unit),
            .ceiling_unit = ceiling_unit_of(task_)};
  }

  Result<Attempt<Run>> run_size(const Size& size) {
    auto plan = timed(times_.inputs, [&] { return task_.plan(size, translation_); });
    if (!plan && !task_.plan_file.empty()) return plan.error();
    // A Metal host fails here as its driver would: at this size, while running.
    if (!plan) return Attempt<Run>{Failure{Failure::Cause::run_time, plan.error().message}};
    plan_ = *std::move(plan);
    plan_.execution = protocol_.execution;
    plan_.execution.counted = protocol_.chip != nullptr;
    mark_constant_buffers(task_, plan_);
    if (protocol_.repeats.timed > 0)
      timed(times_.inputs, [&] {
        prepare_for_timing(task_, size, translation_, fresh_nonce(), plan_);
        return 0;
      });
    return timed(times_.run, [&] { return program_.run(plan_, protocol_.repeats); });
  }

  std::optional<Timing> timing(const Size& size, const std::vector<double>& seconds) {
    if (seconds.empty() || !ceilings_) return std::nullopt;
    const double middle = median(seconds);
    Timing timing{
        .seconds = middle,
        .achieved = middle > 0 ? task_.work(size) / middle * 1e-9 : 0,
        .intensity = task_.intensity ? std::optional(task_.intensity(size)) : std::nullopt,
        .spread = spread_of(seconds)};
    relate(timing, working_sets_[std::string(size.label)] = working_set());
    return timing;
  }

  // Bytes that a pass may touch.
  std::size_t working_set() const {
    std::size_t bytes = 0;
    for (const auto& buffer : plan_.buffers) bytes += buffer.bytes;
    return bytes;
  }

  // Whether the ceiling is one that can be measured.
  bool is_gauged() const { return context_.gauge && !task_.best_rate; }

  std::optional<Error> prepare_ceiling(const std::vector<double>& seconds) {
    if (seconds.empty() || !is_gauged()) return std::nullopt;
    auto done = context_.gauge->prepare(task_.ceiling, working_set());
    if (!done) return done.error();
    ceilings_ = context_.gauge->current();
    return std::nullopt;
  }

  // Measures the ceiling again beside a kernel that exceeds it or beside other work, and then the
  // kernel. Other work only lowers a ceiling, so the higher one counts; of the times, the longer.
  std::optional<Error> doubt_ceiling(const Size& size, std::optional<Timing>& timing) {
    constexpr double doubtful = 1.03;
    if (!timing || !(timing->seconds > 0)) return std::nullopt;
    const auto set = working_set();
    for (int i = 0; i < 3 && is_gauged(); ++i) {
      const bool was_beside_load = context_.gauge->is_doubtful(task_.ceiling, set);
      if (rate_over_ceiling(*timing) <= doubtful && (i > 0 || !was_beside_load)) break;
      auto done = context_.gauge->measure_again(task_.ceiling, set);
      if (!done) return done.error();
      ceilings_ = context_.gauge->current();
      relate(*timing, set);
    }
    const double rate = rate_over_ceiling(*timing);
    if (rate <= most_fraction || rate > most_accepted) return std::nullopt;
    auto again = run_size(size);
    if (!again) return again.error();
    if (const auto* run = std::get_if<Run>(&*again))
      if (auto second = this->timing(size, run->seconds);
          second && second->seconds > timing->seconds)
        timing = std::move(second);
    return std::nullopt;
  }

  static double rate_over_ceiling(const Timing& timing) {
    return timing.ceiling > 0 ? timing.achieved / timing.ceiling : 0;
  }

  void relate(SizeResult& size) const {
    if (const auto set = working_sets_.find(size.label); size.timing && set != working_sets_.end())
      relate(*size.timing, set->second);
  }

  // Sets what follows from the ceiling.
  void relate(Timing& timing, std::size_t working_set) const {
    timing.ceiling = ceiling_of(task_, *ceilings_, working_set);
    timing.fraction = rate_over_ceiling(timing);
    timing.above_ceiling.reset();
    if (timing.fraction <= most_fraction) return;
    timing.above_ceiling = why_above();
    // The user's own ceiling may be a mark to pass.
    if (!task_.best_rate) timing.fraction = most_fraction;
  }

  std::string why_above() const {
    if (task_.best_rate) return "the plan's own ceiling is lower than what the kernel reaches";
    if (ceilings_->is_beside_load)
      return "other work ran while both were measured, also when they were measured again";
    if (task_.ceiling == Ceiling::compute)
      return "the task counts more operations than the kernel needs";
    return "the task counts more bytes than the kernel has to move through memory or caches";
  }

  static constexpr double most_accepted = 100;  // times the ceiling

  // Detects a forged clock, and work that was not done: no cache exceeds a ceiling by that much.
  static std::optional<Failure> impossible_time(const std::optional<Timing>& timing) {
    if (!timing || (timing->seconds > 0 && rate_over_ceiling(*timing) <= most_accepted))
      return std::nullopt;
    return Failure{Failure::Cause::run_time,
                   fmt::format("a pass takes {:.3g} s: that is more than {} times what the device "
                               "can do, and is not accepted as a measurement",
                               timing->seconds, most_accepted)};
  }

  static std::optional<double> score(const std::vector<SizeResult>& sizes) {
    std::vector<double> fractions;
    for (const auto& size : sizes) {
      if (!size.timing) return std::nullopt;
      fractions.push_back(size.timing->fraction);
    }
    return geometric_mean(fractions);
  }

  const Task& task_;
  const Translation& translation_;
  const EvaluationContext& context_;
  Protocol protocol_;
  Program& program_;
  PhaseTimes& times_;
  Plan plan_;  // of the size that runs
  std::optional<Ceilings> ceilings_;
  std::map<std::string, std::size_t> working_sets_;  // of timed sizes, by label
};

// Orders that reveal what a kernel takes for granted. A device without a choice has one.
std::vector<Execution> orders_of(const DeviceInfo& device, std::uint64_t nonce) {
  if (!device.chooses_order) return {Execution{}};
  return {{.order = Execution::Order::forward},
          {.order = Execution::Order::reversed},
          {.order = Execution::Order::keyed, .key = nonce}};
}

// One stress size with the tolerance that was derived for it, in one order.
Result<SizeResult> in_one_order(const Task& task, const Size& size, double tolerance, Key key,
                                const StressReference& reference, const Translation& translation,
                                Program& program, const Execution& execution) {
  SizeResult outcome{.label = std::string(size.label)};
  const auto ran =
      run_stress(task, size, key, reference, translation, program, execution, tolerance);
  if (!ran) return ran.error();
  if (const auto* failure = std::get_if<Failure>(&*ran)) {
    outcome.answer = *failure;
    return outcome;
  }
  const auto& run = std::get<StressRun>(*ran);
  outcome.answer = Verdict{.correct = run.error <= tolerance,
                           .error_value = run.error,
                           .error_kind = "strict_rel",
                           .tolerance = tolerance,
                           .differences = run.differences};
  outcome.overruns = run.overruns;
  outcome.changed_inputs = run.changed_inputs;
  return outcome;
}

bool is_time_out(const SizeResult& size) {
  const auto* failure = std::get_if<Failure>(&size.answer);
  return failure && failure->cause == Failure::Cause::time_out;
}

// A stress size in its worst order.
struct StressSize {
  SizeResult result;
  std::optional<OrderDependence> dependence;
};

// In all orders, or until one is right and another wrong. A kernel whose threadgroups wait for each
// other may end in one order only; Metal promises none, but this says nothing about its answer.
Result<StressSize> one_stress_size(const Task& task, const Size& size, double tolerance, Key key,
                                   const Translation& translation, Program& program,
                                   const std::vector<Execution>& orders) {
  const auto reference = start_reference(task, size, key);
  std::optional<StressSize> first;
  for (const auto& order : orders) {
    auto result = in_one_order(task, size, tolerance, key, reference, translation, program, order);
    if (!result) return result.error();
    if (!first) {
      first = StressSize{*std::move(result), std::nullopt};
      continue;
    }
    const bool was_right = is_strictly_right(first->result);
    if (is_time_out(*result) || is_strictly_right(*result) == was_right) continue;
    const auto before = to_string(orders.front());
    first->dependence = OrderDependence{.size = std::string(size.label),
                                        .right = was_right ? before : to_string(order),
                                        .wrong = was_right ? to_string(order) : before};
    if (was_right) first->result = *std::move(result);
    break;
  }
  return *std::move(first);
}

// The parts of the program that do not matter at the first stress size.
Result<std::vector<std::string>> irrelevant_parts(const Task& task, double tolerance,
                                                  const Translation& translation, Program& program,
                                                  std::uint64_t nonce) {
  const auto& size = task.stress.sizes[0];
  const Key key = key_of(nonce, size.label, 1);
  const auto plan = task.stress.plan(size, translation, key);
  const auto other = task.stress.plan(size, translation, key_of(nonce, size.label, 2));
  if (!plan) return plan.error();
  if (!other) return other.error();
  const auto expected = task.stress.reference(size, key);
  std::optional<Error> problem;
  auto parts = find_irrelevant_parts(program, *plan, *other, [&](const Outputs& results) {
    const auto error = stress_error(task, size, key, expected, results);
    if (!error) problem = error.error();
    return error && *error <= tolerance;
  });
  if (problem) return *problem;
  return parts;
}

struct CheckedFaults {
  std::string size;
  std::vector<Diagnostic> faults;
  std::optional<std::string> not_checked;  // why the first run that could not be made was not
};

// What the checked form does wrong at the stress sizes, of which one does not divide into
// threadgroups and the other has several simdgroups and threadgroups along each axis.
CheckedFaults faults_of(const Task& task, const Translation& translation, PlanChecker& checker,
                        std::uint64_t nonce) {
  CheckedFaults checked;
  const auto leave_out = [&](const Size& size, const std::string& why) {
    if (!checked.not_checked) checked.not_checked = fmt::format("at size {}, {}", size.label, why);
  };
  for (auto size : task.stress.sizes) {
    for (auto& [name, value] : size.parameters)
      if (name == task.stress.steps) value = std::min(value, 2U);
    const auto plan = task.stress.plan(size, translation, key_of(nonce, size.label, 3));
    if (!plan) {
      leave_out(size, plan.error().message);
      continue;
    }
    auto faults = checker.find_faults(*plan);
    if (!faults) {
      leave_out(size, faults.error().message);
    } else if (const auto* failure = std::get_if<Failure>(&*faults)) {
      leave_out(size, failure->message);
    } else if (auto& found = std::get<std::vector<Diagnostic>>(*faults); !found.empty()) {
      checked.size = size.label;
      checked.faults = std::move(found);
      break;
    }
  }
  return checked;
}

// Starts the checked runs beside the caller, or says in `strict` why there are none. They have a
// process of their own.
std::future<CheckedFaults> start_checks(const Task& task, const Translation& translation,
                                        PlanChecker& checker, StrictResult& strict) {
  const auto prepared = checker.prepare();
  if (!prepared)
    strict.not_checked = prepared.error().message;
  else if (const auto* failure = std::get_if<Failure>(&*prepared))
    strict.not_checked = failure->message;
  else
    return std::async(std::launch::async, [&task, &translation, &checker, nonce = strict.nonce] {
      return faults_of(task, translation, checker, nonce);
    });
  return {};
}

}  // namespace

Repeats repeats_of(TimingProtocol protocol) {
  switch (protocol) {
    case TimingProtocol::steady:
      return steady;
    case TimingProtocol::metal_sci:
      return metal_sci;
    case TimingProtocol::benchmark:
      return benchmark;
  }
  return steady;
}

Result<StrictResult> judge_strictly(const Task& task, const Translation& translation,
                                    const DeviceInfo& device, Program& program, std::uint64_t nonce,
                                    const Scrutiny& scrutiny) {
  const auto derivation = derivation_from(task.derivation);
  if (!derivation)
    return Error{fmt::format("{} has no strict tolerances: {}; make them with msci-tasks derive {}",
                             task.name, derivation.error().message, task.name)};
  StrictResult strict{.nonce = nonce};
  // Also of a wrong kernel: they say where.
  std::future<CheckedFaults> checked;
  if (scrutiny.checker) checked = start_checks(task, translation, *scrutiny.checker, strict);
  const auto orders = orders_of(device, nonce);
  const auto judge_size = [&](const Size& size, double tolerance) -> std::optional<Error> {
    auto outcome = one_stress_size(task, size, tolerance, key_of(nonce, size.label, 0), translation,
                                   program, orders);
    if (!outcome) return outcome.error();
    strict.sizes.push_back(std::move(outcome->result));
    if (!strict.order_dependence) strict.order_dependence = std::move(outcome->dependence);
    return std::nullopt;
  };
  for (const auto& size : task.stress.sizes) {
    const auto tolerance = derivation->tolerance_of(size.label);
    if (!tolerance)
      return Error{
          fmt::format("{} has no strict tolerance for {}; make it with msci-tasks derive {}",
                      task.name, size.label, task.name)};
    if (auto error = judge_size(size, *tolerance)) return *error;
  }
  if (scrutiny.fuzz_sizes > 0 && !task.stress.random_size)
    return Error{fmt::format("{} has no random sizes; add \"random\" to the \"stress\" of its plan",
                             task.name)};
  for (unsigned count = 1; count <= scrutiny.fuzz_sizes; ++count)
    if (auto error = judge_size(fuzz_size(task, nonce, count), derivation->tolerance_elsewhere()))
      return *error;
  const auto is_right = [&] { return std::ranges::all_of(strict.sizes, is_strictly_right); };
  if (scrutiny.thorough && is_right())
    for (const auto& size : drawn_sizes(task, nonce)) {
      const auto key = key_of(nonce, size.label, 0);
      const auto reference = start_reference(task, size, key);
      auto outcome = in_one_order(task, size, derivation->tolerance_elsewhere(), key, reference,
                                  translation, program, {});
      if (!outcome) return outcome.error();
      strict.sizes.push_back(*std::move(outcome));
    }
  if (checked.valid()) {
    auto [size, faults, not_checked] = checked.get();
    for (const auto& fault : faults)
      strict.faults.push_back(
          fmt::format("at size {}, {}", size, one_line(fault, translation.source_name)));
    strict.findings = std::move(faults);
    strict.not_checked = std::move(not_checked);
  }
  strict.passed = is_right() && strict.faults.empty() && !strict.not_checked;
  if (strict.passed) {
    auto irrelevant = irrelevant_parts(task, *derivation->tolerance_of(task.stress.sizes[0].label),
                                       translation, program, nonce);
    if (!irrelevant) return irrelevant.error();
    strict.irrelevant_parts = *std::move(irrelevant);
  }
  return strict;
}

std::optional<Rejected> refuse_pipelines(const Task& task, const Translation& translation) {
  for (const auto& contract : task.kernels) {
    const auto* kernel = translation.find(contract.name);
    if (!kernel)
      return Rejected{Rejected::Stage::pipeline,
                      fmt::format("kernel {} not found; the source has: {}", contract.name,
                                  names_of(translation.kernels)),
                      true};
    if (const auto failure = refuse_pipeline(*kernel))
      return Rejected{Rejected::Stage::pipeline, failure->message};
  }
  return std::nullopt;
}

Result<Evaluation> evaluate(const Task& task, const Translation& translation,
                            const EvaluationContext& context, Protocol protocol) {
  for (const auto& contract : task.kernels)
    if (const auto* refused = translation.find_refused(contract.name))
      return Error{refused->reason};
  Evaluation evaluation;
  if (auto rejected = refuse_pipelines(task, translation)) {
    evaluation.outcome = *std::move(rejected);
    return evaluation;
  }
  auto built = timed(evaluation.times.build, [&] { return context.device.build(translation); });
  if (!built) return built.error();
  if (auto* failure = std::get_if<Failure>(&*built)) {
    if (may_be_the_devices(*failure))
      return Error{
          fmt::format("could not build the kernels of {}: {}", task.name, failure->message)};
    evaluation.outcome = Rejected{Rejected::Stage::pipeline, std::move(failure->message)};
    return evaluation;
  }
  auto& program = *std::get<std::unique_ptr<Program>>(*built);
  SizeLoop loop(task, translation, context, protocol, program, evaluation.times);
  auto outcome = loop.all_sizes();
  if (!outcome) return outcome.error();
  evaluation.ceilings = loop.ceilings();
  evaluation.outcome = *std::move(outcome);
  if (protocol.strict_nonce && !task.stress.sizes.empty() &&
      std::holds_alternative<Scored>(evaluation.outcome)) {
    auto strict = timed(evaluation.times.strict, [&] {
      return judge_strictly(task, translation, context.device.info(), program,
                            *protocol.strict_nonce, protocol.scrutiny);
    });
    if (!strict) return strict.error();
    evaluation.strict = *std::move(strict);
  }
  return evaluation;
}

}  // namespace msci
