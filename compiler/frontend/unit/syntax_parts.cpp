#include "compiler/frontend/unit/syntax_parts.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>

#include "base/process/isolated_result.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"
#include "compiler/frontend/unit.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SyntaxPart, begin, end, replacement)

namespace {

using ByteRange = std::pair<std::size_t, std::size_t>;

// Rows of a list that can go together, then its elements: halves, quarters and so on.
void add_rows(const std::vector<ByteRange>& list, std::vector<SyntaxPart>& parts) {
  for (auto length = list.size(); length > 0; length /= 2)
    for (std::size_t first = 0; first < list.size(); first += length) {
      const auto last = std::min(first + length, list.size()) - 1;
      if (list[first].first < list[last].second)
        parts.push_back({list[first].first, list[last].second});
    }
}

class PartFinder : public clang::RecursiveASTVisitor<PartFinder> {
 public:
  explicit PartFinder(const Unit& unit) : unit_(unit), text_(unit.source().text) {}
  std::vector<SyntaxPart> parts;

  void find() {
    std::vector<ByteRange> all;
    for (auto* each : unit_.ast().getTranslationUnitDecl()->decls()) {
      if (each->isImplicit() || !unit_.is_users(each->getLocation())) continue;
      if (const auto range = statement(each->getSourceRange())) all.push_back(*range);
      TraverseDecl(each);
    }
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());  // int a, b;
    add_rows(all, parts);
  }

  bool VisitRecordDecl(clang::RecordDecl* record) {
    std::vector<ByteRange> members;
    if (!record->isImplicit())
      for (const auto* each : record->decls())
        if (const auto range =
                each->isImplicit() ? std::nullopt : statement(each->getSourceRange()))
          members.push_back(*range);
    std::ranges::sort(members);
    members.erase(std::ranges::unique(members).begin(), members.end());
    if (!members.empty() && bytes_of(record->getSourceRange()) != members.front())
      add_rows(members, parts);
    return true;
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    for (const auto* parameter : function->parameters()) add_parameter(parameter->getSourceRange());
    return true;
  }
  bool VisitCompoundStmt(clang::CompoundStmt* block) {
    std::vector<ByteRange> body;
    for (const auto* each : block->body())
      if (const auto range = statement(each->getSourceRange())) body.push_back(*range);
    add_rows(body, parts);
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* branch) {
    replace_statement(*branch, *branch->getThen());
    if (const auto* other = branch->getElse()) {
      replace_statement(*branch, *other);
      const auto all = statement(branch->getSourceRange());
      const auto then = statement(branch->getThen()->getSourceRange());
      if (all && then) add(then->second, all->second);
    }
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) { return replace_statement(*loop, *loop->getBody()); }
  bool VisitWhileStmt(clang::WhileStmt* loop) { return replace_statement(*loop, *loop->getBody()); }
  bool VisitDoStmt(clang::DoStmt* loop) { return replace_statement(*loop, *loop->getBody()); }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) {
    if (operation->isAssignmentOp() || operation->isCommaOp()) return true;
    replace(*operation, *operation->getLHS());
    return replace(*operation, *operation->getRHS());
  }
  bool VisitConditionalOperator(clang::ConditionalOperator* choice) {
    replace(*choice, *choice->getTrueExpr());
    return replace(*choice, *choice->getFalseExpr());
  }
  bool VisitParenExpr(clang::ParenExpr* parentheses) {
    return replace(*parentheses, *parentheses->getSubExpr());
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    for (const auto* argument : call->arguments()) replace(*call, *argument);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->isImplicit() || llvm::isa<clang::ParmVarDecl>(variable)) return true;
    const auto* value = variable->getInit();
    const auto range = value ? bytes_of(value->getSourceRange()) : std::nullopt;
    const auto whole = bytes_of(variable->getSourceRange());
    if (!range || !whole) return true;
    const auto equals = text_.rfind('=', range->first);
    if (equals != std::string::npos && equals > whole->first) add(equals, range->second);
    return true;
  }

 private:
  std::optional<ByteRange> bytes_of(clang::SourceRange range) const {
    if (range.isInvalid() || !unit_.is_users(range.getBegin())) return std::nullopt;
    const auto place = unit_.locate(range);
    if (!place.is_known() || !place.file.empty()) return std::nullopt;
    const auto begin = offset_of(unit_.source(), place.range.begin);
    const auto end = offset_of(unit_.source(), place.range.end);
    if (begin >= end || end > text_.size()) return std::nullopt;
    return ByteRange{begin, end};
  }

  std::size_t after_spaces(std::size_t at) const {
    while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at]))) ++at;
    return at;
  }

  // With the semicolon behind it.
  std::optional<ByteRange> statement(clang::SourceRange range) const {
    auto bytes = bytes_of(range);
    if (!bytes) return bytes;
    const auto next = after_spaces(bytes->second);
    if (next < text_.size() && text_[next] == ';') bytes->second = next + 1;
    return bytes;
  }

  void add(std::size_t begin, std::size_t end, std::string replacement = "") {
    if (begin < end && replacement.size() < end - begin)
      parts.push_back({begin, end, std::move(replacement)});
  }

  // A parameter with its attributes, and a comma beside it.
  void add_parameter(clang::SourceRange range) {
    const auto bytes = bytes_of(range);
    if (!bytes) return;
    auto end = bytes->second;
    for (int depth = 0; end < text_.size(); ++end) {
      if (depth == 0 && (text_[end] == ',' || text_[end] == ')')) break;
      if (text_[end] == '(' || text_[end] == '[') ++depth;
      if (text_[end] == ')' || text_[end] == ']') --depth;
    }
    if (end < text_.size() && text_[end] == ',') return add(bytes->first, end + 1);
    const auto comma = text_.rfind(',', bytes->first);
    const bool is_beside = comma != std::string::npos && after_spaces(comma + 1) == bytes->first;
    add(is_beside ? comma : bytes->first, end);
  }

  void replace(const std::optional<ByteRange>& outer, const std::optional<ByteRange>& inner) {
    if (!outer || !inner || inner->first < outer->first || inner->second > outer->second) return;
    add(outer->first, outer->second, text_.substr(inner->first, inner->second - inner->first));
  }
  bool replace(const clang::Expr& whole, const clang::Expr& part) {
    replace(bytes_of(whole.getSourceRange()), bytes_of(part.getSourceRange()));
    return true;
  }
  bool replace_statement(const clang::Stmt& whole, const clang::Stmt& part) {
    replace(statement(whole.getSourceRange()), statement(part.getSourceRange()));
    return true;
  }

  const Unit& unit_;
  const std::string& text_;
};

