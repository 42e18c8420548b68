// Applies fixes to a source.
#pragma once

#include <string>
#include <vector>

#include "lint/finding.h"

namespace msci {

enum class Fixes { safe, all };

// A text after fixes, and what they did to the text before.
struct FixedText {
  std::string text;
  std::vector<Edit> edits;         // in the order of their places
  std::vector<std::string> fixes;  // the rule of each
};

// Applies the first suitable fix of every finding, except fixes that overlap an earlier one.
FixedText apply_fixes(const Source& source, const std::vector<Finding>& findings, Fixes which);

}  // namespace msci
