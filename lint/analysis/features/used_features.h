// What a kernel uses of which not every GPU is capable.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/frontend/unit.h"
#include "lint/target/targets.h"

namespace clang {
class FunctionDecl;
}

namespace msci {

// A use of a feature (lint/target/targets.def) in the user's text.
struct FeatureUse {
  Feature feature;
  std::string name;  // as it is written, or "integers of 64 bits"
  Place place;
};

// The first use of each feature in each function that a kernel calls. Left out is what function
// constants decide on, with all that is called there only, because the host asks the device before
// it sets them; and what the source defines or uses only where a version of Metal or a header is
// there (VersionConditions).
std::vector<FeatureUse> used_features(const Unit& unit);

// The parts of a text that are compiled only where a version of Metal, or a header of its library,
// is there.

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
