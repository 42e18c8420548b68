// Requests about one document that its parsed form answers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/ide/features.h"
#include "lint/ide/protocol/replies.h"
#include "lint/selection.h"
#include "lint/service/protocol.h"

namespace msci {

// The input of an answer, in the process that has parsed the document.
struct Question {
  const Json& params;
  const Unit& unit;
  const Converter& converter;  // of the document
  std::string uri;             // of the document
  const OpenFiles& open;
  const LintRequest& request;
  std::span<const TaskContract> tasks;
};

// The result of a request; {"error": why} where the editor is to show a reason.
using Answer = Json (*)(const Question&);

// The answers to the questions of lint/ide/requests.def.
namespace answers {
#define MSCI_QUESTION(method, function, capability, options) \
  Json function(const Question& question);
#define MSCI_REQUEST(method, member, function, capability, options)
#include "lint/ide/requests.def"
#undef MSCI_REQUEST
#undef MSCI_QUESTION
Json all_tokens(const Question& question);
Json hover(const Question& question);
}  // namespace answers

// Requests that concern many files: what a process that parses one of them finds, and what comes of
// all of it. Between processes, it travels as JSON.

// A parsed file of a search.
struct SearchedFile {
  const Unit& unit;
  const Converter& converter;
  std::string uri;
  const OpenFiles& open;
};

// Metal sources below the folders, as msci-lint finds them, whose text holds all of the words.
std::vector<std::string> files_with(const std::vector<std::string>& folders,
                                    const std::vector<std::string>& words);
// Whether the text holds it, not as part of a longer word.
bool has_word(std::string_view text, std::string_view word);

// A file of a host program below the folders that includes the declaration of a symbol, by the name
// of the header, and has its name; empty without one. Metal's compiler does not see it.
std::string host_with(const std::vector<std::string>& folders, const SymbolPlace& symbol);

// A name of a symbol that can be looked for: {"symbol", "places"}, with the places of the file's
// own unit; null without a name at the place.
Json references_at(const SearchedFile& file, Location location, bool with_declaration);
// {"places"}: those in another file.
Json references_of(const SearchedFile& file, const SymbolPlace& symbol, bool with_declaration);

// {"symbol", "places"} or {"error"}: places to rename.
Json rename_at(const SearchedFile& file, const LintRequest& request, Location location,
               const std::string& new_name);
Json rename_of(const SearchedFile& file, const LintRequest& request, const SymbolPlace& symbol,
               const std::string& new_name);

// {"symbols"}: all of the file, and of those that it includes.
Json symbols_in(const SearchedFile& file);

SymbolPlace symbol_from(const Json& json);

// The results of requests, from what the files had. A place that several files have counts once.
Json locations_json(const std::vector<Json>& parts);
// `versions`: of the open files, by URI; null where the editor takes no versions.
Json workspace_edit(const std::vector<Json>& parts, const std::string& new_name,
                    const Json& versions);
// The symbols whose names hold the letters of the query in order, the shortest names first.
Json workspace_symbols(const std::vector<Json>& parts, std::string_view query);

}  // namespace msci
