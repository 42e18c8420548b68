#include <clang/AST/Decl.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "lint/analysis/expressions.h"
#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

using clang::Expr;
using clang::Stmt;
using Statements = std::vector<const Stmt*>;

struct Case {
  std::int64_t size = 0;
  const Expr* place = nullptr;
  Statements body;
};

// Branches on the equality of one thing with numbers, however they are written.
struct Enumeration {
  const Expr* subject = nullptr;
  std::vector<Case> cases;
  Statements rest;  // what happens otherwise
  const Stmt* end = nullptr;
  bool is_last = false;  // nothing comes after it in the function
};

Statements statements_in(const Stmt* body) {
  if (!body) return {};
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body))
    return {block->body_begin(), block->body_end()};
  return {body};
}

bool leaves(const Stmt* body) {
  const auto all = statements_in(body);
  return !all.empty() && llvm::isa<clang::ReturnStmt>(all.back());
}

// `subject == number` of a branch.
std::optional<Case> case_of(const clang::IfStmt& branch, const Expr*& subject,
                            const clang::ASTContext& ast) {
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(branch.getCond()->IgnoreParenImpCasts());
  if (!test || test->getOpcode() != clang::BO_EQ) return std::nullopt;
  const Expr* other = test->getLHS();
  auto number = constant_of(test->getRHS(), ast);
  if (!number) {
    number = constant_of(test->getLHS(), ast);
    other = test->getRHS();
  }
  if (!number || constant_of(other, ast)) return std::nullopt;
  if (subject && !is_same(*subject, *other, ast)) return std::nullopt;
  subject = other;
  return Case{*number, branch.getCond(), {branch.getThen()}};
}

class CaseFinder : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit CaseFinder(const clang::ASTContext& ast) : ast_(ast) {}
  bool VisitCompoundStmt(clang::CompoundStmt* block) override {
    const Statements all(block->body_begin(), block->body_end());
    for (std::size_t i = 0; i < all.size(); ++i)
      if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(all[i])) branches(*branch, all, i);
    return true;
  }
  bool VisitSwitchStmt(clang::SwitchStmt* choice) override {
    const auto* body = llvm::dyn_cast<clang::CompoundStmt>(choice->getBody());
    if (!body) return true;
    Enumeration found{.subject = choice->getCond(), .end = choice};
    bool open = false, otherwise = false;
    for (const auto* each : body->body()) {
      // `case 1: case 2: …` has the labels inside one another.
      while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(each)) {
        const auto* number = llvm::dyn_cast<clang::CaseStmt>(label);
        otherwise = !number;
        open = true;
        if (number)
          found.cases.push_back(
              {constant_of(number->getLHS(), ast_).value_or(0), number->getLHS(), {}});
        each = label->getSubStmt();
      }
      if (llvm::isa<clang::BreakStmt>(each)) open = false;
      if (!open) continue;
      if (otherwise)
        found.rest.push_back(each);
      else if (!found.cases.empty())
        found.cases.back().body.push_back(each);
    }
    all.push_back(std::move(found));
    return true;
  }
  std::vector<Enumeration> all;

 private:
  // A chain of else-ifs; where each leaves the function, one without else, too.
  void branches(const clang::IfStmt& first, const Statements& block, std::size_t at) {
    if (seen_.contains(&first)) return;
    Enumeration found;
    bool all_leave = true;
    const Stmt* next = &first;
    for (; next; ++at, next = at < block.size() ? block[at] : nullptr) {
      const auto* branch = llvm::dyn_cast<clang::IfStmt>(next);
      if (!branch || !add(found, *branch, all_leave)) break;
      found.end = branch;
      if (!all_leave || !found.rest.empty()) {
        ++at;
        break;
      }
    }
    if (found.cases.empty()) return;
    if (found.rest.empty() && all_leave) found.rest.assign(block.begin() + at, block.end());
    all.push_back(std::move(found));
  }
  bool add(Enumeration& found, const clang::IfStmt& first, bool& all_leave) {
    const Stmt* next = &first;
    bool any = false;
    while (const auto* branch = llvm::dyn_cast<clang::IfStmt>(next)) {
      auto each = case_of(*branch, found.subject, ast_);
      if (!each) {
        if (any) found.rest = {branch};
        return any;
      }
      seen_.insert(branch);
      any = true;
      all_leave = all_leave && leaves(branch->getThen());
      found.cases.push_back(std::move(*each));
      next = branch->getElse();
      if (!next) return true;
    }
    found.rest = statements_in(next);
    return true;
  }
  const clang::ASTContext& ast_;
  std::set<const Stmt*> seen_;
};

