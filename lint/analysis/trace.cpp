#include "lint/analysis/trace.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <algorithm>

#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/representatives.h"
#include "lint/analysis/trace/walk.h"

namespace msci {

void add(Variables& to, const Variables& more) { to.insert(more.begin(), more.end()); }

Origin join(Origin a, const Origin& b) {
  add(a.sources, b.sources);
  add(a.unbounded, b.unbounded);
  a.value.reset();
  a.copied = nullptr;
  if (!a.object) a.object = b.object;
  return a;
}

const clang::VarDecl* variable_of(const clang::Expr* expression) {
  if (!expression) return nullptr;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
}

bool is_opaque(clang::QualType type, int depth) {
  type = type.getCanonicalType();
  if (depth > 8) return true;
  if (const auto* array = type->getAsArrayTypeUnsafe())
    return is_opaque(array->getElementType(), depth + 1);
  if (depth > 0 && type->isAnyPointerType()) return true;
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return false;
  return record->fields().empty() ||
         std::any_of(record->field_begin(), record->field_end(),
                     [&](const auto* field) { return is_opaque(field->getType(), depth + 1); });
}

Tracer::Tracer(const Unit& unit, const clang::FunctionDecl& function) : unit_(unit) {
  Walk walk(unit, {});
  walk.enter(function);
  walk.statement(function.getBody());
  whole_ = std::move(walk.trace);
  environment_ = std::move(walk).take_environment();
}

Trace Tracer::part(const std::vector<const clang::Stmt*>& statements,
                   const KnownValues& known) const {
  Walk walk(unit_, environment_);
  for (const auto* function : whole_.functions) walk.enter(*function);
  for (const auto& [variable, value] : known) walk.hold(variable, value);
  for (const auto* statement : statements)
    if (walk.statement(statement)) break;
  return std::move(walk.trace);
}

Origin Tracer::origin(const clang::Expr& expression) const {
  Walk walk(unit_, environment_);
  return walk.evaluate(&expression);
}

const Tracer& traced(const clang::FunctionDecl& function, const Unit& unit) {
  return unit.cache().get<Tracer>(&function, [&] { return Tracer(unit, function); });
}

const std::vector<const clang::FunctionDecl*>& entered_functions(const Unit& unit) {
  using Functions = std::vector<const clang::FunctionDecl*>;
  return unit.cache().get<Functions>(&unit, [&] {
    Functions all;
    for (const auto& kernel : representative_kernels(unit)) all.push_back(kernel.declaration);
    for (const auto& kernel : representative_kernels(unit))
      for (const auto* function : traced(*kernel.declaration, unit).whole().functions)
        if (std::find(all.begin(), all.end(), function) == all.end()) all.push_back(function);
    return all;
  });
}

bool is_device_pointer(const clang::VarDecl& parameter) {
  const auto type = parameter.getType();
  return (type->isPointerType() || type->isReferenceType()) &&
         space_of(type->getPointeeType()) == Space::device;
}

bool is_written_const(const clang::VarDecl& parameter) {
  return parameter.getType()->getPointeeType().isConstQualified();
}

bool has_opaque_arguments(const clang::FunctionDecl& kernel) {
  return std::any_of(kernel.param_begin(), kernel.param_end(), [](const auto* parameter) {
    const auto type = parameter->getType();
    const bool points = type->isPointerType() || type->isReferenceType();
    return is_opaque(points ? type->getPointeeType() : type);
  });
}

bool is_placeholder(const clang::FunctionDecl& kernel) {
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(kernel.getBody());
  return body && body->body_empty();
}

bool is_listed_by_macro(const clang::ParmVarDecl& argument) {
  const auto* kernel = llvm::dyn_cast<clang::FunctionDecl>(argument.getDeclContext());
  const auto* body = kernel ? kernel->getBody() : nullptr;
  return body && argument.getLocation().isMacroID() && !body->getBeginLoc().isMacroID();
}

bool is_shared_number(const clang::VarDecl& parameter) {
  const auto type = parameter.getType();
  return type->isReferenceType() && type->getPointeeType()->isArithmeticType() &&
         space_of(type->getPointeeType()) == Space::constant;
}

}  // namespace msci
