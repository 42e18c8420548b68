// The accesses of a kernel to memory that its threads share.
#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "lint/analysis/sharing.h"
#include "lint/analysis/sharing/called.h"

namespace msci {
namespace {

Space memory_space(const clang::VarDecl& variable) {
  const auto type = variable.getType();
  if (type->isPointerType() || type->isReferenceType()) return space_of(type->getPointeeType());
  return space_of(type);
}

// An array or a kernel's argument.
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
      // A pointer is itself read where an element is named.
      const auto* name =
          cast ? llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens()) : nullptr;
      return name && name->getType()->isPointerType() ? name : value;
    }
    value = cast->getSubExpr();
  }
}

// Finds the memory and the indices of places and of pointers.
class Locator {
 public:
  Locator(const ThreadFlow& flow, Space space) : flow_(flow), space_(space) {}

  // Of `a[i][j].x`; no memory where it is something else.
  SharedAccess element(const clang::Expr* place) const {
    SharedAccess access{.place = place};
    if (const auto* at = root(place, access)) find_memory(*at, access);
    return access;
  }

  // Of the element that a pointer leads to: `a + i`, `&a[i]`.
  SharedAccess target(const clang::Expr* pointer) const {
    SharedAccess access{.place = pointer, .indices = {constant_form(0)}};
    follow(pointer, access, 0);
    if (!access.memory) access.indices.clear();
    return access;
  }

 private:
  static constexpr int most_steps = 6;

  // Collects indices down to what is indexed; null where that is a member.
  const clang::Expr* root(const clang::Expr* place, SharedAccess& access) const {
    const auto* at = unwrapped(place);
    while (true) {
      if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(at)) {
        access.indices.insert(access.indices.begin(), index_form(subscript->getIdx(), flow_));
        at = unwrapped(subscript->getBase());
      } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(at);
                 call && call->getOperator() == clang::OO_Subscript) {
        access.indices.insert(access.indices.begin(), index_form(call->getArg(1), flow_));
        at = unwrapped(call->getArg(0));
      } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at)) {
        const auto* base = unwrapped(member->getBase());
        // What is indexed inside a record of an array is not told apart.
        if (llvm::isa<clang::ArraySubscriptExpr>(base))
          access.indices.clear();
        else if (!llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(base) || member->isArrow())
          return nullptr;
        access.field = member->getMemberDecl();
        at = base;
      } else if (const auto* component = llvm::dyn_cast<clang::ExtVectorElementExpr>(at)) {
        at = unwrapped(component->getBase());
      } else {
        return at;
      }
    }
  }

  void find_memory(const clang::Expr& at, SharedAccess& access, int steps = 0) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&at);
    const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    if (!variable) return;
    if (is_memory(*variable, space_)) {
      access.memory = variable;
    } else if (space_ == Space::threadgroup && !access.indices.empty() &&
               variable->getType()->isPointerType() && memory_space(*variable) == space_) {
      auto behind = access;
      if (const auto* value = flow_.only_value(variable)) follow(value, behind, steps + 1);
      if (behind.memory)
        access = std::move(behind);
      else if (is_one_place(*variable))
        access.memory = variable;
    }
  }

  // Adds how far a pointer lies behind the beginning of its memory. What is written with another
  // type than the memory has is not followed: its elements have other numbers.
  void follow(const clang::Expr* pointer, SharedAccess& access, int steps) const {
    if (steps > most_steps) return;
    const auto* value = unwrapped(pointer);
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(value);
        cast && has_same_elements(cast->getType(), cast->getSubExpr()->getType()))
      return follow(cast->getSubExpr(), access, steps + 1);
    if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(value);
        sum && sum->isAdditiveOp() && sum->getLHS()->getType()->isPointerType() &&
        !sum->getRHS()->getType()->isPointerType()) {
      const auto offset = index_form(sum->getRHS(), flow_);
      auto& index = access.indices.front();
      index = sum->getOpcode() == clang::BO_Add ? index + offset : index - offset;
      return follow(sum->getLHS(), access, steps + 1);
    }
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(value);
        address && address->getOpcode() == clang::UO_AddrOf)
      if (const auto* subscript =
              llvm::dyn_cast<clang::ArraySubscriptExpr>(unwrapped(address->getSubExpr()))) {
        access.indices.front() = access.indices.front() + index_form(subscript->getIdx(), flow_);
        return follow(subscript->getBase(), access, steps + 1);
      }
    if (const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(value)) {
      if (!row->getType()->isArrayType()) return;
      SharedAccess outer;
      const auto* at = root(row, outer);
      access.indices.insert(access.indices.begin(), outer.indices.begin(), outer.indices.end());
      if (at) find_memory(*at, access, steps + 1);
      return;
    }
    find_memory(*value, access, steps + 1);
  }

  bool has_same_elements(clang::QualType to, clang::QualType from) const {
    const auto& ast = flow_.unit().ast();
    const auto element = [](clang::QualType type) {
      return type->isPointerType() ? type->getPointeeType()
                                   : clang::QualType(type->getPointeeOrArrayElementType(), 0);
    };
    return to->isPointerType() && (from->isPointerType() || from->isArrayType()) &&
           ast.hasSameType(element(to).getUnqualifiedType(), element(from).getUnqualifiedType());
  }

  // A pointer that is not set anew by the rounds of a loop.
  bool is_one_place(const clang::VarDecl& pointer) const {
    const auto* value = flow_.only_value(&pointer);
    for (const clang::Stmt* at = value; at; at = flow_.parent(at))
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(at)) return false;
    return value && flow_.divergence(value) == Divergence::none;
  }

  const ThreadFlow& flow_;
  Space space_;
};

