#include "evaluator/strict/strict_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/json.h"
#include "plan/bindings.h"
#include "plan/elements.h"

namespace msci {
namespace {

// Honest kernels add in another order, contract other products and run on other devices than the
// seed. Half precision alone is 8192 times coarser than single.
constexpr double derivation_factor = 32;

// With a larger error, the seed is wrong or its stress problem is ill-conditioned.
constexpr double largest_plausible_error = 1e-3;

// Two passes, so that state that a kernel keeps from the first shows in the second.
constexpr Repeats two_passes = {.warmup = 0, .timed = 1};

std::vector<double> values_of(const Bytes& bytes, const Expected& expected) {
  std::vector<double> values;
  switch (expected.element) {
    case Expected::Element::real:
      values.assign(bytes.as<float>().begin(), bytes.as<float>().end());
      break;
    case Expected::Element::point:
      for (std::size_t i = 0; const float value : bytes.as<float>())
        if (i++ % 4 != 3) values.push_back(value);
      break;
    case Expected::Element::spin:
      values.assign(bytes.as<signed char>().begin(), bytes.as<signed char>().end());
      break;
    case Expected::Element::count:
      values.assign(bytes.as<std::uint32_t>().begin(), bytes.as<std::uint32_t>().end());
      break;
    case Expected::Element::typed:
      if (expected.numbers) return expected.numbers(bytes);
      for (std::size_t i = 0; i < expected.values.size(); ++i)
        values.push_back(get_element(expected.type, bytes.data, i));
      break;
    case Expected::Element::exact:
      break;  // share_of_different() compares the bytes
  }
  return values;
}

double share_of_unequal(const std::vector<double>& got, const std::vector<double>& expected) {
  assert(got.size() == expected.size() && "plan and reference agree on the layout");
  std::size_t different = 0;
  for (std::size_t i = 0; i < got.size(); ++i) different += !(got[i] == expected[i]);
  return got.empty() ? 0 : static_cast<double>(different) / static_cast<double>(got.size());
}

// The share of elements that differ in any bit, or whose numbers are not equal.
double share_of_different(const Expected& expected, const Bytes& got) {
  if (expected.numbers) return share_of_unequal(expected.numbers(got), expected.values);
  assert(got.data.size() == expected.contents.data.size() && "the plan says how long it is");
  const auto bytes = *element_bytes(expected.type);
  const auto count = got.data.size() / bytes;
  std::size_t different = 0;
  for (std::size_t i = 0; i < count; ++i)
    different += std::memcmp(got.data.data() + i * bytes, expected.contents.data.data() + i * bytes,
                             bytes) != 0;
  return count > 0 ? static_cast<double>(different) / static_cast<double>(count) : 0;
}

// The largest expected magnitude; 1 if that is 0.
double scale_of(const Expected& expected) {
  double scale = 0;
  for (const double value : expected.values)
    if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
  return scale > 0 ? scale : 1;
}

// How far element i is off; 0 where it is not compared, or rounding explains it.
double difference_at(const Expected& expected, std::size_t i, double got) {
  if (!expected.undecided.empty() && expected.undecided[i]) return 0;
  const double difference = distance(got, expected.values[i]);
  const auto& rounding = expected.rounding;
  return !rounding.empty() && difference <= rounding[i % rounding.size()] ? 0 : difference;
}

double error_of(const Expected& expected, const Bytes& bytes) {
  if (expected.element == Expected::Element::exact) return share_of_different(expected, bytes);
  const auto got = values_of(bytes, expected);
  assert(got.size() == expected.values.size() && "plan and reference agree on the layout");
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double difference = difference_at(expected, i, got[i]);
    if (std::isnan(difference)) return difference;
    worst = std::max(worst, difference);
  }
  return worst / scale_of(expected);
}

// "posA[7].y"
std::string place_of(const Expected& expected, const std::string& name, std::size_t i) {
  if (expected.place) return name + expected.place(i);
  if (expected.element == Expected::Element::point)
    return fmt::format("{}[{}].{}", name, i / 3, "xyz"[i % 3]);
  return fmt::format("{}[{}]", name, i);
}

// Of a result that is compared bit by bit.
Differences exact_differences(const Expected& expected, const std::string& name,
                              const Bytes& bytes) {
  const auto size = *element_bytes(expected.type);
  const auto &got = bytes.data, &wanted = expected.contents.data;
  return find_differences(
      got.size() / size, [&](std::size_t i) { return get_element(expected.type, got, i); },
      [&](std::size_t i) { return get_element(expected.type, wanted, i); },
      [&](std::size_t i, double, double) {
        return std::memcmp(got.data() + i * size, wanted.data() + i * size, size) != 0;
      },
      [&](std::size_t i) {
        return difference_text(place_of(expected, name, i), element_text(expected.type, got, i),
                               element_text(expected.type, wanted, i));
      });
}

Differences differences_of(const Expected& expected, const std::string& name, const Bytes& bytes,
                           double tolerance) {
  if (expected.element == Expected::Element::exact && !expected.numbers)
    return exact_differences(expected, name, bytes);
  const auto got = expected.numbers ? expected.numbers(bytes) : values_of(bytes, expected);
  const double limit = tolerance * scale_of(expected);
  return find_differences(
      got.size(), [&](std::size_t i) { return got[i]; },
      [&](std::size_t i) { return expected.values[i]; },
      [&](std::size_t i, double number, double right) {
        return expected.element == Expected::Element::exact
                   ? !(number == right)
                   : !(difference_at(expected, i, number) <= limit);
      },
      [&](std::size_t i) {
        return difference_text(place_of(expected, name, i), float_text(got[i]),
                               float_text(expected.values[i]));
      });
}

// The same size as "fuzz 1 (n 4711)".
Size labelled(Size size, std::string_view kind, unsigned number) {
  std::string parameters;
  for (const auto& [name, value] : size.parameters)
    parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", name, value);
  size.label = fmt::format("{} {} ({})", kind, number, parameters);
  size.is_drawn = true;
  return size;
}

// The product of all parameters but the number of steps.
double volume_of(const Task& task, const Size& size) {
  double volume = 1;
  for (const auto& [name, value] : size.parameters)
    if (name != task.stress.steps) volume *= value;
  return volume;
}

bool is_quick(const Task& task, const Size& size) {
  return volume_of(task, size) <= task.stress.largest_volume;
}

// The kernels cannot know how many launches follow.
Size with_few_steps(const Task& task, Size size, KeyedRandom& random) {
  if (task.stress.steps.empty()) return size;
  const auto steps = random.between(2, 3);
  for (auto& [name, value] : size.parameters)
    if (name == task.stress.steps) {
      value = std::min(value, steps);
      return size;
    }
  size.parameters.emplace_back(task.stress.steps, steps);
  return size;
}

// The seed's error at one size, for one nonce.
Result<double> seed_error(const Task& task, const Size& size, std::uint64_t nonce,
                          const Translation& seed, Program& program) {
  const auto key = key_of(nonce, size.label, 0);
  const auto reference = start_reference(task, size, key);
  const auto ran = run_stress(task, size, key, reference, seed, program, {},
                              std::numeric_limits<double>::infinity());
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

Result<std::unique_ptr<Program>> build_seed(const Task& task, const Translation& seed,
                                            Device& device) {
  auto built = device.build(seed);
  if (!built) return built.error();
  if (const auto* failure = std::get_if<Failure>(&*built))
    return Error{fmt::format("the seed of {} does not build: {}", task.name, failure->message)};
  return std::get<std::unique_ptr<Program>>(*std::move(built));
}

}  // namespace

std::optional<double> Derivation::tolerance_of(std::string_view size_label) const {
  for (const auto& size : sizes)
    if (size.label == size_label) return size.tolerance;
  return std::nullopt;
}

std::optional<double> Derivation::recorded_tolerance(std::string_view label,
                                                     double tolerance) const {
  for (const auto& size : recorded)
    if (size.label == label) return std::max(factor * size.error, tolerance / 1000);
  return std::nullopt;
}

double Derivation::tolerance_elsewhere() const {
  constexpr double larger_sizes = 4;  // times more bodies, longer sums
  double largest = 0;
  for (const auto& size : sizes) largest = std::max(largest, size.tolerance);
  return larger_sizes * largest;
}

Size fuzz_size(const Task& task, std::uint64_t nonce, unsigned count) {
  KeyedRandom random(key_of(nonce, "fuzz", count));
  return labelled(task.stress.random_size(random), "fuzz", count);
}

std::vector<Size> drawn_sizes(const Task& task, std::uint64_t nonce) {
  std::vector<Size> sizes;
  KeyedRandom random(key_of(nonce, "drawn", 0));
  if (task.stress.random_size) {
    auto small = task.stress.random_size(random);
    for (unsigned tries = 1; tries < 32; ++tries)
      if (auto other = task.stress.random_size(random);
          volume_of(task, other) < volume_of(task, small))
        small = std::move(other);
    sizes.push_back(std::move(small));
    sizes.push_back(task.stress.random_size(random));
  }
  std::vector<Size> declared;
  for (const auto& size : task.sizes)
    if (is_quick(task, size)) declared.push_back(size);
  if (!declared.empty()) {
    const auto last = static_cast<unsigned>(declared.size() - 1);
    sizes.push_back(with_few_steps(task, declared[random.between(0, last)], random));
  }
  if (task.stress.larger_size) sizes.push_back(task.stress.larger_size(random));
  for (unsigned i = 0; i < sizes.size(); ++i)
    sizes[i] = labelled(std::move(sizes[i]), "drawn", i + 1);
  if (task.held_out && is_quick(task, *task.held_out)) {
    sizes.push_back(with_few_steps(task, *task.held_out, random));
    sizes.back().label = "held out";  // a search shows labels to its generator
  }
  return sizes;
}

double strict_error(const std::vector<Expected>& expected, const Outputs& got) {
  assert(got.size() == expected.size() && "plan and reference agree on the results");
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double error = error_of(expected[i], got[i]);
    if (std::isnan(error)) return error;
    worst = std::max(worst, error);
  }
  return worst;
}

