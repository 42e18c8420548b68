#include "evaluator/measure/timed_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/keyed_random.h"
#include "base/scalar.h"
#include "plan/bindings.h"

namespace msci {
namespace {

// Plans with fewer bytes of inputs get more variants; those with more than the last get none.
struct Variants {
  std::size_t most_bytes;
  std::size_t count;
};
constexpr Variants variants_of_plans[] = {
    {std::size_t{64} << 10, 7}, {std::size_t{4} << 20, 3}, {std::size_t{64} << 20, 1}};
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
  const auto count = expected.data.size() / bytes;
  std::size_t others = 0;
  for (std::size_t i = 0; i < count; ++i)
    others += !std::equal(expected.data.begin() + static_cast<std::ptrdiff_t>(i * bytes),
                          expected.data.begin() + static_cast<std::ptrdiff_t>((i + 1) * bytes),
                          got.data.begin() + static_cast<std::ptrdiff_t>(i * bytes));
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

void prepare_for_timing(const Task& task, const Size& size, const Translation& translation,
                        std::uint64_t nonce, Plan& plan) {
  plan.vary_slack = true;
  const auto bytes = input_bytes(plan);
  const auto* fits = std::ranges::find_if(
      variants_of_plans, [&](const Variants& each) { return bytes <= each.most_bytes; });
  if (!task.stress.plan || fits == std::end(variants_of_plans)) return;
  for (std::size_t variant = 0; variant < fits->count; ++variant) {
    const auto key = key_of(nonce, size.label, first_repeat + static_cast<unsigned>(variant));
    auto other = task.stress.plan(size, translation, key);
    if (!other) return;
    for (auto& buffer : plan.buffers) {
      const auto same = std::ranges::find(other->buffers, buffer.name, &PlanBuffer::name);
      if (same == other->buffers.end() || same->initial.size() != buffer.bytes) continue;
      // The first variant shows which buffers differ at all.
      if (variant == 0 ? same->initial != buffer.initial : !buffer.variants.empty())
        buffer.variants.push_back(std::move(same->initial));
    }
  }
  plan.variants = fits->count;
}

Result<std::optional<std::string>> find_wrong_pass(const Task& task, const Size& size,
                                                   const Plan& plan, const Bytes& expected,
                                                   const Run& run,
                                                   std::optional<double> most_error) {
  using Wrong = std::optional<std::string>;
  const auto judge = [&](const Outputs& outputs) -> Result<Wrong> {
    const auto verdict = task.judge(size, expected, outputs, outputs);
    if (!verdict) return verdict.error();
    if (verdict->correct && !(most_error && verdict->error_value > *most_error)) return Wrong();
    return Wrong(fmt::format("{} {:.3e}", verdict->error_kind, verdict->error_value));
  };
  if (run.timed_outputs && *run.timed_outputs != run.outputs) {
    const auto wrong = judge(*run.timed_outputs);
    if (!wrong) return wrong.error();
    if (*wrong) return Wrong("a timed pass is wrong: " + **wrong);
  }
  const auto differs = [&](const VariantOutputs& pass) -> Result<Wrong> {
    const auto untimed = std::ranges::find(run.variants, pass.variant, &VariantOutputs::variant);
    return find_difference(task, plan, pass.outputs, untimed->outputs);
  };
  for (const auto& pass : run.deviations) {
    const auto variant = pass.variant;
    const auto wrong = variant == 0 ? judge(pass.outputs) : differs(pass);
    if (!wrong) return wrong.error();
    if (*wrong)
      return Wrong(fmt::format("a timed pass {}is wrong: {}",
                               variant == 0 ? "" : "with other inputs ", **wrong));
  }
  return Wrong();
}

}  // namespace msci
