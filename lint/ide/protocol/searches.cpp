#include <clang/AST/Decl.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <tuple>

#include "base/files/read_file.h"
#include "lint/ide/features.h"
#include "lint/ide/protocol/questions.h"
#include "lint/ide/protocol/replies.h"
#include "lint/run/lint_files.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// An editor shows that many at most.
constexpr std::size_t most_symbols = 1000;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

Json json_of(const SymbolPlace& symbol) {
  return {{"name", symbol.name},          {"file", symbol.file},
          {"line", symbol.place.line},    {"column", symbol.place.column},
          {"isShared", symbol.is_shared}, {"isFromFile", symbol.is_from_file}};
}

Json locations(const SearchedFile& file, const std::vector<Place>& places) {
  Json json = Json::array();
  for (const auto& place : places)
    json.push_back(location_in(file.unit, place, file.converter, file.uri, file.open));
  return json;
}

bool declares(const clang::NamedDecl& symbol, const Place& place, const Unit& unit) {
  return std::any_of(symbol.redecls_begin(), symbol.redecls_end(), [&](const clang::Decl* each) {
    return unit.locate(each->getLocation()).start() == place.start();
  });
}

Json references(const SearchedFile& file, const clang::NamedDecl& symbol, bool with_declaration) {
  auto places = references_to(file.unit, symbol);
  if (!with_declaration)
    std::erase_if(places, [&](const Place& place) { return declares(symbol, place, file.unit); });
  return locations(file, places);
}

bool is_like(std::string_view name, std::string_view query) {
  std::size_t found = 0;
  for (const char c : name)
    if (found < query.size() && std::tolower(static_cast<unsigned char>(c)) ==
                                    std::tolower(static_cast<unsigned char>(query[found])))
      ++found;
  return found == query.size();
}

void add_symbols(const std::vector<Symbol>& symbols, const std::string& container,
                 const Converter& converter, const std::string& uri, Json& found) {
  for (const auto& symbol : symbols) {
    Json each{{"name", symbol.name},
              {"kind", number_of(symbol.kind)},
              {"location", {{"uri", uri}, {"range", converter.range(symbol.name_range)}}}};
    if (!container.empty()) each["containerName"] = container;
    found.push_back(std::move(each));
    add_symbols(symbol.members, symbol.name, converter, uri, found);
  }
}

// Each place once, in order of files and positions.
struct ByPlace {
  bool operator()(const Json& a, const Json& b) const { return key(a) < key(b); }
  static std::tuple<std::string, unsigned, unsigned> key(const Json& location) {
    const auto& start = location.at("range").at("start");
    return {location.at("uri"), start.at("line"), start.at("character")};
  }
};
using Places = std::set<Json, ByPlace>;

Places places_of(const std::vector<Json>& parts) {
  Places places;
  for (const auto& part : parts)
    if (part.is_object() && part.contains("places"))
      places.insert(part["places"].begin(), part["places"].end());
  return places;
}

}  // namespace

bool has_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
      return true;
  }
  return false;
}

std::vector<std::string> files_with(const std::vector<std::string>& folders,
                                    const std::vector<std::string>& words) {
  auto configs = Configs::nearest();
  auto files = expand_files(folders, {}, configs).names;
  std::erase_if(files, [&](const std::string& name) {
    const auto source = read_source(name);
    return !source || !std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      return has_word(source->text, word);
    });
  });
  return files;
}

