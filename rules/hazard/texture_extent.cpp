#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lint/analysis/indices/index_limits.h"
#include "lint/rule.h"

namespace msci {
namespace {

// `get_width()` or `get_height()` of a texture.
struct TextureSide {
  const clang::VarDecl* texture = nullptr;
  unsigned dimension = 0;
  bool operator==(const TextureSide&) const = default;
};

constexpr std::array<std::string_view, 2> side_names = {"width", "height"};

// A coordinate of a texel that a kernel reads or writes.
struct Coordinate {
  const clang::Expr* place = nullptr;
  TextureSide side;  // that it must stay below
  IndexForm value;
  const IndexLimits* limits = nullptr;
};

std::string_view method_of(const clang::CXXMemberCallExpr& call) {
  const auto* method = call.getMethodDecl();
  return method && method->getIdentifier() ? std::string_view(method->getName())
                                           : std::string_view();
}

const clang::VarDecl* texture_of(const clang::CXXMemberCallExpr& call) {
  return root_variable(call.getImplicitObjectArgument());
}

class TextureExtents {
 public:
  TextureExtents(const ThreadFlow& flow, Reporter& report) : flow_(flow), report_(report) {}

  void run() {
    for (const auto* statement : flow_.statements())
      if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(statement)) note(*call);
    for (const auto& each : coordinates_)
      if (check_test(each) || check_mirrored(each) || check_neighbour(each))
        told_.insert(each.place);
  }

 private:
  void note(const clang::CXXMemberCallExpr& call) {
    const auto method = method_of(call);
    const unsigned argument = method == "write" ? 1 : 0;
    const auto* texture = texture_of(call);
    if ((method != "read" && method != "write") || call.getNumArgs() <= argument ||
        !llvm::isa_and_nonnull<clang::ParmVarDecl>(texture))
      return;
    const auto& at = *call.getArg(argument);
    const auto* vector = at.getType().getCanonicalType()->getAs<clang::VectorType>();
    if (!vector || vector->getNumElements() != side_names.size()) return;
    limits_.push_back(limits_at(call, flow_));
    for (unsigned d = 0; d < side_names.size(); ++d)
      if (auto value = component(at, d))
        coordinates_.push_back({&at, {texture, d}, *std::move(value), &limits_.back()});
  }

  // A component of `at`, `uint2(x, y)`, `at + uint2(1, 0)`.
  std::optional<IndexForm> component(const clang::Expr& vector, unsigned d) const {
    const auto* e = vector.IgnoreUnlessSpelledInSource();
    if (!e->getType()->isVectorType())
      return e->getType()->isIntegerType() ? std::optional(index_form(e, flow_)) : std::nullopt;
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e);
        binary && binary->isAdditiveOp()) {
      const auto a = component(*binary->getLHS(), d), b = component(*binary->getRHS(), d);
      if (!a || !b) return std::nullopt;
      return binary->getOpcode() == clang::BO_Add ? *a + *b : *a - *b;
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e))
      return call->getNumArgs() == side_names.size() && llvm::isa<clang::Expr>(call->getArg(d)) &&
                     call->getArg(d)->getType()->isIntegerType()
                 ? std::optional(index_form(call->getArg(d), flow_))
                 : std::nullopt;
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    if (!variable || !flow_.is_fixed(variable)) return std::nullopt;
    if (const auto* value = flow_.only_value(variable)) return component(*value, d);
    return form_of({variable, std::string(1, "xy"[d]), flow_.divergence(name),
                    flow_.position(variable), true});
  }

  // The side of a texture that a number is, also by way of a variable.
  std::optional<TextureSide> side_of(const Atom& atom) const {
    const auto* value = atom.variable ? flow_.only_value(atom.variable) : atom.expression;
    const auto* call = value ? llvm::dyn_cast<clang::CXXMemberCallExpr>(
                                   value->IgnoreParenCasts()->IgnoreUnlessSpelledInSource())
                             : nullptr;
    if (!call || call->getNumArgs() > 1 || !texture_of(*call)) return std::nullopt;
    const auto method = method_of(*call);
    for (unsigned d = 0; d < side_names.size(); ++d)
      if (method.starts_with("get_") && method.substr(4) == side_names[d])
        return TextureSide{texture_of(*call), d};
    return std::nullopt;
  }

  std::optional<TextureSide> side_of(const IndexForm& form) const {
    const auto atom = single_atom(form);
    return atom ? side_of(*atom) : std::nullopt;
  }

  // The tests of a coordinate include the side itself, or are about the other side.
  bool check_test(const Coordinate& at) {
    if (told_.contains(at.place) || at.limits->may_limit(at.value, flow_)) return false;
    const auto above = at.limits->upper(at.value);
    const TextureSide other{at.side.texture, 1 - at.side.dimension};
    const auto is_all = [&](const TextureSide& side, std::int64_t more) {
      return !above.empty() && std::ranges::all_of(above, [&](const IndexForm& each) {
        return side_of(each + constant_form(more)) == side;
      });
    };
    const auto name = side_names[at.side.dimension];
    if (at.value.constant() == 0 && is_all(at.side, 0))
      report_(at.place->getSourceRange(),
              fmt::format("reaches the {} of the texture, one texel too far", name));
    else if (is_all(other, 1))
      report_(at.place->getSourceRange(),
              fmt::format("only the {} of the texture limits the coordinate that must stay below "
                          "its {}",
                          side_names[other.dimension], name));
    else
      return false;
    return true;
  }

  // `width - x`, where x may be 0.
  bool check_mirrored(const Coordinate& at) {
    if (told_.contains(at.place) || at.value.constant() != 0) return false;
    for (const auto& atom : at.value.atoms()) {
      const auto rest = form_of(atom) - at.value;
      const auto position = single_atom(rest);
      if (side_of(atom) != at.side || !position || position->position == Position::none ||
          position->position == Position::threadgroup || !at.limits->lower(rest).empty() ||
          at.limits->may_limit(rest, flow_))
        continue;
      report_(at.place->getSourceRange(),
              fmt::format("is the {} of the texture for the first thread, one texel too far",
                          side_names[at.side.dimension]));
      return true;
    }
    return false;
  }

  // `x + 1` where only `x < width` holds, though `x - 1` has a test of its own.
  bool check_neighbour(const Coordinate& at) {
    if (told_.contains(at.place) || at.value.constant() != 1) return false;
    const auto position = at.value - constant_form(1);
    const auto above = at.limits->upper(position);
    if (above.size() != 1 || side_of(above.front() + constant_form(1)) != at.side ||
        !at.limits->lower(position).empty() || at.limits->may_limit(position, flow_))
      return false;
    for (const auto& other : coordinates_) {
      const auto below = other.limits->lower(position);
      if (other.side != at.side || !(other.value == position - constant_form(1)) ||
          below.size() != 1 || !(below.front() == constant_form(1)))
        continue;
      report_(at.place->getSourceRange(),
              fmt::format("lies beyond the {} of the texture for the last thread",
                          side_names[at.side.dimension]))
          .note(other.place->getSourceRange(), "the neighbour on the other side has a test");
      return true;
    }
    return false;
  }

  const ThreadFlow& flow_;
  Reporter& report_;
  std::deque<IndexLimits> limits_;  // of the calls, which the coordinates point to
  std::vector<Coordinate> coordinates_;
  std::set<const clang::Expr*> told_;
};

}  // namespace

extern constinit const Rule texture_extent{
    .check_flow = [](const ThreadFlow& flow,
                     Reporter& report) { TextureExtents(flow, report).run(); },
};

}  // namespace msci