std::optional<Differences> strict_differences(const Plan& plan,
                                              const std::vector<Expected>& expected,
                                              const Outputs& got, double tolerance) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(error_of(expected[i], got[i]) <= tolerance))
      return differences_of(expected[i], plan.buffers[plan.results[i]].name, got[i], tolerance);
  return std::nullopt;
}

Result<double> stress_error(const Task& task, const Size& size, Key key,
                            const Result<std::vector<Expected>>& expected, const Outputs& got) {
  if (!expected) return expected.error();
  // A task may leave all results to its check.
  const double error = expected->empty() && task.stress.check ? 0 : strict_error(*expected, got);
  if (std::isnan(error) || !task.stress.check) return error;
  const auto further = task.stress.check(size, key, got);
  if (!further) return further.error();
  return std::max(error, *further);
}

StressReference start_reference(const Task& task, const Size& size, Key key) {
  return std::async(std::launch::async, task.stress.reference, size, key).share();
}

Result<Attempt<StressRun>> run_stress(const Task& task, const Size& size, Key key,
                                      const StressReference& reference,
                                      const Translation& translation, Program& program,
                                      const Execution& execution, double tolerance) {
  auto plan = task.stress.plan(size, translation, key);
  if (!plan && !task.plan_file.empty()) return plan.error();
  if (!plan) return Attempt<StressRun>{Failure{Failure::Cause::run_time, plan.error().message}};
  plan->vary_slack = true;
  mark_constant_buffers(task, *plan);
  plan->execution = execution;
  auto ran = program.run(*plan, two_passes);
  if (!ran) return ran.error();
  if (auto* failure = std::get_if<Failure>(&*ran)) return Attempt<StressRun>{*failure};
  auto& run = std::get<Run>(*ran);
  const auto& expected = reference.get();
  const auto first = stress_error(task, size, key, expected, *run.timed_outputs);
  if (!first) return first.error();
  const auto second = *run.timed_outputs == run.outputs
                          ? first
                          : stress_error(task, size, key, expected, run.outputs);
  if (!second) return second.error();
  StressRun stress{.overruns = std::move(run.overruns),
                   .changed_inputs = std::move(run.changed_inputs),
                   .counts = std::move(run.counts)};
  const bool first_is_worse = std::isnan(*first) || *first > *second;
  stress.error = first_is_worse ? *first : *second;
  if (!(stress.error <= tolerance) && expected)
    stress.differences = strict_differences(
        *plan, *expected, first_is_worse ? *run.timed_outputs : run.outputs, tolerance);
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
    Derivation::OfSize of_size{.label = std::string(size.label)};
    for (std::uint64_t nonce = 1; nonce <= nonces; ++nonce) {
      const auto error = seed_error(task, size, nonce, seed, **program);
      if (!error) return error.error();
      of_size.errors.push_back(*error);
    }
    of_size.tolerance =
        derivation_factor * *std::max_element(of_size.errors.begin(), of_size.errors.end());
    derivation.sizes.push_back(std::move(of_size));
  }
  return derivation;
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

