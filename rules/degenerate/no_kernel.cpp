#include <algorithm>

#include "lint/rule.h"

namespace msci {
namespace {

// The last line that holds anything: whoever reads from the top has met every other fault before.
Range end_of(const std::string& text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  const auto end = text.begin() + (last == std::string::npos ? 0 : last);
  const auto line = static_cast<unsigned>(std::count(text.begin(), end, '\n')) + 1;
  return {{line, 1}, {line, 1}};
}

}  // namespace

extern constinit const Rule no_kernel{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          // Where names are expected, missing_kernel says which.
          if (unit.kernels().empty() && report.expectation().kernels.empty())
            report(end_of(unit.source().text), "there is no kernel in this source");
        },
};

}  // namespace msci
