// What the conditions around a place say of the threads that get there.
#pragma once

#include <optional>
#include <vector>

#include "lint/analysis/indices/index_form.h"

namespace msci {

// A comparison of one thread-dependent side with one that is the same for all.
struct ThreadBound {
  clang::BinaryOperatorKind operation;
  IndexForm varying;
  IndexForm uniform;
};

struct Threads {
  std::vector<ThreadBound> bounds;  // all hold
  bool others = false;              // a condition that is not a bound
};

// Adds what a condition says where it was found true, or false. What is the same for all threads
// says nothing of them.
void read_condition(const clang::Expr* condition, bool taken, const ThreadFlow& flow,
                    Threads& threads);

// The threads that can reach a place, as far as the conditions around it say.
Threads threads_at(const clang::Stmt* statement, const ThreadFlow& flow);
// As threads_at(), but also without the threads that leave the kernel on the way there.
Threads threads_left_at(const clang::Stmt* statement, const ThreadFlow& flow);

// The `if` whose condition this is, or is a part of; null where there is none.
const clang::IfStmt* branch_of(const clang::Expr* condition, const ThreadFlow& flow);

// Whether a bound leaves one position: `t == c`, `t < 1`.
bool is_pinned(const ThreadBound& bound);
// Whether that position is the first one.
bool is_first(const ThreadBound& bound);

// The least constant c with value < c.
std::optional<std::int64_t> limit_of(const IndexForm& value, const Threads& threads);

}  // namespace msci
