// What the conditions around a place say of integers there: of threads, and of the counters of
// loops.
#pragma once

#include <vector>

#include "lint/analysis/index_form.h"

namespace msci {

// What is never negative: `n - 1 - i` where `i < n` holds.
struct IndexLimit {
  IndexForm never_negative;
  const clang::Expr* condition = nullptr;  // that says so
};

struct IndexLimits {
  std::vector<IndexLimit> all;
  std::vector<const clang::Expr*> others;  // conditions that say something else

  // What a value is at most, and at least, as the conditions say: `n - 1`.
  std::vector<IndexForm> upper(const IndexForm& value) const;
  std::vector<IndexForm> lower(const IndexForm& value) const;
  // Whether one of the other conditions names a variable of the value.
  bool may_limit(const IndexForm& value, const ThreadFlow& flow) const;
};

// By the conditions around a place, and by the early exits on the way there.
IndexLimits limits_at(const clang::Stmt& place, const ThreadFlow& flow);

}  // namespace msci