std::string to_json(const Derivation& derivation) {
  OrderedJson sizes = OrderedJson::array();
  for (const auto& size : derivation.sizes)
    sizes.push_back({{"label", size.label},
                     {"nonces", size.errors.size()},
                     {"errors", size.errors},
                     {"tolerance", size.tolerance}});
  OrderedJson recorded = OrderedJson::array();
  for (const auto& size : derivation.recorded)
    recorded.push_back({{"label", size.label}, {"error", size.error}});
  const OrderedJson json = {{"device", derivation.device},
                            {"factor", derivation.factor},
                            {"sizes", std::move(sizes)},
                            {"recorded", std::move(recorded)}};
  return json.dump(2) + "\n";
}

Result<Derivation> derivation_from(std::string_view text) {
  const auto parsed = parse_json<OrderedJson>(text);
  if (!parsed) return Error{fmt::format("not a derivation: {}", parsed.error().message)};
  const auto& json = *parsed;
  try {
    Derivation derivation{.device = json.at("device").get<std::string>(),
                          .factor = json.at("factor").get<double>()};
    for (const auto& each : json.at("sizes"))
      derivation.sizes.push_back({.label = each.at("label").get<std::string>(),
                                  .errors = each.at("errors").get<std::vector<double>>(),
                                  .tolerance = each.at("tolerance").get<double>()});
    for (const auto& each : json.at("recorded"))
      derivation.recorded.push_back(
          {.label = each.at("label").get<std::string>(), .error = each.at("error").get<double>()});
    return derivation;
  } catch (const OrderedJson::exception& broken) {
    return Error{fmt::format("not a derivation: {}", broken.what())};
  }
}

}  // namespace msci
