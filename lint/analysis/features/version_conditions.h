// The parts of a text that are compiled only where a version of Metal, or a header of its library,
// is there.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/frontend/unit.h"

namespace msci {

// Knows, for each file of a unit, the lines below an `#if` that names __METAL_VERSION__,
// __has_include or a macro of Metal's own about features (__HAVE_BFLOAT__).
class VersionConditions {
 public:
  explicit VersionConditions(const Unit& unit) : unit_(unit) {}
  bool cover(const Place& place);

 private:
  const Unit& unit_;
  std::map<std::string, std::vector<bool>> covered_;  // by file and line
};

}  // namespace msci
