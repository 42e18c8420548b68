// Carries out fixes.
#pragma once

#include <string>
#include <vector>

#include "lint/finding.h"

namespace msci {

// The text after the first fix of every finding; a fix that would touch what an earlier one changed
// is left out.
std::string fixed(const Source& source, const std::vector<Finding>& findings);

}  // namespace msci
