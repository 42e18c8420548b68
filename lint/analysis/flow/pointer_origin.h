// Where a pointer into memory begins.
#pragma once

#include "lint/analysis/index_form.h"

namespace msci {

struct PointerOrigin {
  // The parameter or array that it leads into; null where that is unknown.
  const clang::VarDecl* memory = nullptr;
  IndexForm offset;  // in elements from its first one
};

// Of `x - 1`, `x`, `&x[i]`, and of a variable that only ever is one of these.
PointerOrigin origin_of(const clang::Expr& pointer, const ThreadFlow& flow);

}  // namespace msci
