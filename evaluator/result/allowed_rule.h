// What a comment of a source allows: `// msci: allow(hazard.x) reason` (docs/guide/linting.md).
#pragma once

#include <string>

namespace msci {

struct AllowedRule {
  std::string rule;
  std::string reason;
  unsigned first_line = 0;
  unsigned last_line = 0;  // inclusive
};

}  // namespace msci
