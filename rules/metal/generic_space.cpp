#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/TypeLoc.h>
#include <fmt/format.h>

#include "compiler/frontend/clang_messages.h"
#include "lint/analysis/expressions.h"
#include "lint/analysis/written_space.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Where an object lies, as far as metal4.1 says so for certain.
enum class Lies { unknown, in_thread, in_other, anywhere };

Lies lies(WrittenSpace written) {
  switch (written) {
    case WrittenSpace::none:
      return Lies::anywhere;
    case WrittenSpace::thread:
      return Lies::in_thread;
    case WrittenSpace::other:
      return Lies::in_other;
    case WrittenSpace::unknown:
      return Lies::unknown;
  }
  return Lies::unknown;
}

class Spaces {
 public:
  explicit Spaces(const Unit& unit) : unit_(unit) {}

  // What a declared pointer or reference refers to.
  Lies target_of(const clang::TypeSourceInfo* written) const {
    return written ? lies(written_space(unit_, written->getTypeLoc())) : Lies::unknown;
  }
  Lies result_of(const clang::FunctionDecl& function) const {
    const auto* written = function.getTypeSourceInfo();
    if (!written) return Lies::unknown;
    const auto type = written->getTypeLoc().IgnoreParens().getAs<clang::FunctionTypeLoc>();
    return type ? lies(written_space(unit_, type.getReturnLoc())) : Lies::unknown;
  }
  // The object of the member function that an expression or statement stands in.
  Lies object_of(const clang::CXXMethodDecl& member) const {
    if (member.isStatic() || member.getParent()->isLambda() ||
        member.isExplicitObjectMemberFunction())
      return Lies::unknown;
    return lies(object_space(unit_, member));
  }

  // Where an lvalue lies. `within` is the function that it is used in.
  Lies of(const clang::Expr& expression, const clang::FunctionDecl* within) const {
    const auto* e = expression.IgnoreParenImpCasts();
    if (e->getType().hasAddressSpace()) return Lies::in_other;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e)) return of_variable(*name, within);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
      if (!field) return Lies::unknown;
      if (field->getType()->isReferenceType()) return target_of(field->getTypeSourceInfo());
      return member->isArrow() ? behind(*member->getBase(), within)
                               : of(*member->getBase(), within);
    }
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      if (element->getBase()->getType()->isVectorType()) return Lies::unknown;
      return behind(*element->getBase(), within);
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e)) {
      if (unary->getOpcode() == clang::UO_Deref) return behind(*unary->getSubExpr(), within);
      if (unary->isIncrementDecrementOp()) return of(*unary->getSubExpr(), within);
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e))
      if (const auto* callee = call->getDirectCallee();
          callee && callee->getReturnType()->isReferenceType())
        return result_of(*callee);
    return Lies::unknown;
  }

  // Where that lies which a pointer points to.
  Lies behind(const clang::Expr& expression, const clang::FunctionDecl* within) const {
    const auto* e = expression.IgnoreParenNoopCasts(unit_.ast());
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e)) {
      if (cast->getCastKind() == clang::CK_ArrayToPointerDecay)
        return of(*cast->getSubExpr(), within);
      return behind(*cast->getSubExpr(), within);
    }
    if (const auto type = e->getType();
        type->isPointerType() && type->getPointeeType().hasAddressSpace())
      return Lies::in_other;
    if (llvm::isa<clang::CXXThisExpr>(e)) {
      const auto* member = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(within);
      return member ? object_of(*member) : Lies::unknown;
    }
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      return variable && variable->getType()->isPointerType()
                 ? target_of(variable->getTypeSourceInfo())
                 : Lies::unknown;
    }
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
      return field && field->getType()->isPointerType() ? target_of(field->getTypeSourceInfo())
                                                        : Lies::unknown;
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e)) {
      if (unary->getOpcode() == clang::UO_AddrOf) return of(*unary->getSubExpr(), within);
      if (unary->isIncrementDecrementOp()) return behind(*unary->getSubExpr(), within);
    }
    if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(e);
        sum && sum->isAdditiveOp() && sum->getType()->isPointerType())
      return behind(sum->getLHS()->getType()->isPointerType() ? *sum->getLHS() : *sum->getRHS(),
                    within);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e))
      if (const auto* callee = call->getDirectCallee();
          callee && callee->getReturnType()->isPointerType())
        return result_of(*callee);
    return Lies::unknown;
  }

 private:
  Lies of_variable(const clang::DeclRefExpr& name, const clang::FunctionDecl* within) const {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name.getDecl());
    if (!variable || name.refersToEnclosingVariableOrCapture()) return Lies::unknown;
    if (!variable->getType()->isReferenceType())
      return variable->hasLocalStorage() ? Lies::in_thread : Lies::unknown;
    const bool is_deduced = variable->getType()->getPointeeType()->getContainedAutoType() ||
                            variable->getType()->getContainedAutoType();
    if (is_deduced && variable->getInit()) return of(*variable->getInit(), within);
    return target_of(variable->getTypeSourceInfo());
  }

  const Unit& unit_;
};

