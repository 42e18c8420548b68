// What called functions do to the threadgroup memory that they get.
#pragma once

#include <clang/AST/Expr.h>

#include <vector>

#include "lint/analysis/sharing.h"

namespace msci {

// An access of a called function to the memory behind one of its pointers, in terms of the caller.
struct CalledAccess {
  SharedAccess access;                    // its memory is the function's parameter
  const clang::Expr* argument = nullptr;  // what the caller passes for that
};

// Those of a function of the user that has a body and no barrier, without the functions that it
// calls. Worked out once for each call.
const std::vector<CalledAccess>& accesses_of_call(const clang::CallExpr& call,
                                                  const ThreadFlow& flow);

// As accesses_in(), without those of called functions.
SharedAccesses own_accesses_in(const ThreadFlow& flow, Space space);

}  // namespace msci
