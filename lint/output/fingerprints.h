// Identifies findings from one run to the next, for services that track them.
#pragma once

#include <map>
#include <string>

#include "lint/lint.h"

namespace msci {

// The fingerprints of a report, which do not depend on other reports: a finding that several hold
// has one fingerprint. They do not change when lines move: each is made of the file, the rule, the
// message, the text of the line, and the number of equal findings before it.
class Fingerprints {
 public:
  // 16 hexadecimal digits.
  std::string of(const FileReport& report, const Finding& finding);

 private:
  std::map<std::string, unsigned> seen_;
};

}  // namespace msci