// Finds what is written as `thread` and is given an object that may lie anywhere.
class PointerFinder : public clang::DynamicRecursiveASTVisitor {
 public:
  PointerFinder(const Unit& unit, Reporter& report) : unit_(unit), report_(report), spaces_(unit) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool TraverseDecl(clang::Decl* declaration) override {
    const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    if (!function) return clang::DynamicRecursiveASTVisitor::TraverseDecl(declaration);
    const auto* outer = std::exchange(within_, function);
    const bool goes_on = clang::DynamicRecursiveASTVisitor::TraverseDecl(declaration);
    within_ = outer;
    return goes_on;
  }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    const auto* outer = std::exchange(within_, lambda->getCallOperator());
    const bool goes_on = clang::DynamicRecursiveASTVisitor::TraverseLambdaExpr(lambda);
    within_ = outer;
    return goes_on;
  }

  bool VisitReturnStmt(clang::ReturnStmt* statement) override {
    if (within_ && statement->getRetValue() && spaces_.result_of(*within_) == Lies::in_thread)
      bind(within_->getReturnType(), *statement->getRetValue(), "return object");
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (!llvm::isa<clang::ParmVarDecl>(variable) && variable->getInit() &&
        spaces_.target_of(variable->getTypeSourceInfo()) == Lies::in_thread)
      bind(variable->getType(), *variable->getInit(), "a variable");
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto* callee = call->getDirectCallee();
    if (!callee || !unit_.is_users(callee->getLocation())) return true;
    const unsigned skipped = is_operator_of_object(*call, *callee) ? 1 : 0;
    for (unsigned i = 0; i < callee->getNumParams() && i + skipped < call->getNumArgs(); ++i)
      check_argument(*call, *callee, i, *call->getArg(i + skipped));
    if (skipped) check_object(*call, *callee, spaces_.of(*call->getArg(0), within_));
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) override {
    const auto* callee = call->getMethodDecl();
    const auto* member =
        llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
    if (!callee || !member) return true;
    check_object(*call, *callee,
                 member->isArrow() ? spaces_.behind(*member->getBase(), within_)
                                   : spaces_.of(*member->getBase(), within_));
    return true;
  }

 private:
  static bool is_operator_of_object(const clang::CallExpr& call,
                                    const clang::FunctionDecl& callee) {
    return llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee) &&
           llvm::cast<clang::CXXMethodDecl>(callee).isInstance();
  }

  std::string name_of(clang::QualType type, std::string_view space) const {
    return fmt::format("{} {}", space,
                       to_metal_terms(type.getAsString(unit_.ast().getPrintingPolicy()), ""));
  }

  bool may_lie_anywhere(clang::QualType type, const clang::Expr& value) const {
    if (type->isReferenceType())
      return value.isGLValue() && spaces_.of(value, within_) == Lies::anywhere;
    return type->isPointerType() && spaces_.behind(value, within_) == Lies::anywhere;
  }

  void bind(clang::QualType type, const clang::Expr& value, std::string_view what) {
    if (!may_lie_anywhere(type, value)) return;
    const auto to = name_of(type->getPointeeType(), "thread");
    const auto from = name_of(type->getPointeeType(), "__metal_generic");
    if (type->isReferenceType())
      report_(
          value.getBeginLoc(),
          fmt::format("reference to type '{}' could not bind to an lvalue of type '{}'", to, from))
          .note(value.getSourceRange(), remedy());
    else
      report_(value.getBeginLoc(),
              fmt::format("cannot initialize {} of type '{} *' with an rvalue of type '{} *'", what,
                          to, from))
          .note(value.getSourceRange(), remedy());
  }
  std::string remedy() const {
    const auto* member = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(within_);
    return member && spaces_.object_of(*member) == Lies::anywhere
               ? "write `thread` behind the parameters of this member function"
               : "write `thread` where the pointer or reference is declared";
  }

  // One overload that takes objects in any space, or a copy, is enough.
  static bool has_other_overload(const clang::FunctionDecl& callee) {
    unsigned functions = 0;
    for (const auto* each : callee.getDeclContext()->lookup(callee.getDeclName()))
      functions += llvm::isa<clang::FunctionDecl, clang::FunctionTemplateDecl>(each);
    return functions > 1 || callee.isTemplateInstantiation();
  }

  void check_argument(const clang::CallExpr& call, const clang::FunctionDecl& callee, unsigned i,
                      const clang::Expr& value) {
    const auto& parameter = *callee.getParamDecl(i);
    if (has_other_overload(callee) ||
        spaces_.target_of(parameter.getTypeSourceInfo()) != Lies::in_thread ||
        !may_lie_anywhere(parameter.getType(), value))
      return;
    const bool is_reference = parameter.getType()->isReferenceType();
    report_(call.getBeginLoc(),
            fmt::format("no matching function for call to '{}'", callee.getNameAsString()))
        .note(parameter.getSourceRange(),
              is_reference
                  ? "cannot bind reference in address space 'thread' to object in generic address "
                    "space"
                  : "cannot pass pointer to generic address space as a pointer to address space "
                    "'thread'");
  }

  void check_object(const clang::CallExpr& call, const clang::FunctionDecl& callee, Lies object) {
    const auto* member = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
    if (!member || object != Lies::anywhere || !unit_.is_users(member->getLocation()) ||
        has_other_overload(callee) || spaces_.object_of(*member) != Lies::in_thread)
      return;
    const auto type = unit_.ast().getCanonicalTagType(member->getParent());
    report_(call.getBeginLoc(),
            fmt::format("cannot initialize object parameter of type '{}' with an expression of "
                        "type '{}'",
                        name_of(type, "thread"), name_of(type, "__metal_generic")))
        .note(call.getSourceRange(), remedy());
  }

  const Unit& unit_;
  Reporter& report_;
  Spaces spaces_;
  const clang::FunctionDecl* within_ = nullptr;
};

}  // namespace

extern constinit const Rule generic_space{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          if (!has_generic_space(unit.version())) return;
          PointerFinder(unit, report).TraverseAST(unit.ast());
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
