// msci-bandwidth: the bandwidth of translated kernels as a share of a copy's, at sizes beyond the
// device's caches.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cassert>
#include <cstdio>

#include "engine/device/worker.h"
#include "evaluator/evaluate.h"
#include "evaluator/progress.h"
#include "evaluator/result/result_text.h"
#include "tests/bench/seed.h"
#include "tests/bench/tuned.h"

namespace msci {
namespace {

constexpr const char* examples = R"(
Each row is a kernel at one large size, judged by its task's own verdict: its median time, the bytes that the task
counts over it, and their share of what the fastest of eight passes of a copy (256 MiB, less on small devices) reaches in
the same run.

Examples:
  msci-bandwidth                              on the first device
  msci-bandwidth --least-share 0.85           fail if the better kernel of a task reaches less
  msci-bandwidth --verify-only --shrink 128   only check the kernels' results
  msci-bandwidth --device NVIDIA --programs translated    with TASK.cl and TASK_tuned.cl in that folder

Exit status: 0 success, 1 a kernel is wrong or a share too low, 2 an error.
)";

struct Options {
  std::string device;
  std::string programs;
  unsigned shrink = 1;
  bool verify_only = false;
  std::optional<double> least_share;
};

// A task at a size that no cache holds.
struct Large {
  std::string_view task;
  Size size;
  Extent tuned_group;  // threads per threadgroup of the tuned kernel
};

// Elements of a row that a thread of a tuned kernel treats.
constexpr unsigned tuned_width = 4;

// One side of the problem is divided by `shrink`.
std::vector<Large> large_sizes(unsigned shrink) {
  const unsigned length = (1U << 27) / shrink, heat_rows = 8192 / shrink, lbm_rows = 2048 / shrink;
  return {
      {"saxpy", {fmt::format("{}M", length >> 20), {{"n", length}}}, {256}},
      {"heat2d",
       {fmt::format("16384x{}_10", heat_rows), {{"nx", 16384}, {"ny", heat_rows}, {"n_steps", 10}}},
       {32, 8}},
      {"lbm",
       {fmt::format("4096x{}_10", lbm_rows), {{"nx", 4096}, {"ny", lbm_rows}, {"n_steps", 10}}},
       {128}},
  };
}

// One kernel at one size, with the host that it wants.
struct Candidate {
  std::string_view kernel;  // "seed" or "tuned"
  Task task;                // with that size alone
  Translation translation;
};

Task at_size(const Task& task, const Size& size) {
  Task large = task;
  large.sizes = {size};
  return large;
}

// The same with a host that dispatches what tuned kernels want.
Task for_tuned(const Task& task, const Large& large) {
  Task tuned = at_size(task, large.size);
  tuned.plan = [plan = task.plan, group = large.tuned_group](const Size& size,
                                                             const Translation& program) {
    auto made = plan(size, program);
    if (!made) return made;
    for (auto& launch : made->launches) {
      launch.grid.x /= tuned_width;
      launch.threadgroup = group;
    }
    return made;
  };
  return tuned;
}

Result<Translation> tuned_kernel(std::string_view task, const std::string& programs) {
  const auto name = fmt::format("{}.metal", task);
  const auto found = std::find_if(tuned_kernels.begin(), tuned_kernels.end(),
                                  [&](const auto& kernel) { return kernel.name == name; });
  assert(found != tuned_kernels.end() && "each large task has a tuned kernel");
  return translated(fmt::format("{}_tuned", task), found->text, programs);
}

Result<std::vector<Candidate>> candidates_of(const Large& large, const std::string& programs) {
  const auto task = find_task(large.task);
  if (!task) return task.error();
  auto seed = translated_seed(**task, programs);
  if (!seed) return seed.error();
  auto tuned = tuned_kernel(large.task, programs);
  if (!tuned) return tuned.error();
  return std::vector<Candidate>{{"seed", at_size(**task, large.size), *std::move(seed)},
                                {"tuned", for_tuned(**task, large), *std::move(tuned)}};
}

Result<Outcome> evaluated(const Candidate& candidate, Device& device,
                          const std::optional<Ceilings>& ceilings) {
  Cache none{std::nullopt};  // references of half a gigabyte
  auto evaluation = evaluate(candidate.task, candidate.translation, {device, ceilings, none},
                             {.repeats = ceilings ? steady : verify_only});
  if (!evaluation) return evaluation.error();
  return std::move(evaluation->outcome);
}

void print(const Candidate& candidate, const SizeResult& size, double copy) {
  const auto& timing = *size.timing;
  fmt::print("| {} | {} | {} | {:.4g} | {:.0f} | {:.1f} % |\n", candidate.task.name, size.label,
             candidate.kernel, 1e3 * timing.seconds, timing.achieved, 100 * timing.achieved / copy);
  std::fflush(stdout);
}

int report_error(const Error& error) {
  fmt::print(stderr, "msci-bandwidth: {}\n", error.message);
  return 2;
}

// Whether all kernels are right, and the better one of each task is fast enough.
Result<bool> all_good(const Options& options, Device& device,
                      const std::optional<Ceilings>& ceilings) {
  bool good = true;
  const auto larges = large_sizes(options.shrink);
  Progress progress(larges.size());
  for (const auto& large : larges) {
    const auto candidates = candidates_of(large, options.programs);
    if (!candidates) return candidates.error();
    double best = 0;  // share of a copy's speed
    for (const auto& candidate : *candidates) {
      progress.show(fmt::format("{} {}", large.task, candidate.kernel));
      const auto outcome = evaluated(candidate, device, ceilings);
      progress.erase();
      if (!outcome) return outcome.error();
      const auto* scored = std::get_if<Scored>(&*outcome);
      good = good && scored;
      if (!scored)
        fmt::print(stderr, "msci-bandwidth: {} {}: {}\n", large.task, candidate.kernel,
                   fail_reason(*outcome).value_or(""));
      if (!scored || !ceilings) continue;
      print(candidate, scored->sizes.front(), ceilings->gbps);
      best = std::max(best, scored->sizes.front().timing->achieved / ceilings->gbps);
    }
    progress.step_done();
    good = good && best >= options.least_share.value_or(0);
  }
  return good;
}

int run(const Options& options) {
  const auto device = open_worker_device(options.device);
  if (!device) return report_error(device.error());
  std::optional<Ceilings> ceilings;
  if (!options.verify_only) {
    Cache none(std::nullopt);
    const auto gauge = CeilingGauge::open(**device, none);
    if (!gauge) return report_error(gauge.error());
    ceilings = gauge->current();
    fmt::print("{}: a copy reaches {:.0f} GB/s\n\n", (*device)->info().name, ceilings->gbps);
    fmt::print("| task | size | kernel | ms | GB/s | of a copy |\n|---|---|---|---:|---:|---:|\n");
    std::fflush(stdout);
  }
  const auto good = all_good(options, **device, ceilings);
  if (!good) return report_error(good.error());
  return *good ? 0 : 1;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("How near kernels come to the speed of a copy, beyond all caches.",
               "msci-bandwidth");
  app.footer(msci::examples);
  app.add_option("--device", options.device, "as of msci-eval");
  app.add_option(
         "--programs", options.programs,
         "a folder with translated kernels, TASK.cl and TASK_tuned.cl (msci-eval --emit opencl)")
      ->check(CLI::ExistingDirectory);
  auto* shrink = app.add_option("--shrink", options.shrink,
                                "divide the sizes by so much, for --verify-only: what fits a cache "
                                "says nothing of memory")
                     ->check(CLI::IsMember({1, 2, 4, 8, 16, 32, 64, 128}))
                     ->capture_default_str();
  auto* least =
      app.add_option("--least-share", options.least_share,
                     "fail where the better kernel of a task reaches less of a copy's speed");
  app.add_flag("--verify-only", options.verify_only, "judge and measure nothing")->excludes(least);
  shrink->needs("--verify-only");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  }
  return msci::run(options);
}
