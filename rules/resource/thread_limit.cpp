#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include "base/metal_limits.h"
#include "lint/analysis/expressions.h"
#include "lint/rule.h"

namespace msci {
extern constinit const Rule thread_limit{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& kernel : unit.kernels()) {
            const auto attribute =
                unit.attribute(*kernel.declaration, "max_total_threads_per_threadgroup");
            if (!attribute || !attribute->value) continue;
            if (*attribute->value < 1)
              report(attribute->place, "a threadgroup has at least one thread");
            if (*attribute->value > threadgroup_thread_limit)
              report(attribute->place,
                     fmt::format("a threadgroup has at most {} threads", threadgroup_thread_limit));
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
