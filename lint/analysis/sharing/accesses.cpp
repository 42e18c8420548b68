// The accesses of a kernel to memory that its threads share.
#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "lint/analysis/sharing.h"

namespace msci {
namespace {

Space memory_space(const clang::VarDecl& variable) {
  const auto type = variable.getType();
  if (type->isPointerType() || type->isReferenceType()) return space_of(type->getPointeeType());
  return space_of(type);
}

// An array or a kernel's argument; what a local pointer points to is not known.
bool is_memory(const clang::VarDecl& variable, Space space) {
  if (memory_space(variable) != space) return false;
  const auto type = variable.getType();
  return llvm::isa<clang::ParmVarDecl>(variable) ||
         !(type->isPointerType() || type->isReferenceType());
}

const clang::Expr* unwrapped(const clang::Expr* value) {
  while (true) {
    value = value->IgnoreParens();
    const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value);
    if (!cast || cast->getCastKind() == clang::CK_LValueToRValue) {
      // A kernel's pointer argument is itself read where an element is named.
      const auto* name =
          cast ? llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens()) : nullptr;
      return name && name->getType()->isPointerType() ? name : value;
    }
    value = cast->getSubExpr();
  }
}

// The memory and the indices of `a[i][j].x`; no memory where it is something else.
SharedAccess element(const clang::Expr* place, const ThreadFlow& flow, Space space) {
  SharedAccess access{.place = place};
  const auto* at = unwrapped(place);
  while (true) {
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(at)) {
      access.indices.insert(access.indices.begin(), index_form(subscript->getIdx(), flow));
      at = unwrapped(subscript->getBase());
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(at);
               call && call->getOperator() == clang::OO_Subscript) {
      access.indices.insert(access.indices.begin(), index_form(call->getArg(1), flow));
      at = unwrapped(call->getArg(0));
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at)) {
      access.indices.clear();
      if (!llvm::isa<clang::ArraySubscriptExpr>(unwrapped(member->getBase()))) return access;
      at = unwrapped(member->getBase());
    } else if (const auto* component = llvm::dyn_cast<clang::ExtVectorElementExpr>(at)) {
      at = unwrapped(component->getBase());
    } else {
      break;
    }
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(at);
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (variable && is_memory(*variable, space)) access.memory = variable;
  return access;
}

class Collector {
 public:
  Collector(const ThreadFlow& flow, Space space) : flow_(flow), space_(space) {}

  SharedAccesses collect() {
    for (const auto* statement : flow_.statements()) look_at(*statement);
    // Any mention that is neither read nor written here is out of sight.
    for (const auto* statement : flow_.statements())
      if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement))
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
            variable && is_memory(*variable, space_) && !seen_.contains(name))
          accesses_.escaped.insert(variable);
    return std::move(accesses_);
  }

 private:
  void look_at(const clang::Stmt& statement) {
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement);
        binary && binary->isAssignmentOp()) {
      if (binary->isCompoundAssignmentOp()) add(binary->getLHS(), binary, false);
      add(binary->getLHS(), binary, true);
    } else if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(&statement);
               step && step->isIncrementDecrementOp()) {
      add(step->getSubExpr(), step, false);
      add(step->getSubExpr(), step, true);
    } else if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&statement);
               cast && cast->getCastKind() == clang::CK_LValueToRValue &&
               !cast->getType()->isPointerType()) {
      add(cast->getSubExpr(), cast, false);
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&statement);
               call && call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2) {
      add(call->getArg(0), call, true);
      add(call->getArg(1), call, false);
    } else if (const auto* copy = llvm::dyn_cast<clang::CXXConstructExpr>(&statement);
               copy && copy->getConstructor()->isCopyOrMoveConstructor()) {
      add(copy->getArg(0), copy, false);
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
      look_at_atomic(*call);
    }
  }

  // The object stays out of sight otherwise: what the functions return or compare is not followed.
  void look_at_atomic(const clang::CallExpr& call) {
    const auto name = metal_function(call, flow_.unit());
    if (space_ != Space::threadgroup || !name.starts_with("atomic_") || call.getNumArgs() == 0)
      return;
    const auto* address =
        llvm::dyn_cast<clang::UnaryOperator>(call.getArg(0)->IgnoreParenImpCasts());
    if (!address || address->getOpcode() != clang::UO_AddrOf) return;
    auto access = element(address->getSubExpr(), flow_, space_);
    if (!access.memory) return;
    access.when = &call;
    access.writes = !name.starts_with("atomic_load");
    access.atomic = access.writes && !name.starts_with("atomic_store");
    accesses_.all.push_back(std::move(access));
  }

  void add(const clang::Expr* place, const clang::Stmt* when, bool writes) {
    auto access = element(place, flow_, space_);
    if (!access.memory) return;
    mark(place);
    access.when = when;
    access.writes = writes;
    accesses_.all.push_back(std::move(access));
  }

  // The name at the root of a place has been accounted for.
  void mark(const clang::Stmt* place) {
    for (const clang::Stmt* at = place; at;) {
      if (llvm::isa<clang::DeclRefExpr>(at)) {
        seen_.insert(at);
        return;
      }
      if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(at))
        at = call->getArg(0);
      else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(at))
        at = subscript->getBase();
      else
        at = at->child_begin() == at->child_end() ? nullptr : *at->child_begin();
    }
  }

  const ThreadFlow& flow_;
  Space space_;
  SharedAccesses accesses_;
  std::set<const clang::Stmt*> seen_;
};

}  // namespace

SharedAccesses accesses_in(const ThreadFlow& flow, Space space) {
  return Collector(flow, space).collect();
}

}  // namespace msci
