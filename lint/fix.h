// Carries out fixes.
#pragma once

#include <string>
#include <vector>

#include "lint/finding.h"

namespace msci {

enum class Fixes { safe, all };

// A text with fixes carried out, and how many they were.
struct Fixed {
  std::string text;
  std::size_t fixes = 0;
};

// Carries out the first suitable fix of every finding; a fix that would touch what an earlier one
// changed is left out.
Fixed fix(const Source& source, const std::vector<Finding>& findings, Fixes which);

// The text after the first fix of every finding.
std::string fixed(const Source& source, const std::vector<Finding>& findings);

}  // namespace msci
