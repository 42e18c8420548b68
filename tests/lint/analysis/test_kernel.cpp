#include "tests/lint/analysis/test_kernel.h"

#include <clang/AST/ASTContext.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace msci {
namespace {

Unit parsed(std::string source) {
  auto unit = parse({"test.metal", std::move(source)});
  for (const auto& each : unit->diagnostics())
    EXPECT_NE(each.severity, Severity::error) << each.message << "\n" << unit->source().text;
  return *std::move(unit);
}

const clang::DeclStmt* declaration_of(std::string_view name, const ThreadFlow& flow) {
  for (const auto* statement : flow.statements())
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement))
      for (const auto* each : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
            variable && variable->getName() == llvm::StringRef(name))
          return declaration;
  ADD_FAILURE() << "the kernel declares no " << name;
  return nullptr;
}

}  // namespace

TestKernel::TestKernel(std::string source) : unit_(parsed(std::move(source))) {
  flow_ = ThreadFlow::of(*kernel().declaration, unit_);
  EXPECT_TRUE(flow_);
}

const clang::VarDecl* TestKernel::variable(std::string_view name) const {
  for (const auto* each : declaration_of(name, *flow_)->decls())
    if (const auto* variable = llvm::cast<clang::VarDecl>(each);
        variable->getName() == llvm::StringRef(name))
      return variable;
  return nullptr;
}

const clang::Expr* TestKernel::value_of(std::string_view name) const {
  return variable(name)->getInit();
}

const clang::Stmt* TestKernel::statement_of(std::string_view name) const {
  return declaration_of(name, *flow_);
}

const clang::ParmVarDecl* TestKernel::parameter(std::string_view name) const {
  for (const auto* each : kernel().declaration->parameters())
    if (each->getName() == llvm::StringRef(name)) return each;
  ADD_FAILURE() << "the kernel has no parameter " << name;
  return nullptr;
}

std::string TestKernel::text(const clang::Expr* expression) const {
  return expression ? std::string(unit_.text(unit_.locate(expression->getSourceRange()))) : "";
}

std::string TestKernel::text(const IndexForm& form) const {
  const auto name_of = [&](const Atom& atom) {
    if (!atom.variable) return "(" + text(atom.expression) + ")";
    return atom.variable->getNameAsString() + (atom.text.empty() ? "" : "." + atom.text);
  };
  std::vector<std::string> terms;
  for (const auto& [product, count] : form.terms) {
    if (product.empty()) continue;
    std::vector<std::string> factors;
    for (const auto& atom : product) factors.push_back(name_of(atom));
    std::sort(factors.begin(), factors.end());
    terms.push_back(
        fmt::format("{}{}", count == 1 ? "" : fmt::format("{}*", count), fmt::join(factors, "*")));
  }
  std::sort(terms.begin(), terms.end());
  if (form.constant() || terms.empty()) terms.push_back(std::to_string(form.constant()));
  return fmt::format("{}", fmt::join(terms, " + "));
}

TestKernel kernel_with(std::string_view body) {
  return TestKernel(fmt::format(R"(#include <metal_stdlib>
using namespace metal;
kernel void f(device float* a [[buffer(0)]], device float4* wide [[buffer(1)]],
              constant uint& n [[buffer(2)]], uint3 p [[thread_position_in_grid]],
              uint2 q [[thread_position_in_threadgroup]], uint t [[thread_index_in_threadgroup]],
              uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]],
              uint2 size [[threads_per_threadgroup]], uint width [[threads_per_simdgroup]],
              uint2 group [[threadgroup_position_in_grid]]) {{
  {}
}}
)",
                                body));
}

}  // namespace msci
