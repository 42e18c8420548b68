#include "evaluator/strict/judge_strictly.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <future>
#include <iterator>
#include <span>
#include <utility>

#include "evaluator/check/checked_run.h"
#include "evaluator/strict/ablation.h"
#include "evaluator/strict/drawn_sizes.h"
#include "evaluator/strict/made_sizes.h"
#include "evaluator/strict/strict_verdict.h"

namespace msci {
namespace {

// Orders that reveal what a kernel takes for granted. A device without a choice has one.
std::vector<Execution> orders_of(const DeviceInfo& device, std::uint64_t nonce) {
  if (!device.chooses_order) return {Execution{}};
  return {{.order = Execution::Order::forward},
          {.order = Execution::Order::reversed},
          {.order = Execution::Order::keyed, .key = nonce}};
}

// A stress size in its worst order.
struct StressSize {
  SizeResult result;
  std::optional<OrderDependence> dependence;
};

// A size with what runs of it need, which other threads compute.
struct PreparedSize {
  std::size_t run = 0;  // its number
  Size size;
  Key key;
  std::future<Result<Plan>> plan;
  StressReference reference;
};

struct CheckedFaults {
  std::string size;
  std::vector<Diagnostic> faults;
  bool has_other_race = false;             // at any of the sizes, as in FoundFaults
  std::optional<std::string> not_checked;  // why the first run that could not be made was not
};

// What the checked form does wrong at the first of the sizes at which it does something wrong.
CheckedFaults faults_at(const std::vector<Size>& sizes, const Task& task,
                        const Translation& translation, PlanChecker& checker,
                        const std::function<Key(const Size&)>& key_at) {
  CheckedFaults checked;
  const auto leave_out = [&](const Size& size, const std::string& why) {
    if (!checked.not_checked) checked.not_checked = fmt::format("at size {}, {}", size.label, why);
  };
  for (const auto& size : sizes) {
    auto plan = task.stress.plan(size, translation, key_at(size));
    if (!plan) {
      leave_out(size, plan.error().message);
      continue;
    }
    plan->execution.brief = true;
    auto faults = checker.find_faults(*plan);
    if (!faults) {
      leave_out(size, faults.error().message);
    } else if (const auto* failure = std::get_if<Failure>(&*faults)) {
      leave_out(size, failure->message);
    } else {
      auto& found = std::get<FoundFaults>(*faults);
      checked.has_other_race |= found.has_other_race;
      if (found.decisive.empty()) continue;
      checked.size = size.label;
      checked.faults = std::move(found.decisive);
      break;
    }
  }
  return checked;
}

// The same at the stress sizes, of which one does not divide into threadgroups and the other has
// several simdgroups and threadgroups along each axis, and at sizes that no kernel knows.
CheckedFaults faults_of(const Task& task, const Translation& translation, PlanChecker& checker,
                        std::uint64_t nonce) {
  auto sizes = task.stress.sizes;
  std::ranges::move(drawn_checked_sizes(task, nonce), std::back_inserter(sizes));
  for (auto& size : sizes)
    for (auto& [name, value] : size.parameters)
      if (name == task.stress.steps) value = std::min(value, 2U);
  return faults_at(sizes, task, translation, checker,
                   [&](const Size& size) { return key_of(nonce, size.label, 3); });
}

// Judges one program of a task.
class StrictJudge {
 public:
  StrictJudge(const Task& task, const Translation& translation, const DeviceInfo& device,
              Program& program, std::uint64_t nonce, const StrictOptions& options,
              const Derivation& derivation)
      : task_(task),
        translation_(translation),
        program_(program),
        options_(options),
        derivation_(derivation),
        orders_(orders_of(device, nonce)),
        records_(records_outcomes() ? allowed_sizes(task) : AllowedSizes{}),
        strict_{.device = device.name, .nonce = nonce} {}