std::string host_with(const std::vector<std::string>& folders, const SymbolPlace& symbol) {
  static const std::set<std::string> extensions{".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".swift"};
  if (!symbol.is_from_file) return "";
  const auto header = fs::path(symbol.file).filename().string();
  for (const auto& folder : folders) {
    std::error_code error;
    for (fs::recursive_directory_iterator each(folder, error);
         !error && each != fs::recursive_directory_iterator(); each.increment(error)) {
      const auto& path = each->path();
      std::error_code gone;
      if (path.filename().string().starts_with('.') && each->is_directory(gone))
        each.disable_recursion_pending();
      if (!extensions.contains(path.extension().string())) continue;
      const auto source = read_source(path.string());
      if (source && has_word(source->text, symbol.name) && has_word(source->text, header))
        return path.string();
    }
  }
  return "";
}

SymbolPlace symbol_from(const Json& json) {
  return {.name = json.at("name"),
          .file = json.at("file"),
          .place = {json.at("line"), json.at("column")},
          .is_shared = json.at("isShared"),
          .is_from_file = json.at("isFromFile")};
}

Json references_at(const SearchedFile& file, Location location, bool with_declaration) {
  const auto* found = declaration_at(file.unit, location);
  if (!found) return nullptr;
  const auto& symbol = symbol_of(*found);
  return {{"symbol", json_of(place_of(file.unit, symbol))},
          {"places", references(file, symbol, with_declaration)}};
}

Json references_of(const SearchedFile& file, const SymbolPlace& symbol, bool with_declaration) {
  const auto names = written_names(file.unit);
  const auto* found = symbol_at(file.unit, names, symbol);
  return {{"places", found ? references(file, *found, with_declaration) : Json::array()}};
}

Json rename_of(const SearchedFile& file, const LintRequest& request, const SymbolPlace& symbol,
               const std::string& new_name) {
  const auto places = rename(file.unit, request.compile, symbol, new_name);
  if (!places) return {{"error", places.error().message}};
  return {{"places", locations(file, *places)}};
}

Json rename_at(const SearchedFile& file, const LintRequest& request, Location location,
               const std::string& new_name) {
  const auto found = renamable_at(file.unit, request.contract, location);
  if (!found) return {{"error", found.error().message}};
  auto json = rename_of(file, request, found->symbol, new_name);
  json["symbol"] = json_of(found->symbol);
  return json;
}

Json symbols_in(const SearchedFile& file) {
  Json found = Json::array();
  add_symbols(symbols_of(file.unit), "", file.converter, file.uri, found);
  locate_all_files(file.unit);
  for (const auto* included : file.unit.included_files())
    add_symbols(symbols_of(file.unit, included->name), "",
                Converter(*included, file.converter.unit()), uri_in(file.open, included->name),
                found);
  return {{"symbols", std::move(found)}};
}

Json locations_json(const std::vector<Json>& parts) {
  if (parts.size() == 1 && parts.front().is_null()) return nullptr;  // no name stands there
  Json json = Json::array();
  for (const auto& place : places_of(parts)) json.push_back(place);
  return json;
}

Json workspace_edit(const std::vector<Json>& parts, const std::string& new_name,
                    const Json& versions) {
  std::map<std::string, Json> edits;
  for (const auto& place : places_of(parts))
    edits.try_emplace(place.at("uri").get<std::string>(), Json::array())
        .first->second.push_back({{"range", place.at("range")}, {"newText", new_name}});
  if (versions.is_null()) return {{"changes", edits}};
  Json changes = Json::array();
  for (const auto& [uri, list] : edits)
    changes.push_back({{"textDocument", {{"uri", uri}, {"version", versions.value(uri, Json())}}},
                       {"edits", list}});
  return {{"documentChanges", std::move(changes)}};
}

Json workspace_symbols(const std::vector<Json>& parts, std::string_view query) {
  std::vector<const Json*> found;
  Places seen;  // those of a header are in each source that includes it
  for (const auto& part : parts)
    if (part.is_object() && part.contains("symbols"))
      for (const auto& symbol : part["symbols"])
        if (is_like(symbol.at("name").get_ref<const std::string&>(), query) &&
            seen.insert(symbol.at("location")).second)
          found.push_back(&symbol);
  std::stable_sort(found.begin(), found.end(), [](const Json* a, const Json* b) {
    return a->at("name").get_ref<const std::string&>().size() <
           b->at("name").get_ref<const std::string&>().size();
  });
  Json symbols = Json::array();
  for (const auto* symbol : found)
    if (symbols.size() < most_symbols) symbols.push_back(*symbol);
  return symbols;
}

}  // namespace msci
