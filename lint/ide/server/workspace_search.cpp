#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "base/files/read_file.h"
#include "base/files/uri.h"
#include "lint/ide/server/documents.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

fs::file_time_type time_of(const std::string& file) {
  std::error_code error;
  return fs::last_write_time(file, error);
}

}  // namespace

void WorkspaceSearch::open_workspace(const Json& params) {
  const auto folders = params.value("workspaceFolders", Json());
  if (folders.is_array())
    for (const auto& folder : folders) add_folder(folder.at("uri"));
  else if (const auto root = params.value("rootUri", Json()); root.is_string())
    add_folder(root);
}

void WorkspaceSearch::add_folder(const std::string& uri) {
  if (auto path = path_of(uri); path.starts_with('/')) folders_.push_back(std::move(path));
}

void WorkspaceSearch::change_folders(const Json& event) {
  for (const auto& folder : event.at("removed"))
    std::erase(folders_, path_of(folder.at("uri").get<std::string>()));
  for (const auto& folder : event.at("added")) add_folder(folder.at("uri"));
}

void WorkspaceSearch::find_references(const Json& id, const Json& params) {
  const bool declared = params.value(Json::json_pointer("/context/includeDeclaration"), true);
  find_symbol(
      id, params, "references",
      [&](const SearchedFile& file, const LintRequest&) {
        return references_at(file, file.converter.location(params.at("position")), declared);
      },
      [declared](const SearchedFile& file, const LintRequest&, const SymbolPlace& symbol) {
        return references_of(file, symbol, declared);
      },
      locations_json);
}

void WorkspaceSearch::rename_symbol(const Json& id, const Json& params) {
  const std::string name = params.at("newName");
  find_symbol(
      id, params, "rename",
      [&](const SearchedFile& file, const LintRequest& request) {
        const auto place = file.converter.location(params.at("position"));
        auto json = rename_at(file, request, place, name);
        if (!json.contains("error"))
          if (const auto host = host_with(folders_, symbol_from(json.at("symbol"))); !host.empty())
            return Json{
                {"error", fmt::format("{} uses it, too, and is not Metal", file_name(host))}};
        return json;
      },
      [name](const SearchedFile& file, const LintRequest& request, const SymbolPlace& symbol) {
        auto json = rename_of(file, request, symbol, name);
        if (json.contains("error"))
          json["error"] = fmt::format("{}: {}", file_name(file.unit.source().name),
                                      json["error"].get<std::string>());
        return json;
      },
      [this, name](const std::vector<Json>& parts) { return edit_of(parts, name); });
}

// The edit that a rename comes to, or why there is none.
Json WorkspaceSearch::edit_of(const std::vector<Json>& parts, const std::string& name) const {
  for (const auto& part : parts) {
    if (part.is_null())
      return {{"error", "a source with this name cannot be checked: it breaks the compiler"}};
    if (part.contains("error")) return part;
  }
  Json versions;
  if (session_.takes_versions) versions = Json::object();
  for (const auto& [uri, document] : documents_.all())
    if (session_.takes_versions) versions[uri] = document.version;
  return workspace_edit(parts, name, versions);
}

// Finds a symbol in the document, with `at`, and if other sources may name it, in those of the
// workspace that have the word, with `in`. Responds with what `end` makes of all results.
void WorkspaceSearch::find_symbol(const Json& id, const Json& params, const std::string& title,
                                  const AtPlace& at, const InFile& in,
                                  const std::function<Json(const std::vector<Json>&)>& end) {
  const std::string uri = params.at("textDocument").at("uri");
  auto* found = documents_.find(uri);
  if (!found) return session_.client.respond(id, nullptr);
  // `at` reads it in another process, whose failure would be blamed on the source.
  Converter(found->source, session_.unit).location(params.at("position"));
  const auto path = found->source.name;
  const WorkDoneProgress progress(session_.client, params.value("workDoneToken", Json()));
  const Then then = [=, this](const Json& part) {
    if (part.is_null()) return session_.respond_or_fail(id, end({part}));
    if (part.contains("error")) return session_.respond_or_fail(id, part);
    const auto symbol = symbol_from(part.at("symbol"));
    const auto parts = std::make_shared<std::vector<Json>>(std::vector{part});
    if (!symbol.is_shared || symbol.file.empty()) return session_.respond_or_fail(id, end(*parts));
    std::vector<std::string> words{symbol.name};
    // A source is seldom included itself, and if so, by its name.
    if (!symbol.is_from_file) words.push_back(file_name(symbol.file));
    list_files(id, words, [=, this](std::vector<std::string> files) {
      std::erase(files, path);
      FileSearch search{.id = id, .progress = progress, .title = title, .files = std::move(files)};
      search.work = [=, this](const std::string& file) {
        return parse_file(file, [&](const SearchedFile& searched, const LintRequest& request) {
          return in(searched, request, symbol);
        });
      };
      search.take = [parts](const std::string&, Json found) { parts->push_back(std::move(found)); };
      search.end = [=, this] { session_.respond_or_fail(id, end(*parts)); };
      session_.requests.search(std::move(search));
    });
  };
  documents_.parse_for(
      id, *found, then,
      [&](const Unit& unit, const Converter& converter, const LintRequest& request) {
        const auto open = documents_.open_files();
        return at({unit, converter, uri, open}, request);
      });
}

