// The texts that are open in the editor, and their findings.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/io/poll_loop.h"
#include "base/process/isolated_process.h"
#include "compiler/frontend/preamble/preamble_cache.h"
#include "lint/ide/protocol/questions.h"
#include "lint/ide/protocol/replies.h"
#include "lint/ide/protocol/requests.h"
#include "lint/service/server.h"

namespace msci {

// What all requests of an editor share: the editor, and processes that work for it.
struct EditorSession {
  explicit EditorSession(const ServerOptions& options) : options(options) {}

  const ServerOptions& options;
  PreambleCache preambles{4};
  Client client{STDOUT_FILENO};
  Requests requests{client, std::max(options.lint_options.jobs, 1u)};

  // What the editor takes, as "initialize" says.
  ColumnUnit unit = ColumnUnit::utf16;
  bool can_watch = false;
  bool can_show_progress = false;
  bool can_show_document = false;
  bool takes_versions = false;

  void show_error(std::string_view message);
  // Responds with a result, or with the reason of {"error": reason}.
  void respond_or_fail(const Json& id, Json result);
  Then responding_to(const Json& id);

  // Gives the result of `work`, which runs in an isolated process, to `then`.
  void start_process(const Json& id, Then then, const std::function<Json()>& work);
  // The same for work that goes on with a source that has this preamble.
  void start_request(const Json& id, const Preamble& preamble, Then then,
                     const std::function<Json(PrecompiledPreamble)>& work);
};

// A question for the process of a ReadDocument.
std::string question_text(Answer answer, const Json& params);

// A document in the process that reads it, with the first question, and answers all of them.
class ReadDocument {
 public:
  struct Text {
    Source source;
    std::string uri;
    ColumnUnit unit;
    OpenFiles open;
    LintRequest request;
    std::span<const TaskContract> tasks;
  };
  ReadDocument(Text text, PreambleCache& preambles)
      : text_(std::move(text)), preambles_(preambles) {}
  ReadDocument(const ReadDocument&) = delete;
  ReadDocument& operator=(const ReadDocument&) = delete;

  // The answer as JSON; empty if files have changed that the compiler asked for.
  std::string answer(std::string_view question);

 private:
  void read();
  bool has_changed() const;

  Text text_;
  PreambleCache& preambles_;  // with one for such a source
  Converter converter_{text_.source, text_.unit};
  std::optional<Unit> unit_;
  // When reading began, and when what the compiler asked for had changed last, by path.
  std::filesystem::file_time_type begun_;
  std::map<std::string, std::filesystem::file_time_type> files_;
};

struct Document {
  Source source;  // named by its path
  std::int64_t version = 0;
  bool is_dirty = true;                    // this text was not given to a process yet
  std::optional<IsolatedProcess> process;  // lints it
  LintJob job;                             // of that process
  std::optional<FileReport> report;        // on this text
  std::shared_ptr<DocumentReader> reader;  // of this text; null before the first question
  std::uint64_t reader_used = 0;           // the number of its last question, of all documents'
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
  // Changes of ranges of a document that is not open have no effect. Errors: a range lies outside
  // of the text, which stays as it was.
  [[nodiscard]] std::optional<Error> change(const std::string& uri, const Json& changes,
                                            std::int64_t version);
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
  // Gives the answer to a question about the document with this URI to `then`.
  void ask(const Json& id, const std::string& uri, Document& document, Answer answer,
           const Json& params, Then then);
  // The same for `work` on the parsed document.
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
  Result<LintRequest> new_request_for(const Document& document) const;
  [[nodiscard]] std::optional<Error> start(Document& document);
  std::shared_ptr<DocumentReader> reader_of(const std::string& uri, const Document& document);
  void keep_few_readers();
  void finish(const std::string& uri, Document& document);
  Json diagnostics_of(const std::string& uri, const Document& document) const;
  void publish_included(const std::string& uri, Document& document);

  EditorSession& session_;
  std::map<std::string, Document> documents_;  // by URI
  std::uint64_t questions_ = 0;                // that readers were asked
};

// Commands, which an editor executes for a code lens or a code action.
class Commands {
 public:
  Commands(EditorSession& session, Documents& documents)
      : session_(session), documents_(documents) {}

  void execute(const Json& id, const Json& params);

 private:
  // Opens the page of a rule; shows its beginning if the editor cannot open pages, or there are
  // none.
  void explain(const Json& id, const std::string& name);
  // The token that came with a request, or one that we make for it if the editor shows progress.
  Json progress_token(const Json& params);

  EditorSession& session_;
  Documents& documents_;
  unsigned progress_tokens_ = 0;
};

// Requests about one open document.
class DocumentRequests {
 public:
  DocumentRequests(EditorSession& session, Documents& documents)
      : session_(session), documents_(documents) {}

  // Responds with the answer to a question about an open document; null if it is not open.
  void ask(const Json& id, const Json& params, Answer answer);
  // Semantic tokens, as a difference to those that the editor has if it asks for that.
  void colour(const Json& id, const Json& params);
  void code_actions(const Json& id, const Json& params);
  // Explains a finding at the place; otherwise describes the name there.
  void hover(const Json& id, const Json& params);
  void complete(const Json& id, const Json& params);
  void help_with_call(const Json& id, const Json& params);
  // The document or the lines of a range, by clang-format, with the .clang-format of the file's
  // folder or above.
  void format(const Json& id, const Json& params);

 private:
  void ask(const Json& id, const Json& params, Answer answer, Then then);

  EditorSession& session_;
  Documents& documents_;
  unsigned semantic_results_ = 0;
};

// Requests that search the Metal sources of the workspace.
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
