// Loops that take the bits of a number apart, or put them together, one bit a round, as Z-order
// does. Some shifts and masks do the same for all bits at once.
#include <fmt/format.h>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/changed_variables.h"
#include "search/rewrite/counted_loop.h"
#include "search/rewrite/transformations.h"

namespace msci::search {
namespace {

// Places of bits, factor * round + constant.
struct Line {
  std::int64_t factor = 0;
  std::int64_t constant = 0;
};

std::optional<Line> line_of(const clang::Expr& expression, const clang::VarDecl& counter,
                            const clang::ASTContext& ast) {
  const auto* plain = expression.IgnoreParenImpCasts();
  if (const auto value = constant_of(plain, ast)) return Line{0, *value};
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(plain))
    return name->getDecl() == &counter ? std::optional(Line{1, 0}) : std::nullopt;
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(plain);
  if (!op) return std::nullopt;
  const auto left = line_of(*op->getLHS(), counter, ast);
  const auto right = line_of(*op->getRHS(), counter, ast);
  if (!left || !right) return std::nullopt;
  if (op->getOpcode() == clang::BO_Add)
    return Line{left->factor + right->factor, left->constant + right->constant};
  if (op->getOpcode() != clang::BO_Mul || (left->factor != 0 && right->factor != 0))
    return std::nullopt;
  return Line{left->factor * right->constant + right->factor * left->constant,
              left->constant * right->constant};
}

const clang::BinaryOperator* operation(const clang::Expr& expression,
                                       clang::BinaryOperatorKind kind) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expression.IgnoreParenImpCasts());
  return op && op->getOpcode() == kind ? op : nullptr;
}

bool is_unsigned_word(const clang::Expr& expression, const clang::ASTContext& ast) {
  const auto type = expression.getType();
  return type->isUnsignedIntegerType() && ast.getTypeSize(type) == 32;
}

// `to |= ((from >> (a * b + c)) & 1) << (d * b + e)`, where b counts rounds.
struct BitMove {
  const clang::Expr* to = nullptr;
  const clang::Expr* from = nullptr;
  Line source;
  Line target;

  std::int64_t distance() const { return std::max(source.factor, target.factor); }
  bool spreads() const { return source.factor == 1; }
};

std::optional<BitMove> bit_move(const clang::Stmt& statement, const CountedLoop& loop,
                                const clang::ASTContext& ast) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(&statement);
  if (!op || op->getOpcode() != clang::BO_OrAssign || !is_unsigned_word(*op->getLHS(), ast))
    return std::nullopt;
  const auto* put = operation(*op->getRHS(), clang::BO_Shl);
  const auto* bit = put ? operation(*put->getLHS(), clang::BO_And) : nullptr;
  if (!bit || constant_of(bit->getRHS(), ast) != 1) return std::nullopt;
  const auto* take = operation(*bit->getLHS(), clang::BO_Shr);
  if (!take || !is_unsigned_word(*take->getLHS()->IgnoreParenImpCasts(), ast)) return std::nullopt;
  const auto source = line_of(*take->getRHS(), *loop.variable, ast);
  const auto target = line_of(*put->getRHS(), *loop.variable, ast);
  if (!source || !target || source->constant < 0 || target->constant < 0) return std::nullopt;
  auto changed = changed_in(loop.body());
  changed.insert(loop.variable);
  if (mentions_any(take->getLHS(), changed)) return std::nullopt;
  BitMove move{op->getLHS(), take->getLHS()->IgnoreParenImpCasts(), *source, *target};
  const bool fits = std::min(source->factor, target->factor) == 1 &&
                    (move.distance() == 2 || move.distance() == 3);
  return fits ? std::optional(move) : std::nullopt;
}

