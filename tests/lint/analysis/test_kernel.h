// A kernel for tests of the analyses: parsed, with its flow. Tests name expressions and statements
// by the local variables that they initialise: `uint v = t + 1;`.
#pragma once

#include <string>
#include <string_view>

#include "compiler/frontend/unit.h"
#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/indices/index_form.h"

namespace msci {

class TestKernel {
 public:
  // The source, which must compile; the last kernel in it is the tested one.
  explicit TestKernel(std::string source);

  const Unit& unit() const { return unit_; }
  const Kernel& kernel() const { return unit_.kernels().back(); }
  const ThreadFlow& flow() const { return *flow_; }

  // The local variable, its initialiser, and its declaration as a statement.
  const clang::VarDecl* variable(std::string_view name) const;
  const clang::Expr* value_of(std::string_view name) const;
  const clang::Stmt* statement_of(std::string_view name) const;
  const clang::ParmVarDecl* parameter(std::string_view name) const;

  // "2*n*p.y + t + 3"; an expression that the form does not look into stands in parentheses.
  std::string text(const IndexForm& form) const;
  std::string text(const clang::Expr* expression) const;

 private:
  Unit unit_;
  std::optional<ThreadFlow> flow_;
};

// A kernel with one parameter for each kind of thread position, and this body:
// device float* a, device float4* wide, constant uint& n, uint3 p (in the grid), uint2 q (in the
// threadgroup), uint t (its index there), uint lane, uint sg (the simdgroup), uint2 size (of the
// threadgroup), uint width (of a simdgroup), uint2 group (the threadgroup's position).
TestKernel kernel_with(std::string_view body);

}  // namespace msci
