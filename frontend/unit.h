// One Metal source, parsed: the only door to the Clang AST.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "base/source.h"
#include "frontend/memo.h"
#include "frontend/version.h"

namespace clang {
class ASTContext;
class CompilerInstance;
class Decl;
class FunctionDecl;
class ParmVarDecl;
class SourceLocation;
class SourceRange;
}  // namespace clang

namespace msci {

// One [[name(arguments)]] of a declaration, as written in the source.
struct Attribute {
  std::string name;                   // "buffer", "thread_position_in_grid"
  std::optional<std::int64_t> value;  // of the first argument, where it is an integer
  std::string text;                   // of the first argument, where it is a string or a word
  Range range;
};

// A `kernel` function: what a host can dispatch.
struct Kernel {
  std::string name;  // as the host calls it: [[host_name("…")]], else the function's
  const clang::FunctionDecl* declaration = nullptr;
};

// The parsed form of a source. Owns the AST; movable, not copyable.
class Unit {
 public:
  struct Impl;
  explicit Unit(std::unique_ptr<Impl> impl);
  Unit(Unit&&) noexcept;
  Unit& operator=(Unit&&) noexcept;
  ~Unit();

  const Source& source() const;
  LanguageVersion version() const;
  // The compiler's own, in order of position; none with severity error means that it compiled.
  const std::vector<Diagnostic>& diagnostics() const;
  bool compiled() const;

  // Kernels that have a body, in order of appearance; template kernels by instantiation.
  const std::vector<Kernel>& kernels() const;
  // Metal attributes of a declaration, in order.
  std::vector<Attribute> attributes(const clang::Decl& declaration) const;
  std::optional<Attribute> attribute(const clang::Decl& declaration, std::string_view name) const;

  // Where something stands in the user's text; line 0 where it is not from there.
  Location locate(clang::SourceLocation location) const;
  Range locate(clang::SourceRange range) const;
  // Whether it stands in the user's text rather than in a Metal header.
  bool is_users(clang::SourceLocation location) const;
  // The user's own text of a range, before any rewriting.
  std::string_view text(Range range) const;

  clang::ASTContext& ast() const;
  clang::CompilerInstance& compiler() const;
  // What rules work out about the unit and share; the unit stays where it is from then on.
  Memo& memo() const;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Parses with Clang in one process; reads no file. Errors are ours alone (Clang could not be set
// up); what is wrong with the source is in diagnostics().
Result<Unit> parse(Source source, LanguageVersion version = {});

}  // namespace msci