  Result<StrictResult> judge() {
    // Also of a wrong kernel: they say where.
    auto checks = start_checks();
    is_checked_ = checks.valid();
    if (auto error = judge_stress_sizes()) return *error;
    is_checked_ = false;
    if (auto error = judge_random_sizes()) return *error;
    if (options_.thorough && is_right())
      if (auto error = judge_drawn_sizes()) return *error;
    if (options_.thorough && is_right())
      if (auto error = judge_large_size()) return *error;
    if (records_outcomes() && is_right())
      if (auto error = certify()) return *error;
    if (records_outcomes() && wrong_run_) explain_wrong_size();
    const bool has_checks = checks.valid();
    bool has_other_race = false;
    if (has_checks) {
      auto checked = checks.get();
      has_other_race = checked.has_other_race;
      take(std::move(checked));
    }
    if (has_other_race && orders_.size() > 1 && may_pass())
      if (auto error = judge_lane_by_lane()) return *error;
    if (has_checks && may_pass())
      if (auto error = check_what_was_seen()) return *error;
    strict_.passed = may_pass() && !strict_.not_certified && !strict_.open_outcome;
    if (strict_.passed)
      if (auto error = find_irrelevant()) return *error;
    return std::move(strict_);
  }

 private:
  bool is_right() const { return std::ranges::all_of(strict_.sizes, is_strictly_right); }

  bool may_pass() const { return is_right() && strict_.faults.empty() && !strict_.not_checked; }

  // Starts the checked runs beside the caller, or says in the result why there are none. They have
  // a process of their own.
  std::future<CheckedFaults> start_checks() {
    if (!options_.checker) return {};
    const auto prepared = options_.checker->prepare();
    if (!prepared)
      strict_.not_checked = prepared.error().message;
    else if (const auto* failure = std::get_if<Failure>(&*prepared))
      strict_.not_checked = failure->message;
    else
      return std::async(std::launch::async, [this, nonce = strict_.nonce] {
        return faults_of(task_, translation_, *options_.checker, nonce);
      });
    return {};
  }

  void take(CheckedFaults checked) {
    for (const auto& fault : checked.faults)
      strict_.faults.push_back(
          fmt::format("at size {}, {}", checked.size, one_line(fault, translation_.source_name)));
    strict_.findings = std::move(checked.faults);
    strict_.not_checked = std::move(checked.not_checked);
  }

  std::optional<Error> judge_stress_sizes() {
    for (const auto& size : task_.stress.sizes) {
      const auto tolerance = derivation_.tolerance_of(size.label);
      if (!tolerance)
        return Error{
            fmt::format("{} has no strict tolerance for {}; make it with msci-tasks derive {}",
                        task_.name, size.label, task_.name)};
      if (auto error = judge_size(size, *tolerance)) return error;
    }
    return std::nullopt;
  }

  std::optional<Error> judge_random_sizes() {
    if (options_.fuzz_sizes > 0 && !task_.stress.random_size)
      return Error{fmt::format(
          "{} has no random sizes; add \"random\" to the \"stress\" of its plan", task_.name)};
    for (unsigned count = 1; count <= options_.fuzz_sizes; ++count)
      if (auto error =
              judge_size(fuzz_size(task_, strict_.nonce, count), derivation_.tolerance_elsewhere()))
        return error;
    return std::nullopt;
  }

  // The first one in all orders, the others in the usual one and with one pass, until one is wrong.
  std::optional<Error> judge_drawn_sizes() {
    const auto sizes = drawn_sizes(task_, strict_.nonce, translation_.numbers);
    if (sizes.empty()) return std::nullopt;
    if (auto error = judge_size(sizes.front(), tolerance_at(sizes.front()))) return error;
    return judge_in_usual_order(std::span(sizes).subspan(1));
  }

  // Until one is wrong. The inputs and the right results of a size are computed while the one
  // before it runs.
  std::optional<Error> judge_in_usual_order(std::span<const Size> sizes) {
    std::optional<PreparedSize> next;
    for (std::size_t i = 0; i < sizes.size() && is_right(); ++i) {
      auto now = next ? *std::move(next) : prepared(sizes[i]);
      next.reset();
      if (i + 1 < sizes.size()) next = prepared(sizes[i + 1]);
      auto result = in_one_order(now, tolerance_at(sizes[i]), now.plan.get(), {}, verify_only);
      if (!result) return result.error();
      strict_.sizes.push_back(*std::move(result));
    }
    return std::nullopt;
  }

