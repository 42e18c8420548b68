// One thread's way through code of the user's, calls of the user's functions followed: what it
// touches, what decides its loops and branches, and how much it does. No path is left out, so
// several rules ask "could it ever".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "compiler/frontend/unit.h"

namespace clang {
class Expr;
class Stmt;
class VarDecl;
}  // namespace clang

namespace msci {

// Variables by identity; of a kernel's or a function's arguments, those it was called with.
using Variables = std::set<const clang::VarDecl*>;

// Where a value comes from.
struct Origin {
  Variables sources;    // arguments and arrays that it was computed from
  Variables unbounded;  // those of them that nothing on the way (min, clamp, %, &) kept small
  std::optional<double> value;
  bool exact = false;                      // false: `value` stands for a whole range
  const clang::VarDecl* object = nullptr;  // of a pointer or a place: the memory that it is in
  const clang::Expr* copied = nullptr;     // of a value: the place that it was loaded from as is
  const clang::VarDecl* copied_from = nullptr;  // and the memory
};

// One load from, or store to, memory that an argument or an array names.
struct TracedAccess {
  const clang::VarDecl* object = nullptr;
  bool stores = false;
  bool loads = false;  // both: += and atomic functions
  const clang::Expr* place = nullptr;
  const clang::Expr* value = nullptr;  // what is stored, where it is written out
  Origin index;
  Origin stored;
  int loops = 0;              // that it is in
  bool in_long_loop = false;  // one of them runs as often as an argument says
};

// A comparison, and the side of it that is a number; or a case of a switch.
struct TracedComparison {
  const clang::Expr* place = nullptr;
  Origin other;
  double number = 0;
};

struct Trace {
  double operations = 0;               // at the values that are known, else one round of each loop
  Variables control;                   // arguments that decide how loops and branches go
  Variables rounds;                    // those of them that decide how often loops run
  Variables read;                      // arguments and arrays that are mentioned
  std::vector<TracedAccess> accesses;  // in order
  std::vector<TracedComparison> comparisons;
  std::set<std::int64_t> numbers;  // constant bounds of loops, and templates' integral arguments
  std::vector<const clang::FunctionDecl*> functions;  // of the user's that were entered
  bool stores_elsewhere = false;  // perhaps: to device memory that no argument names
  bool complete = true;           // false: it was too long, and something is missing
};

using KnownValues = std::map<const clang::VarDecl*, double>;

// Walks a function's body. What it learns of local variables serves statements of that body, too.
class Tracer {
 public:
  Tracer(const Unit& unit, const clang::FunctionDecl& function);
  const Trace& whole() const { return whole_; }
  // A part of the function again, with some of its variables set.
  Trace part(const std::vector<const clang::Stmt*>& statements,
             const KnownValues& known = {}) const;
  Origin origin(const clang::Expr& expression) const;

 private:
  using Environment = std::map<const clang::VarDecl*, Origin>;
  class Walk;
  const Unit& unit_;
  Environment environment_;
  Trace whole_;
};

// The tracer of a function's, made at the first call.
const Tracer& traced(const clang::FunctionDecl& function, const Unit& unit);

// The functions that a unit's kernels are and enter, each once, kernels first; found at the first
// call.
const std::vector<const clang::FunctionDecl*>& entered_functions(const Unit& unit);

// The memory that the host and the kernel share: the space of what a parameter points to.
bool is_device_pointer(const clang::VarDecl& parameter);
bool is_written_const(const clang::VarDecl& parameter);  // its pointee is
// Whether a kernel may read and write through arguments other than plain buffers: textures,
// buffers that hold pointers.
bool has_opaque_arguments(const clang::FunctionDecl& kernel);
// Whether the kernel has no statements: a source keeps its name, or fills a table with it.
bool is_placeholder(const clang::FunctionDecl& kernel);
// Whether a macro lists the argument, but not the kernel's body: other kernels use it.
bool is_listed_by_macro(const clang::ParmVarDecl& argument);
// A number that all threads share: `constant uint& N`.
bool is_shared_number(const clang::VarDecl& parameter);

}  // namespace msci
