// Runs both verdicts of a task on its null battery (tasks/battery.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/files/cache.h"
#include "base/result.h"
#include "base/source.h"
#include "engine/device/device.h"
#include "tasks/plan/task.h"

namespace msci {

// The result for one wrong kernel.
struct Audited {
  std::string name;
  std::string what;
  std::optional<bool> compatible_accepts;  // none where that verdict was not asked
  bool strict_accepts = false;
  std::optional<double> margin;  // error over strict tolerance, at the size that shows it best
  std::string caught_by;         // what showed it: "error", a Failure's cause, "overrun"; or empty
};

struct Audit {
  std::string task;
  std::vector<Audited> kernels;
  bool passed() const;                     // none is accepted by the strict verdict
  std::optional<Audited> weakest() const;  // of those that an error alone shows
};

struct AuditContext {
  Device& device;
  Cache& cache;
  // Translates without lint, which would reject most wrong kernels.
  std::function<Result<Translation>(const Source&)> translate;
  std::function<void(std::string_view kernel)> begins = nullptr;  // told before each
  bool compatible = true;  // ask the recorded verdict too, which takes a minute or so a task
};

// Errors: msci's own, a battery that does not fit its seed, a wrong kernel that does not build.
Result<Audit> audit(const Task& task, const AuditContext& bench, std::uint64_t nonce);

// Markdown: one table of all wrong kernels, then a line with the weakest margin.
std::string to_markdown(const Audit& audit);

}  // namespace msci
