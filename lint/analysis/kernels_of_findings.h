// Whose code the findings of lint are about.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "compiler/frontend/unit.h"

namespace msci {

// For each diagnostic, the kernels of the unit that reach the function that it lies in. Empty where
// it lies in no function, or in one that no kernel reaches: it is about the whole source.
std::vector<std::vector<std::string>> kernels_of_findings(
    const Unit& unit, const std::vector<Diagnostic>& diagnostics);

}  // namespace msci
