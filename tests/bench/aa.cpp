// msci-aa: an A/A test, which counts how often a kernel seems faster than itself. Each pair is the
// same seed kernel, built twice, in two processes. It is measured twice: as a search does (3 + 10
// passes each, the higher score wins), and in turns.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>

#include "engine/device/worker.h"
#include "evaluator/evaluate.h"
#include "evaluator/measure/paired_comparison.h"
#include "tests/bench/seed.h"

namespace msci {
namespace {

constexpr std::array margins = {0.0, 0.01, least_gain, 0.05};
constexpr std::array effects = {0.02, 0.05, 0.1};

struct Options {
  std::vector<std::string> tasks = {"saxpy"};
  std::string device;
  std::string programs;  // a folder
  unsigned sizes = 1;
  unsigned pairs = 200;
  Rounds rounds;
};

struct Counts {
  unsigned pairs = 0;
  unsigned strict = 0;
  std::array<unsigned, margins.size()> paired = {};
  std::array<unsigned, effects.size()> found = {};  // had the candidate been faster by that share
  std::vector<double> spreads;                      // interquartile range / median of a measurement
  std::vector<double> strict_ratios;
};

// The sizes with the least work, which come first.
std::span<const Size> first_sizes(const Task& task, std::size_t count) {
  return std::span(task.sizes).first(std::min(count, task.sizes.size()));
}

Result<std::vector<double>> passes(const Task& task, const Size& size, const Translation& seed,
                                   Device& device) {
  auto built = device.build(seed);
  if (!built) return built.error();
  if (auto* failure = std::get_if<Failure>(&*built)) return Error{failure->message};
  const auto plan = task.plan(size, seed);
  if (!plan) return plan.error();
  auto run = std::get<0>(*built)->run(*plan, metal_sci);
  if (!run) return run.error();
  if (auto* failure = std::get_if<Failure>(&*run)) return Error{failure->message};
  return std::get<Run>(*run).seconds;
}

// The mean of the logarithms of the medians: what the score is made of.
Result<double> mean_logarithm(const Task& task, std::span<const Size> sizes,
                              const Translation& seed, Device& device, Counts& counts) {
  double sum = 0;
  for (const auto& size : sizes) {
    const auto seconds = passes(task, size, seed, device);
    if (!seconds) return seconds.error();
    counts.spreads.push_back(spread_of(*seconds).interquartile);
    sum += std::log(median(*seconds));
  }
  return sum / static_cast<double>(sizes.size());
}

std::optional<Error> add_pair(const Task& task, const Translation& seed, Device& device,
                              const Options& options, Counts& counts) {
  const auto sizes = first_sizes(task, options.sizes);
  const auto incumbent = mean_logarithm(task, sizes, seed, device, counts);
  if (!incumbent) return incumbent.error();
  const auto candidate = mean_logarithm(task, sizes, seed, device, counts);
  if (!candidate) return candidate.error();
  Cache references(user_cache_folder());
  const auto compared =
      compare_paired(task, sizes, {seed, device}, {seed, device}, references, options.rounds);
  if (!compared) return compared.error();
  if (auto* failure = std::get_if<Failure>(&*compared)) return Error{failure->message};
  const auto& versus = std::get<PairedComparison>(*compared);
  ++counts.pairs;
  counts.strict += *candidate < *incumbent;
  counts.strict_ratios.push_back(std::exp(*incumbent - *candidate));
  for (std::size_t i = 0; i < margins.size(); ++i) counts.paired[i] += versus.is_faster(margins[i]);
  // A candidate that is faster by a share has its ratios multiplied by it, and its interval, too.
  const auto ratio = versus.overall();
  for (std::size_t i = 0; i < effects.size(); ++i)
    counts.found[i] += ratio && ratio->interval.low * (1 + effects[i]) > 1 + least_gain;
  return std::nullopt;
}

double share(unsigned part, unsigned whole) { return 100.0 * part / whole; }

// The upper end of Wilson's 95 % interval for a share, in per cent.
double upper_bound(unsigned part, unsigned whole) {
  constexpr double z = 1.96;
  const double n = whole;
  const double p = part / n;
  const double centre = p + z * z / (2 * n);
  const double reach = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return 100 * (centre + reach) / (1 + z * z / n);
}

void print(const Task& task, const Counts& counts) {
  fmt::print("| {} | {} | {:.1f} % | {:.1f} % | {:.1f} % |", task.name, counts.pairs,
             100 * median(counts.spreads), 100 * (quantile(counts.strict_ratios, 0.95) - 1),
             share(counts.strict, counts.pairs));
  for (const auto paired : counts.paired)
    fmt::print(" {:.1f} % (at most {:.1f} %) |", share(paired, counts.pairs),
               upper_bound(paired, counts.pairs));
  for (const auto found : counts.found) fmt::print(" {:.0f} % |", share(found, counts.pairs));
  fmt::print("\n");
  std::fflush(stdout);
}

int report_error(const Error& error) {
  fmt::print(stderr, "msci-aa: {}\n", error.message);
  return 2;
}

int run(const Options& options) {
  auto device = open_worker_device(options.device);
  if (!device) return report_error(device.error());
  fmt::print("| task | pairs | spread | 95 % of ratios below | strict rule |");
  for (const auto margin : margins) fmt::print(" paired, +{:.0f} % |", 100 * margin);
  for (const auto effect : effects) fmt::print(" finds +{:.0f} % |", 100 * effect);
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < 4 + margins.size() + effects.size(); ++i) fmt::print("---:|");
  fmt::print("\n");
  std::fflush(stdout);
  for (const auto& name : options.tasks) {
    const auto task = find_task(name);
    if (!task) return report_error(task.error());
    const auto seed = translated_seed(**task, options.programs);
    if (!seed) return report_error(seed.error());
    Counts counts;
    for (unsigned i = 0; i < options.pairs; ++i) {
      if (::isatty(STDERR_FILENO)) fmt::print(stderr, "\r{} {}/{} ", name, i, options.pairs);
      if (auto error = add_pair(**task, *seed, **device, options, counts))
        return report_error(*error);
    }
    print(**task, counts);
  }
  return 0;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("How often a seed kernel is found faster than itself.", "msci-aa");
  app.footer("\nExample:\n  msci-aa --task saxpy,nbody --pairs 200 --sizes 1\n");
  app.add_option("--task,--tasks", options.tasks, "tasks, with commas")->delimiter(',');
  app.add_option("--device", options.device, "as of msci-eval");
  app.add_option("--programs", options.programs,
                 "a folder with the translated seeds, TASK.cl (msci-eval --emit opencl)")
      ->check(CLI::ExistingDirectory);
  app.add_option("--sizes", options.sizes, "how many of the sizes, the smallest first")
      ->check(CLI::Range(1, 3))
      ->capture_default_str();
  app.add_option("--pairs", options.pairs)->check(CLI::Range(1, 100000))->capture_default_str();
  app.add_option("--rounds", options.rounds.count)
      ->check(CLI::Range(8, 1000))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  }
  return msci::run(options);
}
