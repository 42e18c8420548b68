// Results of requests as the protocol's JSON.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/source.h"
#include "compiler/frontend/unit.h"
#include "lint/contract.h"
#include "lint/ide/features.h"
#include "lint/lint.h"
#include "lint/output/rule_pages.h"
#include "lint/service/protocol.h"

namespace msci {

// Positions in the units of editors.

// What a column counts. Editor and server agree on one of them.
enum class ColumnUnit { byte, utf16, character };

// Line and column count from 0.
struct EditorPosition {
  unsigned line = 0;
  unsigned column = 0;
  bool operator==(const EditorPosition&) const = default;
};

// From the protocol's JSON. Numbers above the protocol's limit of 2^31 - 1 count as the limit.
EditorPosition position_from(const Json& json);

// The columns, from 0, of the first `bytes` bytes of a line.
unsigned columns_before(std::size_t bytes, std::string_view line, ColumnUnit unit);

// Positions past the end of a line or of the text mean that end. A column inside of a character
// means its beginning. A byte that is not UTF-8 counts as a character.
Location location_of(EditorPosition position, const Source& source, ColumnUnit unit);

// The text after a change of the editor: {"text"} is all of it, {"range", "text"} replaces a part.
// A range may end at the beginning of the line after the last one. Errors: the range lies outside
// of the text, or ends before it begins.
Result<std::string> text_after(const Json& change, std::string text, ColumnUnit unit);

// Our values as the protocol's JSON, in the editor's column unit.

// What an editor calls the files that are open in it, by path.
using OpenFiles = std::map<std::string, std::string>;
std::string uri_in(const OpenFiles& open, const std::string& path);

// Converts places of one source.
class Converter {
 public:
  Converter(const Source& source, ColumnUnit unit, const RulePages& rule_pages = {})
      : source_(source), unit_(unit), rule_pages_(rule_pages) {
    for (std::size_t i = 0; i < source.text.size(); ++i)
      if (source.text[i] == '\n') line_begins_.push_back(i + 1);
  }

  ColumnUnit unit() const { return unit_; }
  Json range(const Range& range) const;
  Json position(Location location) const;
  Location location(const Json& position) const;
  Range range_from(const Json& range) const;

  // Of a finding in the source; `uri` is the source's. Notes can lie in files that it includes.
  Json diagnostic(const FileReport& report, const Finding& finding, const std::string& uri) const;
  Json edits(const std::vector<Edit>& edits) const;

 private:
  std::string_view line(unsigned number) const;

  const Source& source_;
  std::vector<std::size_t> line_begins_{0};
  ColumnUnit unit_;
  RulePages rule_pages_;
};

int number_of(Severity severity);
Json markdown(std::string text);

// A place of a unit, which may lie in an included file: {"uri", "range"}. `converter` and `uri` are
// the source's.
Json location_in(const Unit& unit, const Place& place, const Converter& converter,
                 const std::string& uri, const OpenFiles& open);

// The protocol's number of a kind of symbol.
int number_of(SymbolKind kind);

Json symbols_json(const std::vector<Symbol>& symbols, const Converter& converter);

// The editor sorts by "sortText", which keeps our order. The label replaces the word.
Json completion_items(const std::vector<Completion>& completions);

// Columns in labels are counted in the editor's unit, too.
Json signatures_json(const SignatureHelp& help, ColumnUnit unit);

// One edit that makes the list `before` to `after`, in a list; an empty list if they are equal.
Json difference_json(const Json& before, const Json& after);

// Links from `#include` to the files that it names.
struct IncludeLink {
  Range range;       // of the name, with its quotes
  std::string path;  // of the file
};

// Of the source, in order; Metal's own headers are not files and have none.
std::vector<IncludeLink> include_links(const Unit& unit);

// Code lenses: what an editor can run from a line of a source.

// The commands that the lenses name, with one argument: {"uri": …, "task": …}.
constexpr std::string_view evaluate_command = "msci.evaluateKernel";
constexpr std::string_view check_command = "msci.checkKernel";

// The tasks that a source can be written for: the one that the contract states, or all.
std::vector<TaskContract> tasks_of(const Contract& contract, std::span<const TaskContract> tasks);

// "evaluate" and "check" above the first kernel of each task whose kernels the source all has.
Json code_lenses(const Unit& unit, const Converter& converter, const std::string& uri,
                 const std::vector<TaskContract>& tasks);

}  // namespace msci
