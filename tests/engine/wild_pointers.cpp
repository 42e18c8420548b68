// msci-wild-pointers: many wild kernels (wild_kernel.h) on the processor, run by hand.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "tests/engine/wild_kernel.h"
#include "tests/engine/wild_run.h"

int main(int argc, char** argv) {
  std::uint64_t seed = 1;
  std::size_t kernels = 1000;
  bool shows = false;
  CLI::App app("Runs random kernels that access memory outside, and looks whether one succeeds.");
  app.add_option("--seed", seed, "of the first kernel")->capture_default_str();
  app.add_option("--kernels", kernels, "how many that are translated")->capture_default_str();
  app.add_flag("--show", shows, "print the kernels instead");
  CLI11_PARSE(app, argc, argv);
  if (shows) {
    for (auto i = seed; i < seed + kernels; ++i)
      fmt::print("{}", msci::wild_kernel(fmt::format("wild{}", i), i));
    return 0;
  }
  msci::WildResults results;
  const auto problem = msci::run_wild_kernels(seed, kernels, results);
  fmt::print(
      "seeds {} to {}: {} kernels: {} ran, {} were stopped outside, {} at the time limit, "
      "{} ended their processes; {} more were not translated\n",
      seed, results.next_seed - 1, results.kernels(), results.ran, results.stopped, results.late,
      results.ended.size(), results.refused);
  if (!results.ended.empty())
    fmt::print(stderr, "msci-wild-pointers: the kernels of these seeds end their processes: {}\n",
               fmt::join(results.ended, " "));
  if (problem) fmt::print(stderr, "msci-wild-pointers: {}\n", *problem);
  return problem || !results.ended.empty();
}
