#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "evaluator/modes/modes.h"

namespace msci {
namespace {

std::optional<Error> refuse_batch(const EvaluatorOptions& options) {
  const auto& files = options.candidates.files;
  if (files.empty() || !options.output.json) return Error{"--slurm needs FILEs, and prints --json"};
  if (std::ranges::find(files, "-") != files.end())
    return Error{"--slurm reads files, and not standard input"};
  if (std::set(files.begin(), files.end()).size() != files.size())
    return Error{"--slurm needs each FILE once"};
  return std::nullopt;
}

std::optional<Error> refuse_prediction(const EvaluatorOptions& options) {
  if (options.timing.predict.empty()) return std::nullopt;
  if (const auto chip = find_chip(options.timing.predict); !chip) return chip.error();
  if (options.verdict.execution != Execution{})
    return Error{"--predict and --order exclude each other: a fixed order runs on one core"};
  return std::nullopt;
}

// Options that take one device, one task or one file.
std::optional<Error> refuse_several(const EvaluatorOptions& options, std::size_t tasks) {
  const auto& mode = options.mode;
  const auto& timing = options.timing;
  const auto files = options.candidates.files.size();
  const bool has_one_device = options.devices.names.size() == 1;
  if (!has_one_device &&
      (mode.gate || mode.check || mode.prove || mode.numerics || !timing.perf_result.empty()))
    return Error{"--check, --prove, --numerics, --gate and --perf-result need one --device"};
  if (tasks != 1 && (mode.gate || !timing.rival.empty()))
    return Error{"--gate and --vs need one --task"};
  const bool writes_result = !timing.verify_result.empty() || !timing.perf_result.empty();
  if (writes_result && (tasks != 1 || files > 1))
    return Error{"--verify-result and --perf-result need one --task and at most one FILE"};
  if (!options.verdict.save_images.empty() && (tasks != 1 || files > 1 || !has_one_device))
    return Error{
        "--save-images needs one --plan, one --device and at most one FILE, because the names of "
        "images have only the size and the result"};
  if (!mode.save_plan.empty() && (tasks != 1 || files > 1))
    return Error{"--save-plan needs one --plan and one FILE"};
  if (!mode.reduce.empty() && tasks != 1) return Error{"--reduce needs one --task or one --plan"};
  if (mode.gate && files != 1) return Error{"--gate needs one FILE, the best kernel of a search"};
  return std::nullopt;
}

// What the options need of the first task.
std::optional<Error> refuse_first_task(const EvaluatorOptions& options, const Task& task) {
  const bool is_gate = options.mode.gate;
  const auto& timing = options.timing;
  if (!options.verdict.save_images.empty() && task.plan_file.empty())
    return Error{"--save-images needs a --plan: no task of the benchmark has images"};
  if ((is_gate || options.verdict.held_out) && !task.held_out)
    return Error{
        fmt::format("{} has no held-out size; add \"held_out\" beside \"sizes\"", task.plan_file)};
  const bool wants_seed = timing.rival == "seed" || (is_gate && timing.rival.empty());
  if ((wants_seed || !timing.perf_result.empty()) && task.seed.empty())
    return Error{fmt::format(
        "{} has no seed to compare with; add \"seed\", or name a kernel: --vs old.metal",
        task.plan_file)};
  return std::nullopt;
}

// Options of the certificate, which only strict verdicts have.
std::optional<Error> refuse_certificate(const EvaluatorOptions& options) {
  if (options.is_strict() || options.mode.gate) return std::nullopt;
  if (options.verdict.skips_certificate) return Error{"--no-certificate needs --strict or --gate"};
  if (options.verdict.refuses_unexecuted)
    return Error{"--require-executed needs --strict or --gate"};
  return std::nullopt;
}

}  // namespace

std::optional<Error> refuse_incomplete(const EvaluatorOptions& options) {
  const auto& files = options.candidates.files;
  const auto& tasks = options.candidates.tasks;
  if (!options.mode.reduce.empty() && tasks.empty() && !options.devices.names.front().empty())
    return Error{"--device needs a --task or a --plan: --reduce runs nothing without one"};
  if (!options.cluster.folder.empty()) return refuse_batch(options);
  if (!options.mode.emit.empty() && files.size() != 1)
    return Error{"--emit needs one FILE; see msci-eval --help"};
  if (!options.mode.reduce.empty() && files.size() != 1)
    return Error{"--reduce needs one FILE; see msci-eval --help"};
  if (options.mode.emit.empty() && options.mode.reduce.empty() && tasks.empty())
    return Error{
        "no --task given; msci-tasks lists the tasks, --task all selects all of them, and --plan "
        "reads a task of your own"};
  if (!options.mode.assumptions.empty() && !options.mode.prove && !options.mode.check)
    return Error{"--assume needs --prove, which uses what is assumed, or --check, which tests it"};
  const bool writes_proof =
      !options.timing.verify_result.empty() || !options.timing.perf_result.empty();
  if (writes_proof && (files.size() != 1 || tasks.size() != 1 || tasks[0] == "all"))
    return Error{"--verify-result and --perf-result need one FILE and one --task"};
  return std::nullopt;
}

std::optional<Error> refuse(const EvaluatorOptions& options, std::span<const Task* const> tasks) {
  const auto& first = *tasks.front();
  if (auto refusal = refuse_prediction(options)) return refusal;
  if (auto refusal = refuse_several(options, tasks.size())) return refusal;
  if (auto refusal = refuse_first_task(options, first)) return refusal;
  if (auto refusal = refuse_certificate(options)) return refusal;
  const bool has_files = !options.candidates.files.empty();
  for (const auto* each : tasks) {
    if (!has_files && each->seed.empty())
      return Error{fmt::format("{} has no seed; name the FILE of a kernel", each->plan_file)};
    if (has_files && each->constants != first.constants)
      return Error{"the tasks give function constants different values; judge on one at a time"};
    if (options.mode.inputs > 0 && each->plan_file.empty())
      return Error{"--inputs needs a --plan: it changes the numbers of a plan's buffers"};
    if (options.verdict.asks_strictly() && each->stress.sizes.empty())
      return Error{
          fmt::format("{} has no problem for the strict verdict; add \"stress\"", each->plan_file)};
  }
  return std::nullopt;
}

}  // namespace msci