bool meet(const Variables& a, const Variables& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto* each) { return b.contains(each); });
}

// Whether all arguments among a are in b; each special function has arrays of its own besides.
bool within(const Variables& a, const Variables& b) {
  return std::all_of(a.begin(), a.end(), [&](const auto* each) {
    return !llvm::isa<clang::ParmVarDecl>(each) || b.contains(each);
  });
}

// How many times its size each special branch's code speaks of: a loop's bound or a template's
// argument. None where they have no such number in common.
std::optional<double> common_ratio(const Enumeration& found, const std::vector<Trace>& special) {
  for (const auto number : special.front().numbers) {
    const double ratio = static_cast<double>(number) / static_cast<double>(found.cases[0].size);
    if (ratio <= 0) continue;
    bool holds = true;
    for (std::size_t i = 1; holds && i < special.size(); ++i) {
      const double wanted = ratio * static_cast<double>(found.cases[i].size);
      holds = wanted == std::floor(wanted) &&
              special[i].numbers.contains(static_cast<std::int64_t>(wanted));
    }
    if (holds) return ratio;
  }
  return std::nullopt;
}

struct View {
  const Unit& unit;
  const Tracer& tracer;
  const clang::FunctionDecl& function;
};

// What the special branches do, each at its size.
std::vector<Trace> specials(const Enumeration& found, const View& view) {
  std::vector<Trace> all;
  for (const auto& each : found.cases) all.push_back(view.tracer.part(each.body));
  return all;
}

bool is_complete(const std::vector<Trace>& all) {
  return std::all_of(all.begin(), all.end(), [](const Trace& each) { return each.complete; });
}

// The one size that the last branch is made for, where it is; 0: none.
std::int64_t fixed_size(const Enumeration& found, const std::vector<Trace>& special,
                        const Trace& rest, const Variables& subject) {
  const auto ratio = common_ratio(found, special);
  if (!ratio || meet(rest.control, subject)) return 0;
  Variables common;
  std::set<std::int64_t> shared = special.front().numbers;
  double least = special.front().operations;
  for (const auto& each : special) {
    if (meet(each.control, subject)) return 0;
    common.insert(each.control.begin(), each.control.end());
    std::erase_if(shared, [&](const auto number) { return !each.numbers.contains(number); });
    least = std::min(least, each.operations);
  }
  if (!within(rest.control, common) || rest.operations < 0.5 * least) return 0;
  for (const auto number : rest.numbers) {
    const double size = static_cast<double>(number) / *ratio;
    if (!shared.contains(number) && size == std::floor(size) && size > 1)
      return static_cast<std::int64_t>(size);
  }
  return 0;
}

double exponent(double at_least, double at_most, double least, double most) {
  return std::log(at_most / at_least) / std::log(most / least);
}

// Whether what the last branch does grows faster with the size than what the others do.
bool grows_faster(const Enumeration& found, const View& view, const std::vector<Trace>& special,
                  const Trace& rest) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(found.subject->IgnoreParenImpCasts());
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (!variable) return false;
  // A special branch that loops as often as something else says may do any amount of work; its
  // conditions may not: the costlier side of each counts.
  Variables deciding = rest.control;
  deciding.insert(variable);
  for (const auto& each : special)
    if (!within(each.rounds, deciding)) return false;
  const auto by_size = [](const Case& a, const Case& b) { return a.size < b.size; };
  const auto [low, high] = std::minmax_element(found.cases.begin(), found.cases.end(), by_size);
  if (low->size < 1 || high->size < 2 * low->size) return false;
  const auto work = [&](const Case& at, const Statements& statements) {
    const auto trace = view.tracer.part(statements, {{variable, static_cast<double>(at.size)}});
    return trace.complete ? trace.operations : 0;
  };
  const double special_low = work(*low, low->body), special_high = work(*high, high->body);
  const double rest_low = work(*low, found.rest), rest_high = work(*high, found.rest);
  if (special_low < 1 || rest_low < 1 || rest_high < 4 * special_high) return false;
  const auto least = static_cast<double>(low->size), most = static_cast<double>(high->size);
  return exponent(rest_low, rest_high, least, most) >=
         exponent(special_low, special_high, least, most) + 0.5;
}

