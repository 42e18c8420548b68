#include "lint/rule.h"

namespace msci {

extern constinit const Rule no_kernel{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          // Where names are expected, missing_kernel says which.
          if (unit.kernels().empty() && report.expectation().kernels.empty())
            report(Range{{1, 1}, {1, 1}}, "there is no kernel in this source");
        },
};

}  // namespace msci
