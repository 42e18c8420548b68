// One Metal source, parsed: the only door to the Clang AST.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "base/source.h"
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

// What is worked out about something once, and asked for by many.

// Values of any type, each kept under the address of what it is about; they live as long as this.
class AnalysisCache {
 public:
  // The value of this type about `subject`, made at the first call. What makes it may ask for
  // others, but not for itself.
  template <typename Value, typename Make>
  const Value& get(const void* subject, Make make) {
    const Key key{&type_mark<Value>, subject};
    auto found = values_.find(key);
    if (found == values_.end())
      found = values_.emplace(key, std::make_shared<const Value>(make())).first;
    return *static_cast<const Value*>(found->second.get());
  }

  // That value, if it has been made; null otherwise.
  template <typename Value>
  const Value* find(const void* subject) const {
    const auto found = values_.find({&type_mark<Value>, subject});
    return found == values_.end() ? nullptr : static_cast<const Value*>(found->second.get());
  }

 private:
  // One address for each type: run-time type information is disabled.
  template <typename Value>
  static inline char type_mark = 0;

  using Key = std::pair<const void*, const void*>;
  std::map<Key, std::shared_ptr<const void>> values_;
};

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