void WorkspaceSearch::find_symbols(const Json& id, const Json& params) {
  const std::string query = params.at("query");
  const WorkDoneProgress progress(session_.client, params.value("workDoneToken", Json()));
  list_files(id, {}, [=, this](const std::vector<std::string>& files) {
    FileSearch search{.id = id, .progress = progress, .title = "symbols"};
    for (const auto& file : files)
      if (!has_symbols(file)) search.files.push_back(file);
    search.work = [this](const std::string& file) {
      return parse_file(file, [](const SearchedFile& searched, const LintRequest&) {
        return symbols_in(searched);
      });
    };
    search.take = [this](const std::string& file, Json part) {
      KnownSymbols known{.written = {{file, time_of(file)}}, .part = std::move(part)};
      if (known.part.is_object() && known.part.contains("symbols"))
        for (const auto& symbol : known.part["symbols"]) {
          const auto path = path_of(symbol.at("location").at("uri").get<std::string>());
          if (!known.written.contains(path)) known.written.emplace(path, time_of(path));
        }
      symbols_[file] = std::move(known);
    };
    search.end = [=, this] {
      std::vector<Json> parts;
      for (const auto& file : files) parts.push_back(symbols_[file].part);
      session_.client.respond(id, workspace_symbols(parts, query));
    };
    session_.requests.search(std::move(search));
  });
}

void WorkspaceSearch::forget_symbols(const std::string& path) {
  std::erase_if(symbols_, [&](const auto& each) { return each.second.written.contains(path); });
}

bool WorkspaceSearch::has_symbols(const std::string& file) const {
  const auto known = symbols_.find(file);
  if (known == symbols_.end()) return false;
  const auto open = documents_.open_files();
  const auto& written = known->second.written;
  return std::all_of(written.begin(), written.end(), [&](const auto& each) {
    return !open.contains(each.first) && time_of(each.first) == each.second;
  });
}

// The sources of the workspace, and those that are open, whose text has all of the words.
void WorkspaceSearch::list_files(const Json& id, const std::vector<std::string>& words,
                                 std::function<void(std::vector<std::string>)> then) {
  std::set<std::string> open;
  for (const auto& [uri, document] : documents_.all()) {
    const auto& text = document.source.text;
    if (document.source.name.ends_with(".metal") &&
        std::all_of(words.begin(), words.end(),
                    [&](const auto& word) { return has_word(text, word); }))
      open.insert(document.source.name);
  }
  if (folders_.empty()) return then({open.begin(), open.end()});
  session_.start_process(
      id,
      [this, id, open, then = std::move(then)](const Json& listed) {
        auto files = open;
        const auto all_open = documents_.open_files();
        if (listed.is_null())
          return session_.client.respond_error(id, ProtocolError::request_failed,
                                               "the workspace has too many files to search them");
        for (const auto& file : listed)
          if (!all_open.contains(file)) files.insert(file.get<std::string>());
        then({files.begin(), files.end()});
      },
      [&]() -> Json { return files_with(folders_, words); });
}

// In an isolated process: the result of `work` on a file, as it is in the editor or on the disk.
Json WorkspaceSearch::parse_file(
    const std::string& path,
    const std::function<Json(const SearchedFile&, const LintRequest&)>& work) const {
  const auto open = documents_.open_files();
  const auto found = open.find(path);
  const auto source = found == open.end() ? read_source(path)
                                          : Result<Source>(documents_.find(found->second)->source);
  if (!source) return {{"error", source.error().message}};
  auto configs = session_.options.configs;
  auto request = request_for(path, session_.options.lint_options, configs, session_.options.rules);
  if (!request) return {{"error", request.error().message}};
  request->compile.unsaved = documents_.unsaved();
  const auto unit = parse(*source, request->compile);
  if (!unit) return {{"error", unit.error().message}};
  return work({*unit, Converter(*source, session_.unit), uri_in(open, path), open}, *request);
}

}  // namespace msci
