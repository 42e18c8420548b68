#include "evaluator/find_kernel_resources.h"

#include <algorithm>

#include "analysis/instruments.h"
#include "analysis/profile/chip.h"

namespace msci {

std::vector<KernelResources> find_kernel_resources(Unit& unit) {
  std::vector<KernelResources> all;
  const auto translation = translate(unit, {}, {}, TranslationPurpose::profiling);
  if (!translation) return all;
  for (const auto& signature : translation->kernels) {
    const auto code =
        std::find_if(translation->code.begin(), translation->code.end(),
                     [&](const KernelCode& each) { return each.symbol == signature.symbol; });
    if (code == translation->code.end()) continue;
    const auto limit = signature.thread_limit.value_or(0);
    const auto bytes = signature.threadgroup_bytes;
    // In threadgroups of one simdgroup, which no remainder of a core is too small for.
    const auto by_registers = occupancy_of(code->registers, 0, 1);
    all.push_back({.kernel = signature.name,
                   .registers = code->registers,
                   .registers_allowed = registers_allowed(limit),
                   .thread_limit = limit,
                   .threadgroup_bytes = bytes,
                   .threads_by_registers = 32 * by_registers.simdgroups,
                   .groups_by_memory = bytes > 0 ? occupancy_of(1, bytes, 1).groups : 0});
  }
  return all;
}

}  // namespace msci
