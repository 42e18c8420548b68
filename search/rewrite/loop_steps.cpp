#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/changed_variables.h"
#include "search/rewrite/counted_loop.h"
#include "search/rewrite/transformations.h"

namespace msci::search {
namespace {

// The most rounds of a constant count that are written out.
constexpr std::int64_t most_rounds = 32;
constexpr std::int64_t step_rounds = 4;  // rounds that a step takes

// One round after the other, each in a block of its own.
std::optional<std::string> all_rounds(const CountedLoop& loop, const ParsedText& code,
                                      const std::string& blanks) {
  std::string text = "{";
  const auto body = code.copy(loop.body(), {}, blanks + "    ");
  if (!body || body->size() * *loop.rounds > most_bytes) return std::nullopt;
  for (std::int64_t round = 0; round < *loop.rounds; ++round)
    text += fmt::format("\n{0}  {{\n{0}    const {1} {2} = {3};\n{0}    {4}\n{0}  }}", blanks,
                        loop.type, loop.name(), *loop.first_value + round * loop.step, *body);
  return text + "\n" + blanks + "}";
}

// Loads that neighbouring rounds take from neighbouring places: `pointer[start + counter]`.
class RowLoads : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit RowLoads(const CountedLoop& loop) : loop_(loop) {}
  std::vector<const clang::ArraySubscriptExpr*> found;

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    const auto base = element->getBase()->getType();
    const bool is_read_only =
        base->isPointerType() && base->getPointeeType().isConstQualified() &&
        space_of(base->getPointeeType()) != Space::thread &&
        base->getPointeeType()->isSpecificBuiltinType(clang::BuiltinType::Float);
    if (is_read_only && is_next(element->getIdx()->IgnoreParenImpCasts())) found.push_back(element);
    return true;
  }

 private:
  bool is_next(const clang::Expr* index) const {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(index))
      return name->getDecl() == loop_.variable;
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(index);
    if (!sum || sum->getOpcode() != clang::BO_Add) return false;
    auto changed = changed_in(loop_.body());
    changed.merge(declared_in(loop_.body()));
    changed.insert(loop_.variable);
    return is_next(sum->getRHS()->IgnoreParenImpCasts()) && !mentions_any(sum->getLHS(), changed);
  }

  const CountedLoop& loop_;
};

// One load of four neighbours.
struct WideLoad {
  std::vector<const clang::ArraySubscriptExpr*> elements;  // that are written alike
  std::string text;
  std::string name;
};

std::vector<WideLoad> wide_loads(const CountedLoop& loop, const ParsedText& code) {
  RowLoads rows(loop);
  rows.TraverseStmt(const_cast<clang::Stmt*>(&loop.body()));
  std::vector<WideLoad> loads;
  for (const auto* element : rows.found) {
    const auto text = code.copy(*element, {});
    if (!text) continue;
    auto load = std::ranges::find(loads, *text, &WideLoad::text);
    if (load == loads.end())
      load = loads.insert(load, {{}, *text, fmt::format("wide_{}", loads.size())});
    load->elements.push_back(element);
  }
  return loads;
}

std::string declaration_of(const WideLoad& load) {
  const auto space = space_of(load.elements.front()->getType());
  const auto word = space == Space::device     ? "device"
                    : space == Space::constant ? "constant"
                                               : "threadgroup";
  return fmt::format("const float4 {} = float4(*({} const packed_float4*)&{});", load.name, word,
                     load.text);
}

// A round of a step, as a block.
std::optional<std::string> round_of_step(const CountedLoop& loop, std::int64_t round,
                                         const ParsedText& code, const std::vector<WideLoad>& loads,
                                         const std::string& blanks) {
  Names names;
  if (round > 0) names[loop.variable] = counter(loop, round);
  Replacements replaced;
  for (const auto& load : loads)
    for (const auto* element : load.elements) {
      const auto place = code.span(element->getSourceRange());
      if (!place) return std::nullopt;
      replaced[*place] = fmt::format("{}.{}", load.name, "xyzw"[round]);
    }
  const auto text = code.copy(loop.body(), names, blanks, std::move(replaced));
  if (!text || text->starts_with('{')) return text;
  return "{ " + *text + " }";
}

// The rounds of a step; loads of neighbours come first.
std::optional<std::string> step_body(const CountedLoop& loop, const ParsedText& code,
                                     const std::vector<WideLoad>& loads,
                                     const std::string& blanks) {
  std::string text;
  for (const auto& load : loads) text += blanks + declaration_of(load) + "\n";
  for (std::int64_t round = 0; round < step_rounds; ++round) {
    const auto block = round_of_step(loop, round, code, loads, blanks);
    if (!block) return std::nullopt;
    text += fmt::format("{}{}\n", blanks, *block);
  }
  return text.size() <= most_bytes ? std::optional(text) : std::nullopt;
}

// Loops that take four rounds a step, with wide loads or without.
std::vector<Rewrite> steps_of(const Unit& unit, bool with_loads) {
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  for (const auto& loop : counted_loops(code)) {
    if (leaves(loop.body()) || loop.step != 1) continue;
    const auto loads = with_loads ? wide_loads(loop, code) : std::vector<WideLoad>();
    if (loads.empty() == with_loads) continue;
    const auto blanks = code.indentation(loop.span.begin);
    const auto body = step_body(loop, code, loads, blanks + "    ");
    const auto text = body ? in_steps(loop, step_rounds, *body, code, blanks) : std::nullopt;
    if (text)
      found.push_back({fmt::format("takes {} rounds of the loop over {} in a step{}", step_rounds,
                                   loop.name(), with_loads ? ", with vector loads" : ""),
                       {code.replace(loop.span, *text)}});
  }
  return found;
}

}  // namespace

std::vector<Rewrite> find_steps(const Unit& unit) { return steps_of(unit, false); }
std::vector<Rewrite> find_vector_loads(const Unit& unit) { return steps_of(unit, true); }

std::vector<Rewrite> find_hints(const Unit& unit) {
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  for (const auto& loop : counted_loops(code)) {
    const auto blanks = code.indentation(loop.span.begin);
    const auto count = loop.rounds ? "" : fmt::format("({})", step_rounds);
    found.push_back({fmt::format("asks the compiler to unroll the loop over {}", loop.name()),
                     {code.replace({loop.span.begin, loop.span.begin},
                                   fmt::format("\n#pragma unroll{}\n{}", count, blanks))}});
  }
  return found;
}

std::vector<Rewrite> find_unrolls(const Unit& unit) {
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  for (const auto& loop : counted_loops(code)) {
    if (leaves(loop.body()) || !loop.rounds || !loop.first_value || *loop.rounds < 2 ||
        *loop.rounds > most_rounds)
      continue;
    if (const auto text = all_rounds(loop, code, code.indentation(loop.span.begin)))
      found.push_back(
          {fmt::format("writes out the {} rounds of the loop over {}", *loop.rounds, loop.name()),
           {code.replace(loop.span, *text)}});
  }
  return found;
}

}  // namespace msci::search
