// The text of a parsed source, as transformations copy and replace it.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/diagnostic.h"
#include "compiler/frontend/unit.h"

namespace msci::search {

// Bytes of the source.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  auto operator<=>(const Span&) const = default;
};

using Names = std::map<const clang::ValueDecl*, std::string>;
// Other text for places of the source, which do not overlap.
using Replacements = std::map<Span, std::string>;

class ParsedText {
 public:
  explicit ParsedText(const Unit& unit) : unit_(unit) {}

  const Unit& unit() const { return unit_; }
  // None where a macro makes a part of it, or where it lies in another file.
  std::optional<Span> span(clang::SourceRange range) const;
  // A statement with its semicolon.
  std::optional<Span> statement(const clang::Stmt& statement) const;
  std::string text(Span span) const;
  // The text of an expression, in parentheses unless it is one word. None as of span().
  std::optional<std::string> operand(const clang::Expr& expression) const;
  // The text of a statement in which variables have other names, also where they are declared, but
  // not within what is replaced. Its lines behind the first start with `blanks` at least. None as
  // of span().
  std::optional<std::string> copy(const clang::Stmt& statement, const Names& names,
                                  const std::string& blanks, Replacements replaced = {}) const;
  // The same of an expression on one line.
  std::optional<std::string> copy(const clang::Expr& expression, const Names& names) const;

  Edit replace(Span span, std::string text) const;
  // Puts declarations behind the lines that include headers and use namespaces.
  Edit declare(const std::string& text) const;
  // The blanks before the line of a place.
  std::string indentation(std::size_t offset) const;

 private:
  std::optional<std::string> copy(Span whole, const clang::Stmt& part, const Names& names,
                                  Replacements replaced) const;

  const Unit& unit_;
};

// The functions of the user's that have a body; templates as they are written.
std::vector<const clang::FunctionDecl*> functions_of(const Unit& unit);

// Whether it holds a statement that leaves a part by another way than its end: break and continue
// (of the loop around it; `continues`: whether this counts), return or goto.
bool jumps(const clang::Stmt& part, bool continues = true);
// What `find` finds at some of the places.
template <class Places, class Find>
auto found_at(const Places& places, Find find) {
  std::vector<typename std::invoke_result_t<Find, decltype(*places.begin())>::value_type> found;
  for (const auto& place : places)
    if (auto each = find(place)) found.push_back(*std::move(each));
  return found;
}

// Whether it calls a barrier, also in the functions that it calls.
bool has_barrier(const clang::Stmt& part);
// Whether it jumps, or has a barrier.
bool leaves(const clang::Stmt& part);

}  // namespace msci::search
