#include "evaluator/strict/strict_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/json.h"

namespace msci {
namespace {

// Honest kernels add in another order, contract other products and run on other devices than the
// seed. Half precision alone is 8192 times coarser than single.
constexpr double derivation_factor = 32;

// With a larger error, the seed is wrong or its stress problem is ill-conditioned.
constexpr double largest_plausible_error = 1e-3;

// Two passes, so that state that a kernel keeps from the first shows in the second.
constexpr Repeats two_passes = {.warmup = 0, .timed = 1};

std::vector<double> values_of(const Bytes& bytes, Expected::Element element) {
  std::vector<double> values;
  switch (element) {
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
  }
  return values;
}

double error_of(const Expected& expected, const Bytes& bytes) {
  const auto got = values_of(bytes, expected.element);
  assert(got.size() == expected.values.size() && "plan and reference agree on the layout");
  double scale = 0, worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    scale = std::max(scale, std::abs(expected.values[i]));
    if (!expected.undecided.empty() && expected.undecided[i]) continue;
    const double difference = std::abs(got[i] - expected.values[i]);
    if (std::isnan(difference)) return difference;
    worst = std::max(worst, difference);
  }
  return scale > 0 ? worst / scale : worst;
}

// The seed's error at one size, for one nonce.
Result<double> seed_error(const Task& task, const Size& size, std::uint64_t nonce,
                          const Translation& seed, Program& program) {
  const auto ran = run_stress(task, size, key_of(nonce, size.label, 0), seed, program);
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

}  // namespace

std::optional<double> Derivation::tolerance_of(std::string_view size_label) const {
  for (const auto& size : sizes)
    if (size.label == size_label) return size.tolerance;
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
  Size size = task.stress.random_size(random);
  std::string parameters;
  for (const auto& [name, value] : size.parameters)
    parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", name, value);
  size.label = fmt::format("fuzz {} ({})", count, parameters);
  return size;
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

Result<Attempt<StressRun>> run_stress(const Task& task, const Size& size, Key key,
                                      const Translation& translation, Program& program,
                                      const Execution& execution) {
  auto plan = task.stress.plan(size, translation, key);
  if (!plan) return Attempt<StressRun>{Failure{Failure::Cause::run_time, plan.error().message}};
  plan->vary_slack = true;
  plan->execution = execution;
  auto ran = program.run(*plan, two_passes);
  if (!ran) return ran.error();
  if (auto* failure = std::get_if<Failure>(&*ran)) return Attempt<StressRun>{*failure};
  auto& run = std::get<Run>(*ran);
  const auto expected = task.stress.reference(size, key);
  const double first = strict_error(expected, *run.timed_outputs);
  const double second = strict_error(expected, run.outputs);
  StressRun stress{.overruns = std::move(run.overruns)};
  stress.error = std::isnan(first) || first > second ? first : second;
  return Attempt<StressRun>{std::move(stress)};
}

Result<Derivation> derive(const Task& task, const Translation& seed, Device& device,
                          unsigned nonces) {
  if (task.stress.sizes.empty())
    return Error{fmt::format("{} has no stress problem to derive tolerances from", task.name)};
  auto built = device.build(seed);
  if (!built) return built.error();
  if (const auto* failure = std::get_if<Failure>(&*built))
    return Error{fmt::format("the seed of {} does not build: {}", task.name, failure->message)};
  auto& program = *std::get<std::unique_ptr<Program>>(*built);
  Derivation derivation{.device = device.info().name, .factor = derivation_factor};
  for (const auto& size : task.stress.sizes) {
    Derivation::OfSize of_size{.label = std::string(size.label)};
    for (std::uint64_t nonce = 1; nonce <= nonces; ++nonce) {
      const auto error = seed_error(task, size, nonce, seed, program);
      if (!error) return error.error();
      of_size.errors.push_back(*error);
    }
    of_size.tolerance =
        derivation_factor * *std::max_element(of_size.errors.begin(), of_size.errors.end());
    derivation.sizes.push_back(std::move(of_size));
  }
  return derivation;
}

std::string to_json(const Derivation& derivation) {
  OrderedJson sizes = OrderedJson::array();
  for (const auto& size : derivation.sizes)
    sizes.push_back({{"label", size.label},
                     {"nonces", size.errors.size()},
                     {"errors", size.errors},
                     {"tolerance", size.tolerance}});
  const OrderedJson json = {
      {"device", derivation.device}, {"factor", derivation.factor}, {"sizes", std::move(sizes)}};
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
    return derivation;
  } catch (const OrderedJson::exception& broken) {
    return Error{fmt::format("not a derivation: {}", broken.what())};
  }
}

}  // namespace msci
