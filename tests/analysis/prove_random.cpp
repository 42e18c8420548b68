// msci-prove-random: proofs and checked runs of random kernels, which must agree.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "engine/device/worker.h"
#include "tests/analysis/random_proofs.h"

int main(int argc, char** argv) {
  std::uint64_t seed = 1;
  unsigned count = 1000;
  CLI::App app("Proves random kernels, and runs them in the checked mode.", "msci-prove-random");
  app.footer("\nExit status: 0 proofs and runs agree, 1 some do not, 2 could not compare.");
  app.add_option("--seed", seed, "of the first kernel")->capture_default_str();
  app.add_option("--count", count, "of kernels")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  auto device = msci::open_worker_device("cpu");
  if (!device) return fmt::print(stderr, "{}\n", device.error().message), 2;
  const auto all = msci::compare_random_kernels(seed, count, **device);
  if (!all) return fmt::print(stderr, "{}\n", all.error().message), 2;
  for (const auto& each : all->disagreements) fmt::print("{}\n", each);
  fmt::print("{}seeds {} to {}: {} proved, {} refuted, {} unknown, {} disagreements\n", all->source,
             seed, seed + count - 1, all->proved, all->refuted, all->unknown,
             all->disagreements.size());
  return all->disagreements.empty() ? 0 : 1;
}
