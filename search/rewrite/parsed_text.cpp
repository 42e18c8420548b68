#include "search/rewrite/parsed_text.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <algorithm>

namespace msci::search {
namespace {

bool is_word(std::string_view text) {
  return std::ranges::all_of(
      text, [](unsigned char letter) { return std::isalnum(letter) || letter == '_'; });
}

// The names of variables, where a part mentions or declares them.
class Mentions : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Mentions(const Names& names) : names_(names) {}
  std::vector<std::pair<clang::SourceLocation, const std::string*>> found;

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    return add(name->getDecl(), name->getLocation());
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    return add(variable, variable->getLocation());
  }

 private:
  bool add(const clang::ValueDecl* variable, clang::SourceLocation where) {
    if (const auto known = names_.find(variable); known != names_.end())
      found.emplace_back(where, &known->second);
    return true;
  }

  const Names& names_;
};

class Functions : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Functions(const Unit& unit) : unit_(unit) {}
  std::vector<const clang::FunctionDecl*> found;
  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (function->doesThisDeclarationHaveABody() && !function->isTemplated() &&
        unit_.is_users(function->getLocation()))
      found.push_back(function);
    return true;
  }

 private:
  const Unit& unit_;
};

// Whether a part calls a barrier, also in the functions that it calls.
bool reaches_barrier(const clang::Stmt& part, std::set<const clang::FunctionDecl*>& seen) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&part);
  const auto* callee = call ? call->getDirectCallee() : nullptr;
  if (callee && callee->getDeclName().isIdentifier() && callee->getName().ends_with("_barrier"))
    return true;
  const auto* body = callee && seen.insert(callee).second ? callee->getBody() : nullptr;
  return (body && reaches_barrier(*body, seen)) ||
         std::any_of(part.child_begin(), part.child_end(), [&](const clang::Stmt* child) {
           return child && reaches_barrier(*child, seen);
         });
}

// The text with its lines behind the first moved, so that the outermost of them start with
// `blanks`.
std::string indented(const std::string& text, const std::string& blanks) {
  auto least = text.npos;
  const auto each_line = [&](auto use) {
    for (auto at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
      const auto first = text.find_first_not_of(' ', at + 1);
      if (first != text.npos && text[first] != '\n') use(at + 1, first);
    }
  };
  each_line([&](std::size_t begin, std::size_t first) { least = std::min(least, first - begin); });
  std::string moved;
  std::size_t done = 0;
  each_line([&](std::size_t begin, std::size_t) {
    moved += text.substr(done, begin - done) + blanks;
    done = begin + least;
  });
  return moved + text.substr(done);
}

// `breaks`, `continues`: whether such a statement there leaves the part.
bool has_exit(const clang::Stmt& part, bool breaks, bool continues) {
  if (llvm::isa<clang::ReturnStmt, clang::GotoStmt, clang::LabelStmt>(part) ||
      (breaks && llvm::isa<clang::BreakStmt>(part)) ||
      (continues && llvm::isa<clang::ContinueStmt>(part)))
    return true;
  const bool is_loop = llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(part);
  const bool is_switch = llvm::isa<clang::SwitchStmt>(part);
  return std::any_of(part.child_begin(), part.child_end(), [&](const clang::Stmt* child) {
    return child && has_exit(*child, breaks && !is_loop && !is_switch, continues && !is_loop);
  });
}

}  // namespace

std::optional<Span> ParsedText::span(clang::SourceRange range) const {
  if (range.isInvalid() || range.getBegin().isMacroID() || range.getEnd().isMacroID())
    return std::nullopt;
  const auto place = unit_.locate(range);
  if (!place.is_known() || !place.file.empty()) return std::nullopt;
  return Span{offset_of(unit_.source(), place.range.begin),
              offset_of(unit_.source(), place.range.end)};
}

