#include "lint/proofs/worth_proving.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <algorithm>
#include <map>
#include <set>

#include "lint/analysis/expressions.h"
#include "lint/analysis/representatives.h"
#include "lint/analysis/flow/thread_flow.h"

namespace msci {
namespace {

// Whether an index may be the same for several threads: it is a constant, or loses something.
class MayMerge : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    has_name = has_name || !llvm::isa<clang::EnumConstantDecl>(name->getDecl());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    using enum clang::BinaryOperatorKind;
    const auto kind = operation->getOpcode();
    loses = loses || kind == BO_Div || kind == BO_Rem || kind == BO_And || kind == BO_Shr;
    return true;
  }
  bool has_name = false;
  bool loses = false;
};

bool may_merge(const clang::Expr& index) {
  MayMerge visitor;
  visitor.TraverseStmt(const_cast<clang::Expr*>(&index));
  return !visitor.has_name || visitor.loses;
}

bool is_writable_buffer(const clang::ValueDecl& declaration) {
  const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(&declaration);
  if (!parameter) return false;
  const auto type = parameter->getType();
  if (!type->isPointerType() && !type->isReferenceType()) return false;
  const auto element = type->getPointeeType();
  return space_of(element) == Space::device && !element.isConstQualified();
}

// The indices at which a kernel accesses the buffers that it may write.
class BufferAccesses : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
    const auto* base = llvm::dyn_cast<clang::DeclRefExpr>(access->getBase()->IgnoreParenImpCasts());
    if (!base || !is_writable_buffer(*base->getDecl())) return true;
    subscripted_.insert(base);
    indices_[base->getDecl()].push_back(access->getIdx());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (is_writable_buffer(*name->getDecl())) names_.push_back(name);
    return true;
  }

  bool may_meet(const clang::ASTContext& ast) const {
    for (const auto* name : names_)
      if (!subscripted_.contains(name)) return true;
    for (const auto& [buffer, all] : indices_) {
      if (may_merge(*all.front())) return true;
      for (const auto* index : all)
        if (!is_same(*index, *all.front(), ast)) return true;
    }
    return false;
  }

 private:
  std::vector<const clang::DeclRefExpr*> names_;
  std::set<const clang::DeclRefExpr*> subscripted_;
  std::map<const clang::ValueDecl*, std::vector<const clang::Expr*>> indices_;
};

// How many statements a function has with those that it calls, which become part of it.
class Size : public clang::DynamicRecursiveASTVisitor {
 public:
  static constexpr unsigned most = 2500;

  explicit Size(unsigned depth = 0) : depth_(depth) {}
  bool VisitStmt(clang::Stmt*) override { return ++count < most; }
  bool VisitCallExpr(clang::CallExpr* call) override {
    constexpr unsigned deepest = 8;
    const auto* callee = call->getDirectCallee();
    const clang::FunctionDecl* definition = nullptr;
    if (!callee || depth_ == deepest || !callee->hasBody(definition)) return true;
    Size inner(depth_ + 1);
    inner.TraverseStmt(definition->getBody());
    count += inner.count;
    return count < most;
  }

  unsigned count = 0;

 private:
  unsigned depth_ = 0;
};

unsigned size_of(const Kernel& kernel) {
  Size size;
  size.TraverseStmt(kernel.declaration->getBody());
  return size.count;
}

}  // namespace

std::vector<Kernel> kernels_worth_proving(const Unit& unit) {
  std::set<const clang::FunctionDecl*> cooperative;
  for (const auto& flow : cooperative_flows(unit)) cooperative.insert(&flow.function());
  constexpr std::size_t most_kernels = 8;
  std::vector<Kernel> kernels;
  std::set<const clang::FunctionTemplateDecl*> templates;
  for (const auto& kernel : representative_kernels(unit)) {
    const auto* made_from = kernel.declaration->getPrimaryTemplate();
    if (made_from && !templates.insert(made_from).second) continue;
    BufferAccesses accesses;
    accesses.TraverseStmt(kernel.declaration->getBody());
    if (!cooperative.contains(kernel.declaration) && !accesses.may_meet(unit.ast())) continue;
    if (size_of(kernel) < Size::most) kernels.push_back(kernel);
    if (kernels.size() == most_kernels) break;
  }
  return kernels;
}

}  // namespace msci