// Puts bit b at distance * b. The place of the last bit that a round can move is below 32.
constexpr const char* spread_2 = R"(uint spread_2(uint x) {
  x &= 0xffffu;
  x = (x | (x << 8)) & 0x00ff00ffu;
  x = (x | (x << 4)) & 0x0f0f0f0fu;
  x = (x | (x << 2)) & 0x33333333u;
  return (x | (x << 1)) & 0x55555555u;
}
)";
constexpr const char* spread_3 = R"(uint spread_3(uint x) {
  x &= 0x7ffu;
  x = (x | (x << 16)) & 0x070000ffu;
  x = (x | (x << 8)) & 0x0700f00fu;
  x = (x | (x << 4)) & 0x430c30c3u;
  return (x | (x << 2)) & 0x49249249u;
}
)";
// Takes bit b from distance * b.
constexpr const char* gather_2 = R"(uint gather_2(uint x) {
  x &= 0x55555555u;
  x = (x | (x >> 1)) & 0x33333333u;
  x = (x | (x >> 2)) & 0x0f0f0f0fu;
  x = (x | (x >> 4)) & 0x00ff00ffu;
  return (x | (x >> 8)) & 0xffffu;
}
)";
constexpr const char* gather_3 = R"(uint gather_3(uint x) {
  x &= 0x49249249u;
  x = (x | (x >> 2)) & 0x430c30c3u;
  x = (x | (x >> 4)) & 0x0700f00fu;
  x = (x | (x >> 8)) & 0x070000ffu;
  return (x | (x >> 16)) & 0x7ffu;
}
)";

const char* function_for(const BitMove& move) {
  if (move.spreads()) return move.distance() == 2 ? spread_2 : spread_3;
  return move.distance() == 2 ? gather_2 : gather_3;
}

std::string shifted(const std::string& value, const char* shift, std::int64_t by) {
  return by == 0 ? value : fmt::format("({} {} {})", value, shift, by);
}

// The statement that moves all bits below `limit`.
std::optional<std::string> all_at_once(const BitMove& move, const CountedLoop& loop,
                                       const ParsedText& code) {
  const auto to = code.span(move.to->getSourceRange());
  const auto from = code.operand(*move.from);
  if (!to || !from) return std::nullopt;
  const auto taken = shifted(*from, ">>", move.source.constant);
  const auto mask = fmt::format("((1u << {}) - 1)", loop.limit);
  const auto moved = move.spreads()
                         ? fmt::format("spread_{}({} & {})", move.distance(), taken, mask)
                         : fmt::format("(gather_{}({}) & {})", move.distance(), taken, mask);
  return fmt::format("{} |= {};", code.text(*to), shifted(moved, "<<", move.target.constant));
}

std::optional<Rewrite> rewritten(const CountedLoop& loop, const ParsedText& code) {
  const auto blanks = code.indentation(loop.span.begin);
  Rewrite rewrite{.about = fmt::format("moves all bits of the loop over {} at once", loop.name())};
  std::string text = "{\n";
  std::set<std::string> functions;
  for (const auto* statement : loop.statements()) {
    const auto move = bit_move(*statement, loop, code.unit().ast());
    const auto line = move ? all_at_once(*move, loop, code) : std::nullopt;
    if (!line) return std::nullopt;
    text += fmt::format("{}  {}\n", blanks, *line);
    functions.insert(function_for(*move));
  }
  if (functions.empty()) return std::nullopt;
  rewrite.edits = {code.replace(loop.span, text + blanks + "}")};
  for (const auto& function : functions)
    if (code.unit().source().text.find(function) == std::string::npos)
      rewrite.edits.push_back(code.declare(function));
  return rewrite;
}

}  // namespace

std::vector<Rewrite> find_bit_loops(const Unit& unit) {
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  for (const auto& loop : counted_loops(code)) {
    if (loop.first_value != 0 || loop.step != 1 || loop.includes_limit) continue;
    if (auto rewrite = rewritten(loop, code)) found.push_back(*std::move(rewrite));
  }
  return found;
}

}  // namespace msci::search
