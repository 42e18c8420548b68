#include "evaluator/measure/timed_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/keyed_random.h"
#include "base/process/memory_size.h"
#include "base/scalar.h"
#include "engine/device/plan_buffers.h"
#include "tasks/plan/bindings.h"

namespace msci {
namespace {

// Plans with fewer bytes of inputs get more variants, and those with more than the last get one.
struct Variants {
  std::size_t most_bytes;
  std::size_t count;
};
constexpr Variants variants_of_plans[] = {{std::size_t{64} << 10, 7}, {std::size_t{4} << 20, 3}};
// Inputs take this many times their bytes: here and on the device, twice for each variant, and a
// reference in double precision. The machine's memory must have room for that.
constexpr std::size_t copies_of_inputs = 8;
constexpr unsigned first_repeat = 16;  // of the keys; those of the strict verdict are smaller

// Between two passes with the same inputs: the order of atomic additions changes the last bits, and
// some steps of a simulation magnify them.
constexpr double largest_difference = 1e-3;   // of the largest value
constexpr double most_other_integers = 1e-3;  // of all elements

std::optional<Scalar> element_of(const Task& task, const Plan& plan, std::size_t buffer) {
  for (const auto& launch : plan.launches)
    for (const auto& binding : launch.bindings)
      if (binding.buffer == buffer)
        if (const auto* argument = find_contract(task, launch, binding))
          return scalar_of(argument->type);
  return std::nullopt;
}

std::size_t input_bytes(const Plan& plan) {
  std::size_t bytes = 0;
  for (const auto& buffer : plan.buffers) bytes += buffer.initial.size();
  return bytes;
}

// 0 if memory has no room for any.
std::size_t variants_of(const Plan& plan) {
  const auto bytes = input_bytes(plan);
  for (const auto& each : variants_of_plans)
    if (bytes <= each.most_bytes) return each.count;
  return bytes <= physical_memory() / copies_of_inputs ? 1 : 0;
}

// The largest difference of two arrays of floats over the largest finite value; NaN equals NaN.
double float_difference(std::span<const float> got, std::span<const float> expected) {
  double scale = 0, worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isfinite(expected[i])) scale = std::max(scale, std::abs(double{expected[i]}));
    const bool is_same = got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i]));
    if (is_same) continue;
    const double difference = std::abs(double{got[i]} - double{expected[i]});
    worst = std::isfinite(difference) ? std::max(worst, difference) : INFINITY;
  }
  return scale > 0 ? worst / scale : worst;
}

// The share of elements of so many bytes that differ.
double share_of_others(const Bytes& got, const Bytes& expected, std::size_t bytes) {
  const auto count = expected.size() / bytes;
  std::size_t others = 0;
  for (std::size_t i = 0; i < count; ++i)
    others += !std::equal(expected.begin() + static_cast<std::ptrdiff_t>(i * bytes),
                          expected.begin() + static_cast<std::ptrdiff_t>((i + 1) * bytes),
                          got.begin() + static_cast<std::ptrdiff_t>(i * bytes));
  return count > 0 ? static_cast<double>(others) / static_cast<double>(count) : 0;
}

