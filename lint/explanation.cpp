#include "lint/explanation.h"

#include <fmt/format.h>

namespace msci {

void explain(Finding& finding, std::string_view explanation) {
  finding.message = fmt::format("{} ({})", explanation, finding.message);
}

void add_remedy(Finding& finding, std::string_view remedy) {
  finding.message = fmt::format("{}; {}", finding.message, remedy);
}

}  // namespace msci
