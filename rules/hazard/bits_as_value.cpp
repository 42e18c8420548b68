#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <fmt/format.h>

#include <vector>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// A floating-point format: where its exponent lies.
struct FloatBits {
  unsigned all = 0, fraction = 0;
};

std::optional<FloatBits> bits_of(clang::QualType type) {
  const auto* builtin = type.getCanonicalType()->getAs<clang::BuiltinType>();
  if (!builtin) return std::nullopt;
  switch (builtin->getKind()) {
    case clang::BuiltinType::BFloat16:
      return FloatBits{16, 7};
    case clang::BuiltinType::Half:
    case clang::BuiltinType::Float16:
      return FloatBits{16, 10};
    case clang::BuiltinType::Float:
      return FloatBits{32, 23};
    default:
      return std::nullopt;
  }
}

// Whether an integer is the bits of a power of two in the format, such as 0x3F80 of 1 in bfloat: an
// exponent that is set beside a fraction without bits, as numbers are composed. Exponents far from
// 0 are left out: such integers have other uses.
bool is_power_of_two(std::int64_t value, const FloatBits& format) {
  constexpr std::int64_t largest_exponent = 8;
  const auto exponents = (std::int64_t{1} << (format.all - 1 - format.fraction)) - 1;
  const auto bias = exponents / 2;
  const auto magnitude = value & ((std::int64_t{1} << (format.all - 1)) - 1);
  if (value < 0 || (value >> format.all) != 0 ||
      (magnitude & ((std::int64_t{1} << format.fraction) - 1)) != 0)
    return false;
  const auto exponent = magnitude >> format.fraction;
  return exponent >= bias - largest_exponent && exponent <= bias + largest_exponent;
}

class Returned : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitReturnStmt(clang::ReturnStmt* statement) override {
    if (const auto* value = statement->getRetValue()) values.push_back(value);
    return true;
  }
  std::vector<const clang::Expr*> values;
};

class Composed {
 public:
  Composed(const FloatBits& format, const Unit& unit) : format_(format), unit_(unit) {}

  // Whether the integer is made as the bits of such a number.
  bool is_bits(const clang::Expr& value, unsigned depth = 0) const {
    constexpr unsigned deepest = 8;
    const auto* e = value.IgnoreParenCasts();
    if (depth == deepest || e->isInstantiationDependent() || !e->getType()->isIntegerType())
      return false;
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e))
      return is_bits(*choice->getTrueExpr(), depth + 1) &&
             is_bits(*choice->getFalseExpr(), depth + 1);
    if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(e))
      return is_composed(*operation, depth);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e)) return is_from(*call, depth);
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    return variable && variable->getType().isConstQualified() && variable->getInit() &&
           is_bits(*variable->getInit(), depth + 1);
  }

 private:
  // `0x3F80 | fraction`, `bits << 16` of a bfloat's 16 bits.
  bool is_composed(const clang::BinaryOperator& operation, unsigned depth) const {
    const auto& ast = unit_.ast();
    const auto *left = operation.getLHS(), *right = operation.getRHS();
    const auto count = constant_of(right, ast);
    if (operation.getOpcode() == clang::BO_Shl)
      return format_.all == 32 && count && *count == 16 && is_bits_of_half(*left, depth + 1);
    if (operation.getOpcode() != clang::BO_Or) return false;
    for (const auto* part : {left, right})
      if (const auto known = constant_of(part, ast))
        return is_power_of_two(*known, format_) && *known != 0;
    return is_bits(*left, depth + 1) || is_bits(*right, depth + 1);
  }

  bool is_bits_of_half(const clang::Expr& value, unsigned depth) const {
    return Composed({16, 7}, unit_).is_bits(value, depth);
  }

  // `as_type<uint>(x)` of a floating-point number, or a function that returns nothing but bits.
  bool is_from(const clang::CallExpr& call, unsigned depth) const {
    const auto* callee = call.getDirectCallee();
    if (!callee) return false;
    if (metal_function(call, unit_) == "as_type" && call.getNumArgs() == 1) {
      const auto format = bits_of(call.getArg(0)->getType());
      return format && format->all == format_.all;
    }
    const clang::FunctionDecl* definition = nullptr;
    if (!unit_.is_users(callee->getLocation()) || !callee->hasBody(definition)) return false;
    Returned returned;
    returned.TraverseStmt(definition->getBody());
    return !returned.values.empty() &&
           std::all_of(returned.values.begin(), returned.values.end(),
                       [&](const auto* each) { return is_bits(*each, depth + 1); });
  }

  const FloatBits format_;
  const Unit& unit_;
};

void check_conversion(const clang::ImplicitCastExpr& cast, const Unit& unit, Reporter& report) {
  if (cast.isPartOfExplicitCast() || cast.isInstantiationDependent()) return;
  const auto format = bits_of(cast.getType());
  const auto& value = *cast.getSubExpr();
  if (!format || !Composed(*format, unit).is_bits(value)) return;
  report(value.getSourceRange(),
         fmt::format("the bits of a number are converted as if they were an integer; use "
                     "as_type<{}>(…)",
                     format->all == 32 ? "float" : (format->fraction == 7 ? "bfloat" : "half")));
}

}  // namespace

extern constinit const Rule bits_as_value{
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto conversions =
              implicitCastExpr(hasCastKind(clang::CK_IntegralToFloating)).bind("cast");
          for (const auto& found : match_as_written(conversions, unit))
            check_conversion(*found.getNodeAs<clang::ImplicitCastExpr>("cast"), unit, report);
        },
};

}  // namespace msci
