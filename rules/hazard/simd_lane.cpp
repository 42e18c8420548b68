#include <clang/AST/ASTContext.h>
#include <fmt/format.h>

#include "base/metal_limits.h"
#include "lint/analysis/indices/index_form.h"
#include "lint/analysis/representatives.h"
#include "lint/rule.h"

namespace msci {
namespace {

bool starts_with_group(std::string_view name) {
  return name.starts_with("simd_") || name.starts_with("quad_");
}

// Functions whose second argument names another lane, directly or as a distance.
bool names_a_lane(std::string_view name) {
  if (!starts_with_group(name)) return false;
  name.remove_prefix(5);
  return name.starts_with("shuffle") || name == "broadcast";
}

// Whether a variable is declared at the head of a loop in a function.
bool is_loops(const clang::VarDecl& variable, const clang::Stmt* body) {
  if (!body) return false;
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(body))
    if (const auto* head = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
        head && llvm::is_contained(head->decls(), &variable))
      return true;
  return llvm::any_of(body->children(),
                      [&](const clang::Stmt* child) { return is_loops(variable, child); });
}
bool is_loops(const clang::VarDecl& variable) {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
  return function && is_loops(variable, function->getBody());
}

// The lane, or the distance, where it is a constant; for a loop's variable, in the first round.
std::optional<std::int64_t> constant_lane(const clang::CallExpr& call, std::string_view name,
                                          clang::ASTContext& ast) {
  const unsigned which = name.find("_and_fill_") == std::string_view::npos ? 1 : 2;
  if (call.getNumArgs() <= which) return std::nullopt;
  const auto* lane = call.getArg(which);
  // The parameter has 16 bits: what was written may have been larger.
  if (const auto known = constant_of(lane, ast)) return known;
  // The variable of a loop, which starts with its first value.
  const auto* name_of_lane = llvm::dyn_cast<clang::DeclRefExpr>(lane->IgnoreParenImpCasts());
  const auto* variable =
      name_of_lane ? llvm::dyn_cast<clang::VarDecl>(name_of_lane->getDecl()) : nullptr;
  return variable && is_loops(*variable) ? constant_of(variable->getInit(), ast) : std::nullopt;
}

class Lanes : public clang::DynamicRecursiveASTVisitor {
 public:
  Lanes(const Unit& unit, Reporter& report) : unit_(unit), report_(report) {
    ShouldVisitTemplateInstantiations = true;
  }
  bool TraverseDecl(clang::Decl* declaration) override {
    return !declaration || !is_representative(*declaration, unit_) ||
           clang::DynamicRecursiveASTVisitor::TraverseDecl(declaration);
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto name = metal_function(*call, unit_);
    if (!names_a_lane(name)) return true;
    const bool simd = name.starts_with("simd_");
    const auto lanes = simd ? std::int64_t{simdgroup_lanes} : std::int64_t{quadgroup_lanes};
    const auto lane = constant_lane(*call, name, unit_.ast());
    if (lane && (*lane >= lanes || *lane < 0))
      report_(call->getSourceRange(),
              fmt::format("lane out of range: a {} has {} lanes, numbered from 0",
                          simd ? "simdgroup" : "quadgroup", lanes));
    return true;
  }

 private:
  const Unit& unit_;
  Reporter& report_;
};

// Whether the lanes 0 to end - 1, read in this way, all read from lanes behind them. At a shorter
// distance the low lanes read what is there, and a reduction wants no other lane's result.
bool reads_excluded(std::string_view name, std::int64_t lane, std::int64_t end) {
  if (lane < end || lane >= simdgroup_lanes) return false;
  if (name == "simd_shuffle_xor") return (lane & (lane - 1)) == 0;  // sets a bit that they lack
  return name == "simd_shuffle_down" || name == "simd_shuffle" || name == "simd_broadcast";
}

// `if (lane < 16) v += simd_shuffle_down(v, 16);` reads lanes 16 to 31, which are not there.
void check_active(const ThreadFlow& flow, Reporter& report) {
  for (const auto* call : flow.calls()) {
    const auto name = metal_function(*call, flow.unit());
    if (!name.starts_with("simd_") || !names_a_lane(name)) continue;
    const auto from = constant_lane(*call, name, flow.unit().ast());
    if (!from) continue;
    for (const auto& guard : flow.guards(call)) {
      const auto* test =
          llvm::dyn_cast<clang::BinaryOperator>(guard.condition->IgnoreParenImpCasts());
      if (!test || test->getOpcode() != clang::BO_LT || !guard.taken) continue;
      const auto lane = index_form(test->getLHS(), flow), end = index_form(test->getRHS(), flow);
      const auto atoms = lane.atoms();
      if (lane.terms.size() == 1 && atoms.size() == 1 && lane.terms.begin()->second == 1 &&
          atoms.front().position == Position::lane && end.is_constant() && end.constant() > 0 &&
          reads_excluded(name, *from, end.constant()))
        report(call->getSourceRange(), "reads from lanes that this condition excludes")
            .note(test->getSourceRange(),
                  fmt::format("only lanes 0 to {} get here", end.constant() - 1));
    }
  }
}

}  // namespace

extern constinit const Rule simd_lane{
    .check = [](const Unit& unit,
                Reporter& report) { Lanes(unit, report).TraverseAST(unit.ast()); },
    .check_flow =
        [](const ThreadFlow& flow, Reporter& report) {
          const bool has_lanes =
              std::ranges::any_of(flow.function().parameters(), [&](const auto* parameter) {
                return flow.unit().attribute(*parameter, "thread_index_in_simdgroup").has_value();
              });
          if (has_lanes) check_active(flow, report);
        },
};

}  // namespace msci
