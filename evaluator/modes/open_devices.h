// The devices that the options of msci-eval name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/cache.h"
#include "engine/device/device.h"
#include "evaluator/evaluate.h"
#include "evaluator/options/eval_options.h"
#include "evaluator/session/explain_failures.h"
#include "evaluator/session/session.h"

namespace msci {

using Devices = std::vector<std::unique_ptr<Device>>;

// The device that the user named for such a run although it runs on the processor; none where the
// name fits the processor, too.
std::optional<std::string> replaced_device(const EvaluatorOptions& options,
                                           const DeviceInfo& processor);

// What the kernels that are judged are compiled for.
TranslationPurpose judging_purpose(const EvaluatorOptions& options);

// The devices of --device; by default the first, the first OpenCL device if a file is a translated
// program, or the processor if times are predicted from counts. For --check, --numerics and
// --profile the processor, whatever --device says, with a note where it names another one. Warns
// about accesses that the sandbox cannot deny. Errors: an unknown device, or several that cannot
// time kernels at once; a server may have them, because it runs timed kernels alone.
Result<Devices> open_devices(const EvaluatorOptions& options);

// The processor, for the checked runs of a strict verdict and for predictions beside measured
// times, for which requests to a server may ask, too; null if none of these is asked for.
Result<std::unique_ptr<Device>> open_processor(const EvaluatorOptions& options);

// Opens the processor for one checked run, with the time limit of the options.
OpenProcessor processor_opener(const DeviceOptions& options);

// One context a device, with the ceilings of the device unless nothing is timed.
Result<std::vector<EvaluationContext>> contexts_of(const EvaluatorOptions& options,
                                                   const Devices& devices, Cache& cache);

}  // namespace msci
