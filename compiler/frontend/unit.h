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
#include "compiler/frontend/analysis_cache.h"
#include "compiler/frontend/version.h"

namespace clang {
class ASTContext;
class CompilerInstance;
class Decl;
class FunctionDecl;
class ParmVarDecl;
class SourceLocation;
class SourceManager;
class SourceRange;
}  // namespace clang

namespace msci {

// One [[name(arguments)]] of a declaration, as written in the source.
struct Attribute {
  std::string name;                   // "buffer", "thread_position_in_grid"
  std::optional<std::int64_t> value;  // of the first argument, where it is an integer
  std::string text;                   // of the first argument, where it is a string or a word
  Place place;
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
  // The source itself, or the included file that a place lies in.
  const Source& source_of(const Place& place) const;
  // The files that the source includes, as far as a place was located in them. Their names are the
  // files of places.
  std::vector<const Source*> included_files() const;
  LanguageVersion version() const;
  // The compiler's own, in order of places; none with severity error means that it compiled.
  const std::vector<Diagnostic>& diagnostics() const;
  bool compiled() const;

  // Kernels that have a body, in order of appearance; template kernels by instantiation.
  const std::vector<Kernel>& kernels() const;
  // Metal attributes of a declaration, in order.
  std::vector<Attribute> attributes(const clang::Decl& declaration) const;
  std::optional<Attribute> attribute(const clang::Decl& declaration, std::string_view name) const;

  // The place in the user's text: in the source, or in a file that it includes. Unknown if the
  // range lies in a Metal header. The place of a location is that of the token there.
  Place locate(clang::SourceRange range) const;
  // Whether it stands in the user's text rather than in a Metal header.
  bool is_users(clang::SourceLocation location) const;
  // The user's own text at a place, before any rewriting.
  std::string_view text(const Place& place) const;

  clang::ASTContext& ast() const;
  clang::CompilerInstance& compiler() const;
  // What rules work out about the unit and share; the unit stays where it is from then on.
  AnalysisCache& cache() const;
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Whether a location lies in the user's text: in the source, or in an included file that is neither
// a Metal header nor in a system folder.
bool is_users(const clang::SourceManager& sources, clang::SourceLocation location);

// Parses with Clang in one process; reads no file. Errors are ours alone (Clang could not be set
// up); what is wrong with the source is in diagnostics().
Result<Unit> parse(Source source, LanguageVersion version = {});

}  // namespace msci
