#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "base/text.h"
#include "lint/analysis/raw_tokens.h"
#include "lint/ide/features.h"

namespace msci {
namespace {

// Of a sum of thousands of operands, each operand would be a step.
constexpr std::size_t most_steps = 128;

// What the syntax tree has around places of the source.
class SyntaxRanges : public clang::DynamicRecursiveASTVisitor {
 public:
  SyntaxRanges(const Unit& unit, std::vector<Location> places)
      : unit_(unit), places_(std::move(places)) {
    std::ranges::sort(places_);
  }

  // The inner ones first.
  std::vector<Range> find() {
    for (auto* declaration : unit_.ast().getTranslationUnitDecl()->noload_decls())
      if (unit_.is_users(declaration->getLocation()) && add(declaration->getSourceRange()))
        TraverseDecl(declaration);
    std::ranges::sort(ranges_, [](const Range& a, const Range& b) {
      return a.begin == b.begin ? a.end < b.end : b.begin < a.begin;
    });
    return std::move(ranges_);
  }

  bool VisitDecl(clang::Decl* declaration) override {
    add(declaration->getSourceRange());
    return true;
  }
  bool VisitStmt(clang::Stmt* statement) override {
    add(statement->getSourceRange());
    return true;
  }
  // Clang leaves out the semicolons of the statements.
  bool VisitCompoundStmt(clang::CompoundStmt* block) override {
    for (const auto* statement : block->body()) {
      auto [file, range] = with_macros(statement->getSourceRange());
      const auto end = range.end;
      ++range.end.column;
      if (text_of(unit_.source(), {end, range.end}) == ";") add({file, range});
    }
    return true;
  }

 private:
  // What begins or ends in the body of a macro is all of the macro's use.
  Place with_macros(clang::SourceRange range) const {
    return unit_.locate(unit_.ast().getSourceManager().getExpansionRange(range).getAsRange());
  }
  bool add(clang::SourceRange range) {
    const bool is_in_macro = range.getBegin().isMacroID() || range.getEnd().isMacroID();
    const bool is_added = is_in_macro && add(with_macros(range));
    return add(unit_.locate(range)) || is_added;
  }
  // Whether one of the places lies in it.
  bool add(const Place& place) {
    const auto& [file, range] = place;
    const auto first = std::ranges::lower_bound(places_, range.begin);
    if (!place.is_known() || !file.empty() || first == places_.end() || range.end < *first)
      return false;
    ranges_.push_back(range);
    return true;
  }

  const Unit& unit_;
  std::vector<Location> places_;
  std::vector<Range> ranges_;
};

// Adds a range to steps around a place if it is a larger one.
void add_step(std::vector<Range>& steps, Location place, const Range& range) {
  const auto inner = steps.empty() ? Range{place, place} : steps.back();
  if (range != inner && range.begin <= inner.begin && inner.end <= range.end)
    steps.push_back(range);
}

}  // namespace

std::vector<std::vector<Range>> selections_at(const Unit& unit,
                                              const std::vector<Location>& places) {
  const auto& source = unit.source();
  const auto tokens = raw_tokens(source, Comments::kept);
  const auto ranges = SyntaxRanges(unit, places).find();
  const Range whole{{1, 1}, location_at(source, source.text.size())};
  std::vector<std::vector<Range>> all;
  for (const auto& each : places) {
    const auto place = std::min(each, whole.end);
    auto& steps = all.emplace_back();
    add_step(steps, place, word_around(source, place));
    if (const auto token = token_at(tokens, source, place); token < tokens.size())
      add_step(steps, place, range_of(source, tokens[token]));
    for (const auto& range : ranges)
      if (steps.size() + 1 < most_steps) add_step(steps, place, range);
    add_step(steps, place, whole);
    if (steps.empty()) steps.push_back(whole);
  }
  return all;
}

}  // namespace msci