bool stores_to_arguments(const std::vector<Trace>& all) {
  return std::all_of(all.begin(), all.end(), [](const Trace& trace) {
    return std::any_of(trace.accesses.begin(), trace.accesses.end(), [](const auto& access) {
      return access.stores && is_device_pointer(*access.object);
    });
  });
}

// How many bits something has is a choice of formats, not a size: `switch (bits)`.
bool counts_bits(const Expr& subject) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(subject.IgnoreParenImpCasts());
  return name && name->getDecl()->getDeclName().isIdentifier() &&
         llvm::StringRef(name->getDecl()->getName()).lower().find("bit") != std::string::npos;
}

// Whether the subject is a number that the host chose for all threads.
bool is_size(const Variables& sources, const View& view) {
  return !sources.empty() && std::all_of(sources.begin(), sources.end(), [&](const auto* each) {
    if (!llvm::isa<clang::ParmVarDecl>(each)) return false;
    const bool is_kernel = view.unit.attribute(view.function, "kernel").has_value();
    return is_kernel ? is_shared_number(*each)
                     : each->getType().getNonReferenceType()->isIntegralOrEnumerationType();
  });
}

// "8, 16 and 32"; of many, the first ones and the last.
std::string list_of(const std::vector<Case>& cases) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i + 1 < cases.size() && i + 1 < most; ++i)
    text += fmt::format("{}{}", i ? ", " : "", cases[i].size);
  return fmt::format("{}{}and {}", text, cases.size() > most ? ", … " : " ", cases.back().size);
}

// 1, 2, 3, …, in any order: numbered stages or modes rather than sizes.
bool are_kinds(const Enumeration& found) {
  std::set<std::int64_t> numbers;
  for (const auto& each : found.cases) numbers.insert(each.size);
  return *numbers.begin() == 1 && *numbers.rbegin() == static_cast<std::int64_t>(numbers.size());
}

void judge(const Enumeration& found, const View& view, Reporter& report) {
  if (found.cases.size() < 2 || are_kinds(found)) return;
  const auto subject = view.tracer.origin(*found.subject).sources;
  const bool valid = std::all_of(found.cases.begin(), found.cases.end(), [](const Case& each) {
    return each.size >= 1 && !each.body.empty();
  });
  if (!valid || !is_size(subject, view) || counts_bits(*found.subject)) return;
  const auto special = specials(found, view);
  const auto rest = view.tracer.part(found.rest);
  if (!rest.complete || !is_complete(special)) return;
  const auto place = found.cases.front().place->getSourceRange();
  if (rest.operations == 0 && rest.accesses.empty()) {
    if (!found.is_last || !common_ratio(found, special) || !stores_to_arguments(special)) return;
    report(place, fmt::format("sizes other than {} get no result", list_of(found.cases)))
        .note(found.end->getEndLoc(), "a branch for other sizes is missing here");
    return;
  }
  const auto last = clang::SourceRange(found.rest.front()->getBeginLoc());
  if (const auto size = fixed_size(found, special, rest, subject))
    report(place,
           fmt::format("sizes other than {} are all treated like {}", list_of(found.cases), size))
        .note(last, "this branch is also for one size");
  else if (grows_faster(found, view, special, rest))
    report(place,
           fmt::format("sizes other than {} use a method whose cost grows faster with the size",
                       list_of(found.cases)))
        .note(last,
              "the work of this branch grows faster per doubling than that of the special ones");
}

// Whether nothing but a return follows the statement in the function's body.
bool ends_body(const Stmt& statement, const clang::FunctionDecl& function) {
  const auto all = statements_in(function.getBody());
  for (auto at = all.rbegin(); at != all.rend(); ++at) {
    if (*at == &statement) return true;
    if (!llvm::isa<clang::ReturnStmt>(*at)) return false;
  }
  return false;
}

}  // namespace

extern constinit const Rule size_enumeration{
    .severity = Severity::warning,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto* function : entered_functions(unit)) {
            CaseFinder finder(unit.ast());
            finder.TraverseStmt(function->getBody());
            if (finder.all.empty()) continue;
            const auto& tracer = traced(*function, unit);
            const bool is_kernel = unit.attribute(*function, "kernel").has_value();
            for (auto& found : finder.all) {
              const auto* first = found.cases.empty() ? nullptr : found.end;
              found.is_last = is_kernel && first && ends_body(*first, *function);
              judge(found, {unit, tracer, *function}, report);
            }
          }
        },
};

}  // namespace msci
