#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/functions/signatures.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;
using llvm::dyn_cast;

const internal::VariadicDynCastAllOfMatcher<clang::Stmt, clang::ExtVectorElementExpr> swizzle;

// What a vector of signed integers is in Metal. Clang's comparisons give such vectors where Metal's
// give vectors of bool, and our headers take one for the other without a word.
enum class Content { unknown, truths, numbers };

const clang::ExtVectorType* integers(clang::QualType type) {
  const auto* vector = type.getCanonicalType()->getAs<clang::ExtVectorType>();
  return vector && vector->getElementType()->isSignedIntegerType() ? vector : nullptr;
}

// Whether the type is named as it is. One that is deduced could be of bool in Metal.
bool is_named(clang::QualType type, const clang::ASTContext& ast) {
  while (true) {
    if (llvm::isa<clang::SubstTemplateTypeParmType, clang::DeducedType, clang::DecltypeType,
                  clang::TypeOfType, clang::TypeOfExprType, clang::TemplateSpecializationType>(
            type.getTypePtr()))
      return false;
    const auto* vector = dyn_cast<clang::VectorType>(type.getTypePtr());
    const auto next = vector ? vector->getElementType() : type.getSingleStepDesugaredType(ast);
    if (next == type) return true;
    type = next;
  }
}

Content content_of(clang::QualType declared, const clang::ASTContext& ast) {
  const auto type = declared.getNonReferenceType();
  return integers(type) && is_named(type, ast) ? Content::numbers : Content::unknown;
}

Content content_of(const clang::Expr& written, const clang::ASTContext& ast);

Content content_of(const clang::BinaryOperator& op, const clang::ASTContext& ast) {
  if (op.isComparisonOp() || op.isLogicalOp()) return Content::truths;
  if (op.isAssignmentOp()) return content_of(*op.getLHS(), ast);
  if (op.getOpcode() == clang::BO_Comma) return content_of(*op.getRHS(), ast);
  const auto left = content_of(*op.getLHS(), ast), right = content_of(*op.getRHS(), ast);
  if (left == right) return left;
  return left == Content::numbers || right == Content::numbers ? Content::numbers
                                                               : Content::unknown;
}

Content content_of(const clang::CallExpr& call, const clang::ASTContext& ast) {
  const auto* callee = call.getDirectCallee();
  if (!callee) return Content::unknown;
  const auto* pattern = callee->getTemplateInstantiationPattern();
  return content_of((pattern ? pattern : callee)->getReturnType(), ast);
}

Content content_of(const clang::Expr& written, const clang::ASTContext& ast) {
  const auto& value = *written.IgnoreParenImpCasts();
  if (!integers(value.getType())) return Content::unknown;
  if (const auto* op = dyn_cast<clang::BinaryOperator>(&value)) return content_of(*op, ast);
  if (const auto* call = dyn_cast<clang::CallExpr>(&value)) return content_of(*call, ast);
  if (const auto* name = dyn_cast<clang::DeclRefExpr>(&value))
    return content_of(name->getDecl()->getType(), ast);
  if (const auto* member = dyn_cast<clang::MemberExpr>(&value))
    return content_of(member->getMemberDecl()->getType(), ast);
  if (const auto* parts = dyn_cast<clang::ExtVectorElementExpr>(&value))
    return parts->isArrow() ? Content::unknown : content_of(*parts->getBase(), ast);
  if (const auto* element = dyn_cast<clang::ArraySubscriptExpr>(&value))
    return content_of(element->getType(), ast);
  const auto* op = dyn_cast<clang::UnaryOperator>(&value);
  if (!op) return Content::unknown;
  if (op->getOpcode() == clang::UO_LNot) return Content::truths;
  return op->getOpcode() == clang::UO_Deref ? content_of(op->getType(), ast)
                                            : content_of(*op->getSubExpr(), ast);
}

// 'bool4', for a vector of four integers that are truths in Metal.
std::string truths_name(clang::QualType type) {
  return fmt::format("bool{}", integers(type)->getNumElements());
}

// Numbers are no truths: `bool4 b = v`, `all(v)`.
void check_truths(const clang::Expr& converted, const Unit& unit, Reporter& report) {
  const auto* made = dyn_cast<clang::CXXConstructExpr>(converted.IgnoreImplicit());
  if (!made || made->getNumArgs() != 1 || llvm::isa<clang::CXXTemporaryObjectExpr>(made) ||
      !is_metal_class(made->getType(), "$mask", unit))
    return;
  const auto& value = *made->getArg(0);
  if (content_of(value, unit.ast()) != Content::numbers) return;
  const auto to = truths_name(value.getType());
  report(value.getSourceRange(),
         fmt::format("no implicit conversion from '{}' to '{}'; compare it, or write {}(…)",
                     type_name(value.getType(), unit), to, to));
}

// Truths are no numbers: `int4 n = a < b`.
void check_numbers(const clang::Expr& value, clang::QualType declared, const Unit& unit,
                   Reporter& report) {
  if (content_of(declared, unit.ast()) != Content::numbers ||
      content_of(value, unit.ast()) != Content::truths)
    return;
  const auto to = type_name(declared.getNonReferenceType(), unit);
  report(value.getSourceRange(),
         fmt::format("no implicit conversion from '{}' to '{}'; write {}(…)",
                     truths_name(value.getType()), to, to));
}

