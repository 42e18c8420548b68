// The texts that are open in the editor, and their findings.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/io/poll_loop.h"
#include "base/process/isolated_process.h"
#include "lint/ide/protocol/converter.h"
#include "lint/ide/server/editor_session.h"

namespace msci {

struct Document {
  Source source;  // named by its path
  std::int64_t version = 0;
  bool is_dirty = true;                    // this text was not given to a process yet
  std::optional<IsolatedProcess> process;  // lints it
  LintJob job;                             // of that process
  std::optional<FileReport> report;        // on this text
  std::vector<std::string> included;       // files with findings, as URIs
  std::vector<Json> pulls;                 // requests that wait for the report, by id
  std::set<std::string> lookups;           // canonical paths that the last report depends on
  Json semantic_data;                      // that the editor has, under this id
  std::string semantic_id;
};

class Documents {
 public:
  explicit Documents(EditorSession& session) : session_(session) {}

  void open(const std::string& uri, std::string text, std::int64_t version);
  void change(const std::string& uri, const Json& changes, std::int64_t version);
  void lint_again(const std::string& uri);  // its configuration may have changed
  void close(const std::string& uri);
  void file_changed(const std::string& path);

  // The document with this URI; null if the editor has not opened it.
  Document* find(const std::string& uri);
  // The open documents by their URIs.
  const std::map<std::string, Document>& all() const { return documents_; }
  // What included files hold in the editor, rather than on the disk.
  std::map<std::string, std::string> unsaved() const;
  OpenFiles open_files() const;
  // How the document is to be read now: what it includes may have changed since it was linted.
  LintRequest request_of(const Document& document) const;
  // Gives the result of `work` on the parsed document to `then`.
  void parse_for(
      const Json& id, const Document& document, Then then,
      const std::function<Json(const Unit&, const Converter&, const LintRequest&)>& work);

  void start_linting();
  // Adds what the processes write to the events of a round.
  void watch(PollLoop& loop);
  // The findings as a response, once they are there.
  void pull(const Json& id, const Json& params);
  // Ends a pull without a response. Whether there was one.
  bool stop_pull(const Json& id);

 private:
  [[nodiscard]] std::optional<Error> start(Document& document);
  void finish(const std::string& uri, Document& document);
  Json diagnostics_of(const std::string& uri, const Document& document) const;
  void publish_included(const std::string& uri, Document& document);

  EditorSession& session_;
  std::map<std::string, Document> documents_;  // by URI
};

}  // namespace msci
