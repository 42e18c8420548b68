// msci-engine: seed kernels, or one Metal file, on the processor (`--device cpu`) and on an OpenCL
// device, in turns. It prints milliseconds per pass and judges the results.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>

#include "base/files/read_file.h"
#include "engine/cpu_device.h"
#include "engine/device/worker.h"
#include "evaluator/measure/paired_comparison.h"
#include "tasks/plan/task.h"
#include "tests/bench/seed.h"

namespace msci {
namespace {

struct Options {
  std::vector<std::string> tasks;
  std::string file;
  std::string opencl = std::string(opencl_device_name);  // a part of the device's name
  unsigned sizes = 3;
  unsigned rounds = 3;
  bool held_out = false;
  bool in_process = false;  // to debug the engine
  bool alone = false;
  Execution execution;  // on the processor
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Measured {
  std::vector<double> seconds;
  double build = 0;
  Verdict verdict;
  std::string failure;
};

// Builds and runs the plan once, adding what it measures.
void measure(const Task& task, const Size& size, const Bytes& reference,
             const Translation& translation, const Execution& execution, Device& device,
             Measured& measured) {
  const auto start = now();
  auto built = device.build(translation);
  if (!built) return void(measured.failure = built.error().message);
  if (auto* failure = std::get_if<Failure>(&*built))
    return void(measured.failure = failure->message);
  auto plan = task.plan(size, translation);
  if (!plan) return void(measured.failure = plan.error().message);
  plan->execution = execution;
  auto& program = *std::get<std::unique_ptr<Program>>(*built);
  // A driver compiles in the first run, too.
  const auto first = program.run(*plan, verify_only);
  measured.build = now() - start;
  const auto ran = program.run(*plan, {.warmup = 1, .timed = 5});
  if (!first || !ran) return void(measured.failure = (first ? ran : first).error().message);
  for (const auto* each : {&*first, &*ran})
    if (auto* failure = std::get_if<Failure>(each))
      return void(measured.failure = failure->message);
  const auto& run = std::get<Run>(*ran);
  measured.seconds.insert(measured.seconds.end(), run.seconds.begin(), run.seconds.end());
  measured.verdict = *task.judge(size, reference, run.outputs, *run.timed_outputs);
}

std::string text_of(const Measured& measured) {
  if (!measured.failure.empty()) return "failed: " + measured.failure;
  return fmt::format("{:9.3f} ms  {}", 1e3 * median(measured.seconds),
                     measured.verdict.correct
                         ? "right"
                         : fmt::format("WRONG ({} {:g})", measured.verdict.error_kind,
                                       measured.verdict.error_value));
}

int report_error(const Error& error) {
  fmt::print(stderr, "msci-engine: {}\n", error.message);
  return 2;
}

Result<Translation> translation_of(const Task& task, const Options& options) {
  if (options.file.empty()) return translated_seed(task, "");
  const auto source = read_source(options.file);
  if (!source) return source.error();
  return translated(options.file, source->text, "");
}

int run(const Options& options) {
  auto cpu = options.in_process ? open_cpu_device(0) : open_worker_device(cpu_device_name);
  if (!cpu) return report_error(cpu.error());
  std::unique_ptr<Device> opencl;
  if (!options.alone) {
    auto opened = open_worker_device(options.opencl);
    if (!opened) return report_error(opened.error());
    opencl = *std::move(opened);
  }
  bool all_right = true;
  double sum = 0;
  unsigned count = 0;
  for (const auto* task : all_tasks()) {
    if (!options.tasks.empty() &&
        std::find(options.tasks.begin(), options.tasks.end(), task->name) == options.tasks.end())
      continue;
    const auto translation = translation_of(*task, options);
    if (!translation) return report_error(translation.error());
    auto sizes = task->sizes;
    sizes.resize(std::min<std::size_t>(sizes.size(), options.sizes));
    if (options.held_out && task->held_out) sizes.push_back(*task->held_out);
    for (const auto& size : sizes) {
      const auto reference = task->reference ? task->reference(size) : Bytes{};
      Measured ours, theirs;
      for (unsigned round = 0; round < options.rounds; ++round) {
        measure(*task, size, reference, *translation, options.execution, **cpu, ours);
        if (opencl) measure(*task, size, reference, *translation, {}, *opencl, theirs);
      }
      all_right = all_right && ours.failure.empty() && ours.verdict.correct;
      fmt::print("{:9} {:14} cpu {}  (built in {:4.0f} ms)", task->name, size.label, text_of(ours),
                 1e3 * ours.build);
      if (opencl) {
        const auto ratio = ours.failure.empty() && theirs.failure.empty()
                               ? median(theirs.seconds) / median(ours.seconds)
                               : std::nan("");
        fmt::print("  OpenCL {}  ({:4.0f} ms)  {:5.2f} times as fast", text_of(theirs),
                   1e3 * theirs.build, ratio);
        if (std::isfinite(ratio)) {
          sum += std::log(ratio);
          ++count;
        }
      }
      fmt::print("\n");
      std::fflush(stdout);
    }
  }
  if (count > 0) fmt::print("geometric mean: {:.2f} times as fast\n", std::exp(sum / count));
  return all_right ? 0 : 1;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("Times seed kernels on the processor and on an OpenCL device, in turns.");
  app.add_option("--task", options.tasks, "tasks; all if left out")->delimiter(',');
  app.add_option("--file", options.file, "a Metal file instead of the seed");
  app.add_option("--opencl", options.opencl, "the OpenCL device");
  app.add_option("--sizes", options.sizes, "sizes of each task, from the least");
  app.add_option("--rounds", options.rounds, "how often the devices take turns");
  app.add_flag("--held-out", options.held_out, "the held-out size, too");
  app.add_flag("--in-process", options.in_process, "without a worker for the processor");
  app.add_option("--width", options.execution.vector_bits, "most bits of the processor's vectors")
      ->check(CLI::IsMember({128, 256, 512}));
  app.add_flag("--alone", options.alone, "without an OpenCL device");
  CLI11_PARSE(app, argc, argv);
  return msci::run(options);
}
