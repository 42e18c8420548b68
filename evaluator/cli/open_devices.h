// The devices that the options of msci-eval name.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/cache.h"
#include "evaluator/cli/eval_options.h"
#include "evaluator/evaluate.h"
#include "evaluator/session/explain_failures.h"
#include "evaluator/session/session.h"
#include "runtime/device/device.h"

namespace msci {

using Devices = std::vector<std::unique_ptr<Device>>;

std::chrono::milliseconds time_limit(const EvaluatorOptions& options);

// Whether kernels run with checks or counters instead of being judged: only the processor's engine
// has them.
bool is_instrumented(const EvaluatorOptions& options);
// The device that the user named for such a run although it runs on the processor; none where the
// name fits the processor, too.
std::optional<std::string> replaced_device(const EvaluatorOptions& options,
                                           const DeviceInfo& processor);

// Whether the kernels that are judged count what they do.
bool counts_work(const EvaluatorOptions& options);
// What the kernels that are judged are compiled for.
TranslationPurpose judging_purpose(const EvaluatorOptions& options);

// The devices of --device; by default the first, the first OpenCL device if a file is a translated
// program, or the processor if times are predicted from counts. For --check and --profile the
// processor, whatever --device says, with a note where it names another one. Warns about accesses
// that the sandbox cannot deny. Errors: an unknown device, or several that cannot time kernels at
// once.
Result<Devices> open_devices(const EvaluatorOptions& options);

// The processor, for the checked runs of a strict verdict and for predictions beside measured
// times; null if neither is asked for, and where this build has no engine.
Result<std::unique_ptr<SharedDevice>> open_processor(const EvaluatorOptions& options);

// Opens the processor for one checked run, with the time limit of the options.
OpenProcessor processor_opener(const EvaluatorOptions& options);

// One context a device, with the ceilings of the device unless nothing is timed.
Result<std::vector<EvaluationContext>> contexts_of(const EvaluatorOptions& options,
                                                   const Devices& devices, Cache& cache);

}  // namespace msci
