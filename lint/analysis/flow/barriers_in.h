// Functions in which threads wait for each other.
#pragma once

#include "compiler/frontend/unit.h"

namespace msci {

// Who waits for each other.
enum class Among { threadgroup, threadgroup_or_simdgroup };

// Whether a function has a place to wait, or calls one of the user's that has.
bool has_barrier(const clang::FunctionDecl& function, Among among, const Unit& unit);

}  // namespace msci