  // One step of a size that takes too long otherwise, so that no declared size is beyond all random
  // inputs.
  std::optional<Error> judge_large_size() {
    const auto size = large_size(task_);
    return size ? judge_in_usual_order(std::span(&*size, 1)) : std::nullopt;
  }

  PreparedSize prepared(const Size& size) {
    const auto key = key_of(strict_.nonce, size.label, 0);
    runs_.push_back(size);
    return {runs_.size() - 1, size, key,
            std::async(std::launch::async, task_.stress.plan, size, std::cref(translation_), key),
            start_reference(task_, size, key)};
  }

  // Rounding errors grow with the steps.
  double tolerance_at(const Size& size) const {
    unsigned most = 0;
    for (const auto& stress : task_.stress.sizes)
      most = std::max(most, steps_of(task_, stress).value_or(0));
    return derivation_.tolerance_elsewhere(steps_of(task_, size).value_or(0) > most);
  }

  std::optional<Error> judge_size(const Size& size, double tolerance) {
    auto judged = in_all_orders(size, tolerance);
    if (!judged) return judged.error();
    strict_.sizes.push_back(std::move(judged->result));
    if (!strict_.order_dependence) strict_.order_dependence = std::move(judged->dependence);
    return std::nullopt;
  }

  // Or until one order is right and another wrong. A kernel whose threadgroups wait for each other
  // may end in one order only; Metal promises none, but this says nothing about its answer. Each
  // further size would wait for the limit again.
  Result<StressSize> in_all_orders(const Size& size, double tolerance) {
    auto prepared = this->prepared(size);
    const auto plan = prepared.plan.get();
    std::optional<StressSize> first;
    for (const auto& order : orders_) {
      if (std::ranges::find(endless_, order) != endless_.end()) continue;
      auto result = in_one_order(prepared, tolerance, plan, order, two_passes);
      if (!result) return result.error();
      if (!first) {
        first = StressSize{*std::move(result), std::nullopt};
        continue;
      }
      const bool was_right = is_strictly_right(first->result);
      if (is_time_out(*result)) endless_.push_back(order);
      if (is_time_out(*result) || is_strictly_right(*result) == was_right) continue;
      const auto before = to_string(orders_.front());
      first->dependence = OrderDependence{.size = std::string(size.label),
                                          .right = was_right ? before : to_string(order),
                                          .wrong = was_right ? to_string(order) : before};
      if (was_right) first->result = *std::move(result);
      break;
    }
    return *std::move(first);
  }

