// Findings that several reports hold, because their sources include one file or have one host.
#pragma once

#include <set>
#include <string>
#include <tuple>

#include "lint/finding.h"

namespace msci {

// Tells which findings of a run are new, so that what is for people has each once.
class SharedFindings {
 public:
  // Whether it lies in the source of its report, or no finding asked about before is the same.
  bool is_new(const Finding& finding);

 private:
  std::set<std::tuple<Place, std::string, std::string>> seen_;  // with rule and message
};

}  // namespace msci
