// msci-bandwidth: how near translated kernels come to the speed at which a device copies memory, at
// sizes beyond its caches.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>

#include "evaluator/device/worker.h"
#include "evaluator/evaluate.h"
#include "evaluator/progress.h"
#include "tests/bench/seed.h"
#include "tests/bench/tuned.h"

namespace msci {
namespace {

constexpr const char* examples = R"(
Each row is a kernel at one large size, judged by its task's own verdict: its median time, the bytes that the task
counts over it, and their share of what a copy kernel reaches on the same device in the same run.

Examples:
  msci-bandwidth                              on the first device
  msci-bandwidth --least-share 0.85           fails where the better kernel of a task reaches less
  msci-bandwidth --verify-only --shrink 128   only whether the kernels are right
  msci-bandwidth --device NVIDIA --programs translated    with TASK.cl and TASK_tuned.cl in that folder

Exit status: 0 fine, 1 a kernel is wrong or a share below what was asked for, 2 something could not be done.
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

// One side of the problem is divided by `shrink`, for devices with less memory or patience.
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
struct Subject {
  std::string_view kernel;  // "seed" or "tuned"
  Task task;                // with that size alone
  Translation translation;
};

// The task with that size alone.
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
  return translated(fmt::format("{}_tuned", task), found->text, programs);
}

// Why an outcome is not a right one.
std::string reason(const Outcome& outcome) {
  if (const auto* rejected = std::get_if<Rejected>(&outcome)) return rejected->reason;
  const auto& answer = std::get<Wrong>(outcome).sizes.front().answer;
  if (const auto* failure = std::get_if<Failure>(&answer)) return failure->message;
  const auto& verdict = std::get<Verdict>(answer);
  return fmt::format("{} {:.3g}", verdict.error_kind, verdict.error_value);
}

Result<std::vector<Subject>> subjects_of(const Large& large, const std::string& programs) {
  const auto task = find_task(large.task);
  if (!task) return task.error();
  auto seed = translated_seed(**task, programs);
  if (!seed) return seed.error();
  auto tuned = tuned_kernel(large.task, programs);
  if (!tuned) return tuned.error();
  return std::vector<Subject>{{"seed", at_size(**task, large.size), *std::move(seed)},
                              {"tuned", for_tuned(**task, large), *std::move(tuned)}};
}

void print(const Subject& subject, const SizeOutcome& size, double copy) {
  const auto& timing = *size.timing;
  fmt::print("| {} | {} | {} | {:.4g} | {:.0f} | {:.1f} % |\n", subject.task.name, size.label,
             subject.kernel, 1e3 * timing.seconds, timing.achieved, 100 * timing.achieved / copy);
  std::fflush(stdout);
}

// The share of a copy's speed, 1 where nothing is timed; none where the kernel is wrong, which is
// told.
Result<std::optional<double>> share_of(const Subject& subject, Device& device,
                                       const std::optional<Ceilings>& ceilings) {
  Cache none{std::nullopt};  // references of a gigabyte
  const auto evaluation = evaluate(subject.task, subject.translation, {device, ceilings, none},
                                   {.repeats = ceilings ? steady : verify_only});
  if (!evaluation) return evaluation.error();
  const auto* scored = std::get_if<Scored>(&evaluation->outcome);
  if (!scored) {
    fmt::print(stderr, "msci-bandwidth: {} {}: {}\n", subject.task.name, subject.kernel,
               reason(evaluation->outcome));
    return std::optional<double>();
  }
  if (!ceilings) return std::optional(1.0);
  const auto& size = scored->sizes.front();
  print(subject, size, ceilings->gbps);
  return std::optional(size.timing->achieved / ceilings->gbps);
}

int complain(const Error& error) {
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
    const auto subjects = subjects_of(large, options.programs);
    if (!subjects) return subjects.error();
    double best = 0;
    for (const auto& subject : *subjects) {
      progress.doing(fmt::format("{} {}", large.task, subject.kernel));
      const auto share = share_of(subject, device, ceilings);
      progress.erase();
      if (!share) return share.error();
      good = good && *share;
      best = std::max(best, share->value_or(0));
    }
    progress.step_done();
    good = good && best >= options.least_share.value_or(0);
  }
  return good;
}

int run(const Options& options) {
  const auto device = open_worker_device(options.device);
  if (!device) return complain(device.error());
  std::optional<Ceilings> ceilings;
  if (!options.verify_only) {
    const auto measured = measure_ceilings(**device);
    if (!measured) return complain(measured.error());
    ceilings = *measured;
    fmt::print("{}: a copy reaches {:.0f} GB/s\n\n", (*device)->info().name, ceilings->gbps);
    fmt::print("| task | size | kernel | ms | GB/s | of a copy |\n|---|---|---|---:|---:|---:|\n");
    std::fflush(stdout);
  }
  const auto good = all_good(options, **device, ceilings);
  if (!good) return complain(good.error());
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
  app.add_option("--shrink", options.shrink, "divide the sizes by so much")
      ->check(CLI::IsMember({1, 2, 4, 8, 16, 32, 64, 128}))
      ->capture_default_str();
  auto* least =
      app.add_option("--least-share", options.least_share,
                     "fail where the better kernel of a task reaches less of a copy's speed");
  app.add_flag("--verify-only", options.verify_only, "judge and measure nothing")->excludes(least);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  }
  return msci::run(options);
}
