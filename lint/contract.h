// What the caller knows about a source beyond its text.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lint/host/host.h"
#include "lint/target/targets.h"
#include "tasks/plan/task.h"

namespace msci {

struct Task;  // tasks/plan/task.h

struct Contract {
  std::vector<KernelContract> kernels;  // that the host dispatches; empty if unknown
  std::string from;                     // who states them, for messages: "the task saxpy"
  std::shared_ptr<const Host> host;     // null if none is given
  Targets targets;                      // GPUs and systems that the source has to run on
  const Task* task = nullptr;  // that launches the kernels; null: their launches are unknown

  bool has_kernel(std::string_view name) const;
  bool operator==(const Contract&) const = default;
};

// The kernels of the task of this name. Errors: the task does not exist.
using FindTask = Result<std::vector<KernelContract>> (*)(std::string_view task);

// The contract of a source that must hold these kernels and, if `task` is not empty, those of the
// task. Errors: `find_task` does not know the task.
Result<Contract> contract_from(const std::string& task, const std::vector<std::string>& kernels,
                               std::string from, FindTask find_task);

}  // namespace msci