// What the syntax tree does not have: comments and empty lines; where it has errors, all lines.
void add_lines(const std::string& text, bool wants_all, std::vector<SyntaxPart>& parts) {
  std::vector<ByteRange> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const auto first = std::min(text.find_first_not_of(" \t", begin), text.size());
    const bool is_blank = first + 1 >= end || text.compare(first, 2, "//") == 0;
    if (wants_all || is_blank) lines.emplace_back(begin, end);
    if (const auto comment = text.find("//", begin); !is_blank && comment < end - 1)
      parts.push_back({comment, end - 1});
    begin = end;
  }
  if (wants_all) return add_rows(lines, parts);
  for (const auto& [begin, end] : lines) parts.push_back({begin, end});
}

Result<std::vector<SyntaxPart>> find_parts(const Source& source, const CompileOptions& options) {
  auto unit = parse(source, options);
  if (!unit) return unit.error();
  PartFinder finder(*unit);
  finder.find();
  auto parts = std::move(finder.parts);
  add_lines(source.text, !unit->compiled(), parts);
  std::ranges::stable_sort(parts, std::greater(), &SyntaxPart::saved);
  parts.erase(std::ranges::unique(parts).begin(), parts.end());
  return parts;
}

}  // namespace

Result<std::vector<SyntaxPart>> syntax_parts(const Source& source, const CompileOptions& options,
                                             const Limits& limits) {
  return run_isolated_for<std::vector<SyntaxPart>>([&] { return find_parts(source, options); },
                                                   limits, {source.name + " could not be parsed"});
}

std::string without(const std::string& text, std::vector<SyntaxPart> parts) {
  std::ranges::sort(parts, {}, &SyntaxPart::begin);
  std::string smaller;
  std::size_t at = 0;
  for (const auto& each : parts) {
    smaller += text.substr(at, each.begin - at) + each.replacement;
    at = each.end;
  }
  return smaller + text.substr(at);
}

}  // namespace msci