// Why a pass differs from the untimed one with the same inputs by more than order explains.
std::optional<std::string> find_difference(const Task& task, const Plan& plan, const Outputs& got,
                                           const Outputs& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (got[i] == expected[i]) continue;
    const auto& name = plan.buffers[plan.results[i]].name;
    const auto element = element_of(task, plan, plan.results[i]);
    if (element == Scalar{true, sizeof(float)}) {
      const auto difference = float_difference(got[i].as<float>(), expected[i].as<float>());
      if (!(difference <= largest_difference))
        return fmt::format("{} differs by {:.3g} of its largest value", name, difference);
    } else {
      const auto share = share_of_others(got[i], expected[i], element ? element->bytes : 1);
      if (share > most_other_integers)
        return fmt::format("{:.2g} % of {} differ", 100 * share, name);
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_timed_with_random_inputs(const Plan& plan) { return variants_of(plan) > 0; }

Key TimedPasses::key_of_variant(std::size_t variant) const {
  return key_of(nonce_, size_.label, first_repeat + static_cast<unsigned>(variant));
}

Error TimedPasses::not_judged(std::string_view why) const {
  return Error{fmt::format("time not judged at size {}: {}", size_.label, why)};
}

std::optional<Error> TimedPasses::prepare(const Translation& translation, Plan& plan) {
  plan.vary_slack = true;
  if (!task_.stress.plan) return std::nullopt;
  const auto count = variants_of(plan);
  if (count == 0) return not_judged("memory has no room for random inputs");
  const auto derivation = derivation_from(task_.derivation);
  if (!derivation) return not_judged("there are no strict tolerances");
  tolerance_ = derivation->whole_tolerance(size_.label);
  KeyedRandom draws(key_of_variant(0));
  for (std::size_t variant = 1; variant <= count; ++variant) {
    auto other = task_.stress.plan(size_, translation, key_of_variant(variant));
    if (!other) return not_judged("there are no random inputs: " + other.error().message);
    if (variant == 1) add_results(*other, plan);
    for (auto& buffer : plan.buffers) {
      const auto same = std::ranges::find(other->buffers, buffer.name, &PlanBuffer::name);
      if (same == other->buffers.end()) continue;
      if (same->poison) {
        const auto junk = junk_bytes[draws.next() % junk_bytes.size()];
        buffer.variants.emplace_back(std::vector(buffer.bytes, std::byte{junk}));
        continue;
      }
      if (same->initial.size() != buffer.bytes) continue;
      // The first variant shows which buffers differ at all.
      if (variant == 1 ? same->initial != buffer.initial : !buffer.variants.empty())
        buffer.variants.push_back(std::move(same->initial));
    }
  }
  plan.variants = count;
  return std::nullopt;
}

void TimedPasses::add_results(const Plan& stress, Plan& plan) {
  random_results_.clear();
  for (const auto result : stress.results) {
    const auto& name = stress.buffers[result].name;
    auto place =
        std::ranges::find(plan.results, name, [&](std::size_t i) { return plan.buffers[i].name; });
    if (place == plan.results.end()) {
      const auto buffer = std::ranges::find(plan.buffers, name, &PlanBuffer::name);
      if (buffer == plan.buffers.end()) continue;
      plan.results.push_back(static_cast<std::size_t>(buffer - plan.buffers.begin()));
      place = plan.results.end() - 1;
    }
    random_results_.push_back(static_cast<std::size_t>(place - plan.results.begin()));
  }
}

Result<std::optional<std::string>> TimedPasses::find_wrong(const Plan& plan, const Bytes& expected,
                                                           const Run& run,
                                                           std::optional<double> most_error) {
  auto wrong = find_deviation(plan, expected, run, most_error);
  return !wrong || *wrong ? wrong : judge_random(run);
}

Result<TimedPasses::Wrong> TimedPasses::judge_recorded(const Bytes& expected,
                                                       const Outputs& outputs,
                                                       std::optional<double> most_error) const {
  const auto verdict = task_.judge(size_, expected, outputs, outputs);
  if (!verdict) return verdict.error();
  if (verdict->correct && !(most_error && verdict->error_value > *most_error)) return Wrong();
  return Wrong(fmt::format("{} {:.3e}", verdict->error_kind, verdict->error_value));
}

Result<TimedPasses::Wrong> TimedPasses::find_deviation(const Plan& plan, const Bytes& expected,
                                                       const Run& run,
                                                       std::optional<double> most_error) const {
  if (run.timed_outputs && *run.timed_outputs != run.outputs) {
    const auto wrong = judge_recorded(expected, *run.timed_outputs, most_error);
    if (!wrong) return wrong.error();
    if (*wrong) return Wrong("a timed pass is wrong: " + **wrong);
  }
  const auto differs = [&](const VariantOutputs& pass) -> Result<Wrong> {
    const auto untimed = std::ranges::find(run.variants, pass.variant, &VariantOutputs::variant);
    return find_difference(task_, plan, pass.outputs, untimed->outputs);
  };
  for (const auto& pass : run.deviations) {
    const auto variant = pass.variant;
    const auto wrong =
        variant == 0 ? judge_recorded(expected, pass.outputs, most_error) : differs(pass);
    if (!wrong) return wrong.error();
    if (*wrong)
      return Wrong(fmt::format("a timed pass {}is wrong: {}",
                               variant == 0 ? "" : "with other inputs ", **wrong));
  }
  return Wrong();
}

// Computed in a thread of its own when it is first asked for.
const StressReference& TimedPasses::reference_for(std::size_t variant) {
  auto& reference = references_[variant];
  if (!reference.valid()) reference = start_reference(task_, size_, key_of_variant(variant));
  return reference;
}

Result<TimedPasses::Wrong> TimedPasses::judge_random(const Run& run) {
  for (const auto& pass : run.variants) reference_for(pass.variant);
  for (const auto& pass : run.variants)
    if (auto wrong = judge_random(pass); !wrong || *wrong) return wrong;
  return Wrong();
}

Result<TimedPasses::Wrong> TimedPasses::judge_random(const VariantOutputs& pass) {
  Outputs results;
  for (const auto place : random_results_) results.push_back(pass.outputs[place]);
  const auto error = stress_error(task_, size_, key_of_variant(pass.variant),
                                  reference_for(pass.variant).get(), results);
  if (!error) return error.error();
  if (*error <= tolerance_) return Wrong();
  return Wrong(fmt::format("a timed pass with random inputs is off by {:.3e}", *error));
}

}  // namespace msci
