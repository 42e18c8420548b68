// What the language server knows about a parsed source, a function or two for each feature.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.h"
#include "compiler/frontend/compile_options.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"
#include "compiler/frontend/unit.h"
#include "lint/contract.h"
#include "lint/ide/names.h"

namespace msci {

// Completion: what can be written at a place in a source.
enum class CompletionKind {
  attribute,
  enumerator,
  field,
  function,
  header,
  keyword,
  macro,
  method,
  name_space,
  type,
  variable,
};

struct Completion {
  std::string name;  // the text to insert: "threadgroup_barrier", "mem_flags::mem_device"
  CompletionKind kind = CompletionKind::keyword;
  std::string detail;        // its type or signature; may be empty
  std::string_view meaning;  // of Metal's names; may be empty
};

// The names that can be written at the place, the likeliest first, each once. A completion replaces
// the whole word at the place, whatever it is. Nothing in comments, strings and numbers. The source
// may be unfinished anywhere.
std::vector<Completion> completions_at(PrecompiledPreamble start, const Source& source,
                                       const CompileOptions& options, Location place);

// Folding: what an editor can collapse.
enum class FoldKind { comment, imports, region };

// Lines [first, last], counted from 1; first < last. `region` is everything between brackets, and
// between a directive such as `#if` and the next of its group.
struct Fold {
  unsigned first = 0;
  unsigned last = 0;
  FoldKind kind = FoldKind::region;
  bool operator==(const Fold&) const = default;
};

// By first line, and at most one for each. Of a text in any state: a bracket without a partner
// folds nothing.
std::vector<Fold> folds_of(const Source& source);

// Hover: the name at a place in a source, with its declaration and meaning.
struct Hover {
  Range range;              // of the name
  std::string name;         // "dot"
  std::string declaration;  // with Metal's types: "float dot(float3 x, float3 y)"
  std::string meaning;      // of a Metal function: "the greater value"; may be empty
  bool is_metals = false;   // declared by the Metal headers, not by the user
  Place place;              // where the user defines it, or declares it
};

// The name at this place; nothing without one, or if Clang cannot resolve it.
std::optional<Hover> hover_at(const Unit& unit, Location location);

// Where the user defines the structure or enumeration that the name at this place is, or that its
// type leads to: by a pointer, a reference, the elements of an array, or the result of a function.
// Unknown without one.
Place type_place_at(const Unit& unit, Location location);

// Selection: what an editor selects around places, step by step.

// For each place, ranges that contain it, each larger than the one before: the word, the token,
// expressions, statements, blocks and declarations of the source, and the whole source. A place
// past the end counts as the end.
std::vector<std::vector<Range>> selections_at(const Unit& unit,
                                              const std::vector<Location>& places);

// Inlay hints: what the compiler adds to a source, for an editor to show in it.
struct InlayHint {
  Location place;
  std::string text;         // ": device float*", "[[buffer(1)]]"
  bool is_type = false;     // of a variable that is declared with `auto`
  std::string insertion;    // what makes the hint part of the source; empty if nothing does
  std::string explanation;  // for a person
};

// By place: the types of variables declared with `auto`, with their address spaces, and the indices
// that Metal assigns to buffers and threadgroup memory of kernels without an attribute.
std::vector<InlayHint> inlay_hints(const Unit& unit, const Range& range);

// Where symbols are declared, so that other sources find them, too.

// What a symbol is called and where it is declared: by this, another source finds it, too.
struct SymbolPlace {
  std::string name;
  std::string file;           // as the compiler reads it
  Location place;             // in that file
  bool is_shared = false;     // other sources may name it: it does not belong to a function
  bool is_from_file = false;  // declared in an included file rather than in the source
  bool operator==(const SymbolPlace&) const = default;
};

// Where a symbol is declared that symbol_of() returned; an empty file where Metal declares it.
SymbolPlace place_of(const Unit& unit, const clang::NamedDecl& symbol);

// The symbol that is declared there; null if the unit does not name it.
const clang::NamedDecl* symbol_at(const Unit& unit, const WrittenNames& names,
                                  const SymbolPlace& place);

// Rename: another name for a symbol, wherever it is written.

// A name that can have another one.
struct Renamable {
  Range range;  // in the source
  SymbolPlace symbol;
};

// The name at a place of the source. Errors: what forbids to rename it, for a person: it is one of
// Metal's, of a macro or an attribute, a kernel that the contract states, or no name at all.
Result<Renamable> renamable_at(const Unit& unit, const Contract& contract, Location location);

// The places that have to change, file by file in order. Afterwards, the unit means what it meant:
// the edited text is parsed, and every name must refer to what it referred to. Changes nothing in
// macros. Errors: what makes the edit impossible, with its line: a word that the compiler cannot
// resolve, a use in the body of a macro, a new name that is not free. Nothing to change where the
// unit does not name the symbol.
Result<std::vector<Place>> rename(const Unit& unit, const CompileOptions& options,
                                  const SymbolPlace& symbol, const std::string& new_name);

// Semantic tokens: what the names of a source are, for an editor to colour them.

// The protocol's names for kinds of tokens, by number.
constexpr std::array semantic_kinds = {
    "namespace", "struct",     "enum",     "type",   "typeParameter", "parameter", "variable",
    "property",  "enumMember", "function", "method", "macro",         "keyword",   "decorator"};

// What can be said in addition, by bit: the protocol's words, and the address spaces of Metal,
// which a variable is in or points into.
constexpr std::array semantic_modifiers = {"declaration", "readonly", "defaultLibrary", "kernel",
                                           "device",      "constant", "threadgroup"};

struct SemanticToken {
  Range range;
  unsigned kind = 0;       // in semantic_kinds
  unsigned modifiers = 0;  // bits of semantic_modifiers
};

// The names of the source that the compiler resolves, Metal's keywords and attributes, and the
// user's macros; by place, without overlaps. Nothing about words in code that is left out.
std::vector<SemanticToken> semantic_tokens(const Unit& unit);

// Signature help: the functions that a call may mean, and the parameter that is being written.
struct Signature {
  std::string label;  // "float3 clamp(float3 x, float3 minval, float3 maxval)"
  std::vector<std::pair<std::size_t, std::size_t>> parameters;  // their bytes in the label
  std::string_view meaning;                                     // of a Metal function; may be empty
  bool operator==(const Signature&) const = default;
};

struct SignatureHelp {
  std::vector<Signature> signatures;  // the likeliest first, each once
  unsigned active_parameter = 0;      // which argument stands at the place, from 0
};

// Of the innermost call whose arguments the place lies in; no signatures outside of calls. The
// source may be unfinished anywhere.
SignatureHelp signatures_at(PrecompiledPreamble start, const Source& source,
                            const CompileOptions& options, Location place);

// The outline of a source: what it declares.
enum class SymbolKind {
  constant,
  enumeration,
  enumerator,
  field,
  function,
  method,
  name_space,
  structure,
  type,
};

struct Symbol {
  std::string name;
  SymbolKind kind = SymbolKind::function;
  std::string detail;  // "kernel" for one; otherwise empty
  Range range;         // in its file: the whole declaration; contains `name_range`
  Range name_range;
  std::vector<Symbol> members = {};
};

// The declarations of a file, in order: the source itself, or an included one (Place::file).
std::vector<Symbol> symbols_of(const Unit& unit, const std::string& file = {});

// Call hierarchy: which functions of a source and its included files name which.

// A function or method of the user, where it is declared.
struct CallNode {
  Symbol symbol;
  std::string file;  // as in Place
};

// A caller or a callee, and where the caller names the callee, in order.
struct Call {
  const CallNode* function = nullptr;
  std::vector<Place> places;
};

// The unit must outlive it. A name counts as a call; that of a template counts for its instances.
class CallGraph {
 public:
  explicit CallGraph(const Unit& unit);

  // All functions; one that is announced before its definition comes twice.
  const std::vector<CallNode>& functions() const { return functions_; }
  // The definition of the function that is named at a place of the source; null without one.
  const CallNode* named_at(Location location) const;
  std::vector<Call> callers_of(const CallNode& function) const;
  std::vector<Call> callees_of(const CallNode& function) const;

 private:
  void add(const std::vector<Symbol>& symbols, const std::string& file);
  bool is_declaration(const Place& name) const { return by_name_.contains(name.start()); }
  const CallNode* definition_of(const clang::NamedDecl& function) const;
  const CallNode* function_around(const Place& place) const;

  const Unit& unit_;
  std::vector<CallNode> functions_;
  std::map<Place, std::size_t> by_name_;  // of functions_, by where the name begins
  // What symbol_of() returns for the functions that a name may mean.
  std::map<Place, std::vector<const clang::NamedDecl*>> names_;
};

}  // namespace msci
