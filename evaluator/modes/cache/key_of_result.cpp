#include "analysis/solver/z3.h"
#include "base/files/install_paths.h"
#include "base/json.h"
#include "evaluator/modes/cache/result_memo.h"
#include "evaluator/modes/open_devices.h"

namespace msci {
namespace {

bool may_share(const EvaluatorOptions& options) {
  const bool is_timed = !options.verdict.verify_only && !options.counts_work();
  return !options.cache.is_off && !is_timed && !options.candidates.is_program &&
         !options.candidates.files.empty() && options.timing.rival.empty() &&
         options.verdict.save_images.empty() && options.timing.verify_result.empty() &&
         options.timing.perf_result.empty() && !options.compile.reads_files();
}

}  // namespace

std::optional<ResultKey> key_of_result(const EvaluatorOptions& options,
                                       std::span<const Task* const> tasks,
                                       const std::vector<const Device*>& devices) {
  // Certificates and the findings of proofs depend on it.
  const auto z3 = prover::Z3::version();
  ResultKey key{.program = program_identity(),
                .settings = {to_line(key_of(options)), z3 ? "Z3 " + *z3 : ""}};
  for (const auto* device : devices) {
    // Two back ends may reach one device, and run other code on it.
    const auto& info = device->info();
    key.devices.push_back(
        to_line(OrderedJson{info.backend, info.platform, info.name, info.driver}));
  }
  for (const auto* task : tasks) {
    const auto version = task_version(*task);
    if (!version) return std::nullopt;
    // Plans in two folders may have one name.
    key.tasks[std::string(task->plan_file.empty() ? task->name : task->plan_file)] = *version;
  }
  return key;
}

std::optional<ResultKey> key_of_batch(const EvaluatorOptions& options, const BatchOptions& batch,
                                      std::span<const EvaluationContext> contexts) {
  if (!may_share(options)) return std::nullopt;
  std::vector<const Device*> devices;
  for (const auto& context : contexts) devices.push_back(&context.device);
  // It reaches the strict verdicts of the others.
  if (const auto* processor = batch.evaluation.processor) devices.push_back(processor);
  return key_of_result(options, batch.tasks, devices);
}

}  // namespace msci
