// Requests that search the Metal sources of the workspace.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lint/ide/protocol/searches.h"
#include "lint/ide/server/documents.h"

namespace msci {

class WorkspaceSearch {
 public:
  WorkspaceSearch(EditorSession& session, Documents& documents)
      : session_(session), documents_(documents) {}

  // Takes the folders of "initialize".
  void open_workspace(const Json& params);
  void change_folders(const Json& event);
  // What the editor had of a file counts no more.
  void forget_symbols(const std::string& path);

  void find_references(const Json& id, const Json& params);
  void rename_symbol(const Json& id, const Json& params);
  void find_symbols(const Json& id, const Json& params);

 private:
  // The symbols of a file of the workspace and of what it includes, as long as none of it changes.
  struct KnownSymbols {
    std::map<std::string, std::filesystem::file_time_type> written;  // by path
    Json part;
  };
  using AtPlace = std::function<Json(const SearchedFile&, const LintRequest&)>;
  using InFile =
      std::function<Json(const SearchedFile&, const LintRequest&, const SymbolPlace& symbol)>;

  void add_folder(const std::string& uri);
  Json edit_of(const std::vector<Json>& parts, const std::string& name) const;
  void find_symbol(const Json& id, const Json& params, const std::string& title, const AtPlace& at,
                   const InFile& in, const std::function<Json(const std::vector<Json>&)>& end);
  bool has_symbols(const std::string& file) const;
  void list_files(const Json& id, const std::vector<std::string>& words,
                  std::function<void(std::vector<std::string>)> then);
  Json parse_file(const std::string& path,
                  const std::function<Json(const SearchedFile&, const LintRequest&)>& work) const;

  EditorSession& session_;
  Documents& documents_;
  std::vector<std::string> folders_;
  std::map<std::string, KnownSymbols> symbols_;  // by path
};

}  // namespace msci