  // Lanes of a simdgroup run together in all other orders, which hides a race between them.
  std::optional<Error> judge_lane_by_lane() {
    for (const auto& size : task_.stress.sizes) {
      auto prepared = this->prepared(size);
      const auto plan = prepared.plan.get();
      for (auto order : orders_) {
        order.lane_by_lane = true;
        auto result =
            in_one_order(prepared, *derivation_.tolerance_of(size.label), plan, order, two_passes);
        if (!result) return result.error();
        if (is_time_out(*result) || is_strictly_right(*result)) continue;
        strict_.order_dependence = OrderDependence{.size = std::string(size.label),
                                                   .right = to_string(orders_.front()),
                                                   .wrong = to_string(order)};
        *std::ranges::find(strict_.sizes, size.label, &SizeResult::label) = *std::move(result);
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  Result<SizeResult> in_one_order(const PreparedSize& prepared, double tolerance, Result<Plan> plan,
                                  Execution execution, Repeats repeats) {
    const auto& [number, size, key, unused, reference] = prepared;
    SizeResult result{.label = std::string(size.label)};
    execution.counted = records_outcomes();
    execution.brief = size.is_drawn;
    const auto ran = run_stress(task_, size, key, std::move(plan), reference, program_, execution,
                                repeats, tolerance);
    if (!ran) return ran.error();
    if (const auto* failure = std::get_if<Failure>(&*ran)) {
      result.answer = *failure;
      return result;
    }
    const auto& run = std::get<StressRun>(*ran);
    if (execution.counted)
      records_.add(run.plan, translation_, run.counts, values_in(records_.sizes(), size),
                   {.number = number, .work = task_.work(size), .is_checked = is_checked_});
    result.answer = Verdict{.correct = run.error <= tolerance,
                            .error_value = run.error,
                            .error_kind = "strict_rel",
                            .tolerance = tolerance,
                            .differences = run.differences};
    result.overruns = run.overruns;
    result.changed_inputs = run.changed_inputs;
    if (!result.correct() && !wrong_run_) wrong_run_ = number;
    return result;
  }

  // The processor records outcomes, and it alone chooses an order.
  bool records_outcomes() const {
    return options_.thorough && options_.certify && orders_.size() > 1;
  }

  // What the wrong size executes and no right one does. Without it, the verdict is the same.
  void explain_wrong_size() {
    if (*wrong_run_ == 0) return;
    records_.set_wrong_run(*wrong_run_);
    auto certificate = options_.certify(translation_, records_);
    if (certificate) strict_.only_at_wrong_size = std::move(certificate->only_in_wrong_run);
  }

  // Where code was never executed, or only where a side is 1, runs sizes that are made for it.
  std::optional<Error> certify() {
    constexpr unsigned rounds = 2;
    take_certificate();
    for (unsigned i = 0; i < rounds && strict_.certificate && is_right(); ++i) {
      const auto judged = judge_made_sizes();
      if (!judged) return judged.error();
      if (!*judged || strict_.not_certified) break;  // another one would be cut, too
      take_certificate();
    }
    return is_right() ? judge_rare_sizes() : std::nullopt;
  }

  // Runs sizes again, with other inputs, where few runs have executed code for certain sizes, or
  // for numbers of the kernel's own: of one run, the result may be right by chance.
  std::optional<Error> judge_rare_sizes() {
    // The reference of a plan file may be a slow program.
    if (!strict_.certificate || !task_.plan_file.empty()) return std::nullopt;
    unsigned most_steps = 1;
    for (const auto& size : runs_)
      most_steps = std::max(most_steps, steps_of(task_, size).value_or(1));
    std::vector<Size> repeated;
    for (const auto run : rare_runs()) {
      const auto sizes = sizes_to_repeat(task_, runs_[run], most_steps);
      repeated.insert(repeated.end(), sizes.begin(), sizes.end());
    }
    for (unsigned i = 0; i < repeated.size(); ++i)
      repeated[i] = labelled(std::move(repeated[i]), "again", i + 1);
    return judge_in_usual_order(repeated);
  }

  // Runs in all orders and in the checked mode what saw outcomes that no such run has seen: a race
  // may begin at a number of the kernel's own. What takes too long is not checked.
  std::optional<Error> check_what_was_seen() {
    if (!strict_.certificate || !task_.plan_file.empty()) return std::nullopt;
    constexpr std::size_t most_runs = 24;
    constexpr double most_work_of_check = 2.5e7;
    auto unchecked = strict_.certificate->unchecked;
    const auto work = [&](const auto& each) { return task_.work(runs_[each.run]); };
    std::ranges::stable_sort(unchecked, {},
                             [&](const auto& each) { return std::pair(work(each), each.run); });
    std::vector<std::size_t> checked;
    for (const auto& each : unchecked) {
      const auto& [run, outcome] = each;
      if (!checked.empty() && checked.back() == run) continue;
      if (work(each) > most_work_of_check || checked.size() == most_runs) {
        if (options_.refuses_unexecuted && !outcome.of_threads && !strict_.open_outcome)
          strict_.open_outcome = fmt::format("in the checked mode, {}", place_text(outcome));
        continue;
      }
      checked.push_back(run);
      if (auto error = check_run(run)) return error;
      if (!may_pass()) break;
    }
    return std::nullopt;
  }

  // With the same inputs.
  std::optional<Error> check_run(std::size_t run) {
    const auto size = runs_[run];
    auto judged = in_all_orders(size, tolerance_at(size));
    if (!judged) return judged.error();
    const auto known = std::ranges::find(strict_.sizes, size.label, &SizeResult::label);
    if (known != strict_.sizes.end()) *known = std::move(judged->result);
    if (!strict_.order_dependence) strict_.order_dependence = std::move(judged->dependence);
    if (is_right())
      take(faults_at({size}, task_, translation_, *options_.checker,
                     [&](const Size& each) { return key_of(strict_.nonce, each.label, 0); }));
    return std::nullopt;
  }

  // The smallest run of each such outcome, each once, small ones first.
  std::vector<std::size_t> rare_runs() const {
    constexpr std::size_t most = 6;
    const auto volume = [&](std::size_t run) { return volume_of(task_, runs_[run]); };
    std::vector<std::size_t> rare;
    for (const auto& runs : strict_.certificate->rare_runs)
      rare.push_back(*std::ranges::min_element(runs, {}, volume));
    std::ranges::sort(rare, {}, [&](std::size_t run) { return std::pair(volume(run), run); });
    const auto rest = std::ranges::unique(rare);
    rare.erase(rest.begin(), rest.end());
    rare.resize(std::min(rare.size(), most));
    return rare;
  }

  // Judges the sizes that the certificate asks for and that have not run. Whether there were any.
  Result<bool> judge_made_sizes() {
    std::vector<Size> sizes;
    for (const auto& values : strict_.certificate->wanted_sizes) {
      if (std::ranges::find(made_, values) != made_.end()) continue;
      made_.push_back(values);
      if (auto size = made_size(task_, translation_, records_.sizes(), values, made_.size()))
        sizes.push_back(*std::move(size));
    }
    if (auto error = judge_in_usual_order(sizes)) return *error;
    return !sizes.empty();
  }

  void take_certificate() {
    auto certificate = options_.certify(translation_, records_);
    if (!certificate) {
      strict_.not_certified = certificate.error().message;
      strict_.never_executed.reset();
      strict_.open_outcome.reset();
      strict_.certificate.reset();
      return;
    }
    strict_.not_certified = certificate->cut;
    strict_.never_executed = never_executed(*certificate);
    if (options_.refuses_unexecuted) strict_.open_outcome = strict_.never_executed;
    strict_.certificate = *std::move(certificate);
  }

  // The kernels, launches and inputs that do not affect the results at the first stress size.
  std::optional<Error> find_irrelevant() {
    const auto& size = task_.stress.sizes[0];
    const auto tolerance = *derivation_.tolerance_of(size.label);
    const Key key = key_of(strict_.nonce, size.label, 1);
    auto plan = task_.stress.plan(size, translation_, key);
    const auto other = task_.stress.plan(size, translation_, key_of(strict_.nonce, size.label, 2));
    if (!plan) return plan.error();
    if (!other) return other.error();
    plan->execution.counted = records_outcomes();  // that code is compiled
    const auto expected = task_.stress.reference(size, key);
    std::optional<Error> problem;
    auto parts = find_irrelevant_parts(program_, *plan, *other, [&](const Outputs& results) {
      const auto error = stress_error(task_, size, key, expected, results);
      if (!error) problem = error.error();
      return error && *error <= tolerance;
    });
    if (problem || !parts) return problem ? *problem : parts.error();
    strict_.irrelevant_parts = *std::move(parts);
    return std::nullopt;
  }

  const Task& task_;
  const Translation& translation_;
  Program& program_;
  const StrictOptions& options_;
  const Derivation& derivation_;
  std::vector<Execution> orders_;
  std::vector<Execution> endless_;  // orders in which a size met the limit on time
  OutcomeRecords records_;
  std::vector<Size> runs_;                        // by their numbers
  std::vector<std::vector<std::uint32_t>> made_;  // the values of the sizes that were made
  std::optional<std::size_t> wrong_run_;          // the first one with wrong values
  bool is_checked_ = false;                       // the size that runs has a checked run
  StrictResult strict_;
};

}  // namespace

Result<StrictResult> judge_strictly(const Task& task, const Translation& translation,
                                    const DeviceInfo& device, Program& program, std::uint64_t nonce,
                                    const StrictOptions& options) {
  const auto derivation = derivation_from(task.derivation);
  if (!derivation)
    return Error{fmt::format("{} has no strict tolerances: {}; make them with msci-tasks derive {}",
                             task.name, derivation.error().message, task.name)};
  return StrictJudge(task, translation, device, program, nonce, options, *derivation).judge();
}

}  // namespace msci
