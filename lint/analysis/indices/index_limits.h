// What the conditions around a place say of integers there: of threads, and of the counters of
// loops.
#pragma once

#include <optional>
#include <vector>

#include "lint/analysis/indices/index_form.h"

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

// The form of one atom, and the only atom of a form that is one and nothing else.
IndexForm form_of(const Atom& atom);
std::optional<Atom> single_atom(const IndexForm& form);

// Whether it is a number that the host gives: a parameter, or a member of one.
bool is_from_host(const Atom& atom);

}  // namespace msci