class AccessCollector {
 public:
  AccessCollector(const ThreadFlow& flow, Space space, bool looks_into_calls)
      : flow_(flow), space_(space), looks_into_calls_(looks_into_calls), locator_(flow, space) {}

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
      if (names_pointer(*binary->getLHS())) return look_at_move(*binary);
      if (binary->isCompoundAssignmentOp()) add(binary->getLHS(), binary, false);
      add(binary->getLHS(), binary, true);
    } else if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(&statement);
               step && step->isIncrementDecrementOp()) {
      if (names_pointer(*step->getSubExpr())) return;
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
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement);
               call && space_ == Space::threadgroup) {
      look_at_atomic(*call);
      look_at_matrix(*call);
      if (looks_into_calls_) look_into(*call);
    }
  }

  // A pointer itself, rather than an element that it leads to.
  static bool names_pointer(const clang::Expr& place) {
    return place.getType()->isPointerType() && llvm::isa<clang::DeclRefExpr>(place.IgnoreParens());
  }

  // `x += row * n` before all accesses, once and for all threads alike: indices count from another
  // element. Where a pointer changes otherwise, its memory is out of sight.
  void look_at_move(const clang::BinaryOperator& move) {
    if (!move.isCompoundAssignmentOp() || flow_.divergence(move.getRHS()) != Divergence::none)
      return;
    const auto* pointer = llvm::cast<clang::DeclRefExpr>(move.getLHS()->IgnoreParens())->getDecl();
    for (const auto& access : accesses_.all)
      if (access.memory == pointer) return;
    for (const clang::Stmt* at = &move; at; at = flow_.parent(at))
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(at)) return;
    mark(move.getLHS());
  }

  // The object stays out of sight otherwise: what the functions return or compare is not followed.
  void look_at_atomic(const clang::CallExpr& call) {
    const auto name = metal_function(call, flow_.unit());
    if (!name.starts_with("atomic_") || call.getNumArgs() == 0) return;
    const auto* address =
        llvm::dyn_cast<clang::UnaryOperator>(call.getArg(0)->IgnoreParenImpCasts());
    if (!address || address->getOpcode() != clang::UO_AddrOf) return;
    auto access = locator_.element(address->getSubExpr());
    if (!access.memory) return;
    access.when = &call;
    access.writes = !name.starts_with("atomic_load");
    access.atomic = access.writes && !name.starts_with("atomic_store");
    accesses_.all.push_back(std::move(access));
  }

  // A simdgroup accesses 8 rows of 8 elements, of which the first one is looked at.
  void look_at_matrix(const clang::CallExpr& call) {
    const auto name = metal_function(call, flow_.unit());
    const bool loads = name == "simdgroup_load", stores = name == "simdgroup_store";
    if ((!loads && !stores) || call.getNumArgs() < 2) return;
    auto access = locator_.target(call.getArg(1));
    if (!access.memory) return;
    access.when = &call;
    access.writes = stores;
    accesses_.all.push_back(std::move(access));
  }

  // What a function without barriers does to the memory that it gets happens where it is called.
  void look_into(const clang::CallExpr& call) {
    for (const auto& [access, argument] : accesses_of_call(call, flow_)) {
      const auto from = locator_.target(argument);
      if (!from.memory || access.indices.size() != 1) continue;
      auto here = access;
      here.memory = from.memory;
      here.place = &call;
      here.when = &call;
      here.indices = from.indices;
      here.indices.back() = here.indices.back() + access.indices.front();
      accesses_.all.push_back(std::move(here));
    }
  }

  void add(const clang::Expr* place, const clang::Stmt* when, bool writes) {
    auto access = locator_.element(place);
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
  bool looks_into_calls_;
  Locator locator_;
  SharedAccesses accesses_;
  std::set<const clang::Stmt*> seen_;
};

}  // namespace

SharedAccesses accesses_in(const ThreadFlow& flow, Space space) {
  return AccessCollector(flow, space, /*looks_into_calls=*/true).collect();
}

SharedAccesses own_accesses_in(const ThreadFlow& flow, Space space) {
  return AccessCollector(flow, space, /*looks_into_calls=*/false).collect();
}

}  // namespace msci
