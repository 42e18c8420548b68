// Function constants: program-scope constants whose values a host gives when it builds a pipeline.
#pragma once

#include <vector>

#include "compiler/frontend/unit.h"

namespace clang {
class VarDecl;
}

namespace msci {

// The function constants that the source declares, in their order.
std::vector<const clang::VarDecl*> function_constants(const Unit& unit);

// The constant that decides whether a kernel's parameter exists: [[function_constant(name)]]. Null
// for a parameter that always exists, and where no constant has that name.
const clang::VarDecl* condition_of(const Unit& unit, const clang::ParmVarDecl& parameter);

}  // namespace msci