void check_variables(const clang::DeclStmt& statement, const Unit& unit, Reporter& report) {
  for (const auto* each : statement.decls())
    if (const auto* variable = dyn_cast<clang::VarDecl>(each);
        variable && variable->hasInit() && variable->getInitStyle() == clang::VarDecl::CInit)
      check_numbers(*variable->getInit(), variable->getType(), unit, report);
}

void check_operator(const clang::BinaryOperator& op, const Unit& unit, Reporter& report) {
  const auto &left = *op.getLHS(), &right = *op.getRHS();
  if (!integers(left.getType()) || !integers(right.getType()) || op.isLogicalOp() ||
      op.getOpcode() == clang::BO_Comma)
    return;
  const auto one = content_of(left, unit.ast()), other = content_of(right, unit.ast());
  if (one == other || one == Content::unknown || other == Content::unknown) return;
  const auto name = [&](const clang::Expr& side, Content content) {
    return content == Content::truths ? truths_name(side.getType())
                                      : type_name(side.IgnoreParenImpCasts()->getType(), unit);
  };
  report(op.getSourceRange(),
         fmt::format(fmt::runtime(op.isAssignmentOp()
                                      ? "assigning to '{}' from incompatible type '{}'"
                                      : "cannot convert between vector values of different types "
                                        "('{}' and '{}')"),
                     name(left, one), name(right, other)));
}

// `++` is for integers, and vectors of them. Clang takes vectors of other numbers, too.
void check_step(const clang::UnaryOperator& op, const Unit& unit, Reporter& report) {
  const auto type = op.getSubExpr()->getType();
  if (!op.isIncrementDecrementOp() || !type->isVectorType() || type->hasIntegerRepresentation())
    return;
  report(op.getOperatorLoc(),
         fmt::format("cannot {} value of type '{}'", op.isIncrementOp() ? "increment" : "decrement",
                     type_name(type, unit)));
}

// Metal's vectors have the components x to w and r to a, of which a swizzle names four at most.
// Clang knows halves and numbers as well: `.lo`, `.s0`.
void check_swizzle(const clang::ExtVectorElementExpr& parts, Reporter& report) {
  constexpr unsigned most = 4;
  const auto name = parts.getAccessor().getName();
  const bool is_known = name.find_first_not_of("xyzw") == llvm::StringRef::npos ||
                        name.find_first_not_of("rgba") == llvm::StringRef::npos;
  if (!is_known || parts.getNumElements() > most)
    report(parts.getAccessorLoc(), fmt::format("illegal vector component name '{}'", name.str()));
}

// `bool4(v.xy, true, true)`: only scalars among several values become bools.
void check_construction(const clang::CallExpr& call, std::string_view maker, const Unit& unit,
                        Reporter& report) {
  if (call.getNumArgs() < 2) return;
  for (const auto* value : call.arguments())
    if (content_of(*value, unit.ast()) == Content::numbers)
      report(value->getSourceRange(),
             fmt::format("no matching constructor for initialization of 'b{}'", maker.substr(1)));
}

void check_call(const clang::CallExpr& call, const Unit& unit, Reporter& report) {
  const auto* callee = call.getDirectCallee();
  if (!callee) return;
  if (const auto* op = dyn_cast<clang::CXXOperatorCallExpr>(&call)) {
    // An assignment refers to what is converted, with no cast in the tree.
    if (op->getOperator() == clang::OO_Equal) check_truths(*op->getArg(1), unit, report);
    return;
  }
  if (!unit.is_users(callee->getLocation())) {
    // What `bool4(…)` is written as.
    if (callee->getIdentifier() && callee->getName().starts_with("$ool"))
      check_construction(call, callee->getName(), unit, report);
    return;
  }
  for (unsigned i = 0; i < std::min(call.getNumArgs(), callee->getNumParams()); ++i)
    check_numbers(*call.getArg(i), callee->getParamDecl(i)->getType(), unit, report);
}

void check_part(const clang::Stmt& part, const Unit& unit, Reporter& report) {
  if (const auto* cast = dyn_cast<clang::ImplicitCastExpr>(&part))
    return cast->isPartOfExplicitCast() ? void() : check_truths(*cast, unit, report);
  if (const auto* statement = dyn_cast<clang::DeclStmt>(&part))
    return check_variables(*statement, unit, report);
  if (const auto* op = dyn_cast<clang::BinaryOperator>(&part))
    return check_operator(*op, unit, report);
  if (const auto* step = dyn_cast<clang::UnaryOperator>(&part))
    return check_step(*step, unit, report);
  if (const auto* parts = dyn_cast<clang::ExtVectorElementExpr>(&part))
    return check_swizzle(*parts, report);
  check_call(*llvm::cast<clang::CallExpr>(&part), unit, report);
}

}  // namespace

extern constinit const Rule vector_type{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto parts =
              stmt(anyOf(implicitCastExpr(hasCastKind(clang::CK_ConstructorConversion)), declStmt(),
                         binaryOperator(), unaryOperator(), swizzle(), callExpr()))
                  .bind("part");
          for (const auto& found : match(parts, unit))
            check_part(*found.getNodeAs<clang::Stmt>("part"), unit, report);
        },
};

}  // namespace msci