std::optional<Span> ParsedText::statement(const clang::Stmt& statement) const {
  auto found = span(statement.getSourceRange());
  if (!found) return std::nullopt;
  const auto& text = unit_.source().text;
  if (text[found->end - 1] == ';' || text[found->end - 1] == '}') return found;
  const auto next = text.find_first_not_of(" \t\r\n", found->end);
  if (next != text.npos && text[next] == ';') found->end = next + 1;
  return found;
}

std::string ParsedText::text(Span span) const {
  return unit_.source().text.substr(span.begin, span.end - span.begin);
}

std::optional<std::string> ParsedText::operand(const clang::Expr& expression) const {
  const auto found = span(expression.getSourceRange());
  if (!found) return std::nullopt;
  const auto words = text(*found);
  const bool is_closed = is_word(words) || llvm::isa<clang::ParenExpr>(expression.IgnoreImpCasts());
  return is_closed ? words : "(" + words + ")";
}

std::optional<std::string> ParsedText::copy(Span whole, const clang::Stmt& part, const Names& names,
                                            Replacements replaced) const {
  Mentions mentions(names);
  mentions.TraverseStmt(const_cast<clang::Stmt*>(&part));
  for (const auto& [where, name] : mentions.found) {
    const auto place = span(where);
    if (!place) return std::nullopt;
    const bool is_within = std::ranges::any_of(replaced, [&](const auto& each) {
      return each.first.begin <= place->begin && place->end <= each.first.end;
    });
    if (!is_within) replaced[*place] = *name;
  }
  std::string copied;
  auto at = whole.begin;
  for (const auto& [place, name] : replaced) {
    if (place.begin < at || place.end > whole.end) return std::nullopt;
    copied += text({at, place.begin}) + name;
    at = place.end;
  }
  return copied + text({at, whole.end});
}

std::optional<std::string> ParsedText::copy(const clang::Stmt& part, const Names& names,
                                            const std::string& blanks,
                                            Replacements replaced) const {
  const auto whole = statement(part);
  const auto copied = whole ? copy(*whole, part, names, std::move(replaced)) : std::nullopt;
  return copied ? std::optional(indented(*copied, blanks)) : std::nullopt;
}

std::optional<std::string> ParsedText::copy(const clang::Expr& expression,
                                            const Names& names) const {
  const auto whole = span(expression.getSourceRange());
  return whole ? copy(*whole, expression, names, {}) : std::nullopt;
}

Edit ParsedText::replace(Span span, std::string text) const {
  const auto& source = unit_.source();
  return {{"", {location_at(source, span.begin), location_at(source, span.end)}}, std::move(text)};
}

Edit ParsedText::declare(const std::string& text) const {
  const auto& source = unit_.source().text;
  std::size_t after = 0;
  for (std::size_t begin = 0; begin < source.size();) {
    const auto end = std::min(source.find('\n', begin), source.size() - 1) + 1;
    const std::string_view line(source.data() + begin, end - begin);
    if (line.starts_with("#include") || line.starts_with("using namespace")) after = end;
    if (line.find('{') != line.npos) break;
    begin = end;
  }
  return replace({after, after}, "\n" + text);
}

std::string ParsedText::indentation(std::size_t offset) const {
  const auto& text = unit_.source().text;
  const auto begin = text.rfind('\n', offset) + 1;  // 0 in the first line
  if (begin > offset) return "";
  const auto end = std::min(text.find_first_not_of(" \t", begin), offset);
  return text.substr(begin, end - begin);
}

std::vector<const clang::FunctionDecl*> functions_of(const Unit& unit) {
  Functions functions(unit);
  for (auto* declaration : unit.ast().getTranslationUnitDecl()->decls())
    if (unit.is_users(declaration->getLocation())) functions.TraverseDecl(declaration);
  return functions.found;
}

bool has_barrier(const clang::Stmt& part) {
  std::set<const clang::FunctionDecl*> seen;
  return reaches_barrier(part, seen);
}

bool jumps(const clang::Stmt& part, bool continues) { return has_exit(part, true, continues); }
bool leaves(const clang::Stmt& part) { return jumps(part) || has_barrier(part); }

}  // namespace msci::search
