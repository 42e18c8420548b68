#include "lint/ide/language_server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/files/install_paths.h"
#include "base/files/read_file.h"
#include "base/files/uri.h"
#include "base/io/message_reader.h"
#include "base/io/poll_loop.h"
#include "base/json.h"
#include "base/process/isolated_process.h"
#include "base/process/run_command.h"
#include "lint/ide/completion.h"
#include "lint/ide/protocol/client.h"
#include "lint/ide/protocol/code_actions.h"
#include "lint/ide/protocol/code_lenses.h"
#include "lint/ide/protocol/converter.h"
#include "lint/ide/protocol/questions.h"
#include "lint/ide/protocol/replies.h"
#include "lint/ide/protocol/requests.h"
#include "lint/ide/protocol/searches.h"
#include "lint/ide/signature_help.h"
#include "lint/service/serialise.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_precompiled = 4;
constexpr int whole_text_sync = 1;
constexpr std::chrono::seconds formatting_limit(5);

// A text that is open in the editor.
struct Document {
  Source source;  // named by its path
  std::int64_t version = 0;
  bool is_dirty = true;                    // this text was not given to a process yet
  std::optional<IsolatedProcess> process;  // lints it
  LintJob job;                             // of that process
  std::optional<Report> report;            // on this text
  std::vector<std::string> included;       // files with findings, as URIs
  std::vector<Json> pulls;                 // requests that wait for the report, by id
  std::set<std::string> lookups;           // canonical paths that the last report depends on
  Json semantic_data;                      // that the editor has, under this id
  std::string semantic_id;
};

// The symbols of a file of the workspace and of what it includes, as long as none of it changes.
struct KnownSymbols {
  std::map<std::string, fs::file_time_type> written;  // by path
  Json part;
};

std::string canonical(const std::string& path) {
  std::error_code error;
  const auto found = fs::weakly_canonical(path, error);
  return error ? path : found.string();
}

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

bool is_configuration(const std::string& path) {
  const auto name = fs::path(path).filename();
  return name == config_name || name == "compile_commands.json";
}

// The page of a rule up to its examples: what the rule finds, and why.
std::string beginning_of(std::string_view page) {
  return std::string(page.substr(0, page.find("\n## Flagged")));
}

std::string_view name_of(ColumnUnit unit) {
  switch (unit) {
    case ColumnUnit::byte:
      return "utf-8";
    case ColumnUnit::utf16:
      return "utf-16";
    case ColumnUnit::character:
      return "utf-32";
  }
  return "";
}

// What triggers completion. Editors send a request at the last character of a pair.
constexpr std::array triggers = {".", "[[", "::", "->"};

// Whether the typed character is the half of a pair: a subscript "[", a label ":".
bool is_half_a_trigger(const Json& params, std::string_view before) {
  const auto written = params.value(Json::json_pointer("/context/triggerCharacter"), std::string());
  if (written.empty()) return false;
  return std::none_of(triggers.begin(), triggers.end(), [&](std::string_view trigger) {
    return trigger.ends_with(written) && before.ends_with(trigger);
  });
}

class LanguageServer {
 public:
  explicit LanguageServer(const ServerOptions& options)
      : options_(options), preambles_(most_precompiled) {}

  Result<int> run() {
    while (!exit_status_) {
      while (auto frame = in_.next_frame()) {
        if (!*frame) return frame->error();
        receive(**frame);
        if (exit_status_) break;
      }
      start_linting();
      if (out_.broken() || (in_.ended() && !exit_status_)) return 1;
      wait();
    }
    while (!out_.empty() && !out_.broken()) out_.write_available();
    return *exit_status_;
  }

 private:
  void wait() {
    if (exit_status_) return;
    PollLoop loop;
    loop.watch(in_.descriptor(), POLLIN, [this] { in_.read_available(); });
    if (!out_.empty()) loop.watch(out_.descriptor(), POLLOUT, [this] { out_.write_available(); });
    for (auto& [uri, document] : documents_)
      if (document.process)
        loop.watch(document.process->descriptor(), POLLIN,
                   [this, &uri = uri, &document = document] {
                     if (document.process->read_available()) finish(uri, document);
                   });
    requests_.watch(loop);
    loop.wait();
  }

  // Sending.
  void respond(const Json& id, Json result) { client_.respond(id, std::move(result)); }
  void respond_error(const Json& id, ProtocolError code, std::string_view why) {
    client_.respond_error(id, code, why);
  }
  void notify(std::string_view method, Json params) { client_.notify(method, std::move(params)); }
  void report_error(std::string_view message) {
    client_.show(MessageType::error, fmt::format("msci-lint: {}", message));
  }

  // Receiving.
  void receive(const std::string& text) {
    const auto parsed = parse_json<Json>(text);
    if (!parsed || !parsed->is_object())
      return respond_error(nullptr, ProtocolError::parse_error, "the message is not a JSON object");
    const auto& message = *parsed;
    if (!message.contains("method")) return;  // a response; we do not use those of our requests
    const Json id = message.value("id", Json());
    try {  // the library throws where a parameter is missing or of another type
      const auto method = message["method"].get<std::string>();
      const auto params = message.value("params", Json::object());
      if (message.contains("id"))
        handle_request(id, method, params);
      else
        handle_notification(method, params);
    } catch (const Json::exception& error) {
      if (message.contains("id")) respond_error(id, ProtocolError::invalid_params, error.what());
    }
  }

  void handle_request(const Json& id, const std::string& method, const Json& params) {
    if (method == "initialize") return respond(id, initialized(params));
    if (!is_initialized_)
      return respond_error(id, ProtocolError::not_initialized, "\"initialize\" must come first");
    if (method == "shutdown") {
      is_shut_down_ = true;
      return respond(id, nullptr);
    }
    if (method == "textDocument/codeAction") return respond(id, code_actions(params));
    if (method == "textDocument/diagnostic") return pull(id, params);
    if (method == "textDocument/formatting") return format(id, params);
    if (method == "textDocument/hover") return hover(id, params);
    if (method == "textDocument/completion") return complete(id, params);
    if (method == "textDocument/signatureHelp") return help_with_call(id, params);
    if (method == "textDocument/references") return find_references(id, params);
    if (method == "textDocument/rename") return rename_symbol(id, params);
    if (method == "workspace/symbol") return find_symbols(id, params);
    if (method == "workspace/executeCommand") return execute(id, params);
    if (method.starts_with("textDocument/semanticTokens/full"))
      return colour(id, params, answer_to(method));
    if (const auto answer = answer_to(method)) return ask(id, params, answer);
    respond_error(id, ProtocolError::method_not_found,
                  fmt::format("unknown method \"{}\"", method));
  }

  void handle_notification(const std::string& method, const Json& params) {
    if (method == "exit") exit_status_ = is_shut_down_ ? 0 : 1;
    if (method == "$/cancelRequest") cancel(params.at("id"));
    if (method == "window/workDoneProgress/cancel") cancel_progress(params.at("token"));
    if (method == "initialized") watch_files();
    if (method == "workspace/didChangeWatchedFiles")
      for (const auto& change : params.at("changes"))
        file_changed(path_of(change.at("uri").get<std::string>()));
    if (method == "workspace/didChangeWorkspaceFolders") change_folders(params.at("event"));
    if (!method.starts_with("textDocument/did") || !is_initialized_) return;
    const auto& item = params.at("textDocument");
    const std::string uri = item.at("uri");
    if (method == "textDocument/didOpen") open(uri, item.at("text"), item.value("version", 0));
    if (method == "textDocument/didChange")
      change(uri, params.at("contentChanges"), item.value("version", 0));
    if (method == "textDocument/didSave") lint_again(uri);
    if (method == "textDocument/didClose") close(uri);
  }

  Json initialized(const Json& params) {
    is_initialized_ = true;
    const auto encodings =
        params.value(Json::json_pointer("/capabilities/general/positionEncodings"), Json::array());
    const auto offers = [&](std::string_view encoding) {
      return std::find(encodings.begin(), encodings.end(), encoding) != encodings.end();
    };
    if (offers("utf-8"))
      unit_ = ColumnUnit::byte;
    else if (offers("utf-32") && !offers("utf-16"))
      unit_ = ColumnUnit::character;
    const auto can = [&](const char* what) {
      return params.value(Json::json_pointer(what), false);
    };
    can_watch_ = can("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration");
    can_show_progress_ = can("/capabilities/window/workDoneProgress");
    can_show_document_ = can("/capabilities/window/showDocument/support");
    takes_versions_ = can("/capabilities/workspace/workspaceEdit/documentChanges");
    open_workspace(params);
    const Json with_progress{{"workDoneProgress", true}};
    Json capabilities = question_capabilities();
    capabilities.update(
        {{"positionEncoding", name_of(unit_)},
         {"textDocumentSync", {{"openClose", true}, {"change", whole_text_sync}, {"save", true}}},
         {"codeActionProvider", {{"codeActionKinds", {"quickfix", "source.fixAll"}}}},
         {"documentFormattingProvider", true},
         {"diagnosticProvider", {{"interFileDependencies", true}, {"workspaceDiagnostics", false}}},
         {"completionProvider", {{"triggerCharacters", {".", "[", ":", ">"}}}},
         {"signatureHelpProvider",
          {{"triggerCharacters", {"(", ","}}, {"retriggerCharacters", {")"}}}},
         {"referencesProvider", with_progress},
         {"renameProvider", {{"prepareProvider", true}, {"workDoneProgress", true}}},
         {"workspaceSymbolProvider", with_progress},
         {"executeCommandProvider",
          {{"commands", {evaluate_command, check_command, explain_command}},
           {"workDoneProgress", true}}},
         {"workspace",
          {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}}});
    return {{"capabilities", std::move(capabilities)},
            {"serverInfo", {{"name", "msci-lint"}, {"version", program_version()}}}};
  }

  // The folders that requests about the whole project search.
  void open_workspace(const Json& params) {
    const auto folders = params.value("workspaceFolders", Json());
    if (folders.is_array())
      for (const auto& folder : folders) add_folder(folder.at("uri"));
    else if (const auto root = params.value("rootUri", Json()); root.is_string())
      add_folder(root);
  }
  void add_folder(const std::string& uri) {
    if (auto path = path_of(uri); path.starts_with('/')) folders_.push_back(std::move(path));
  }
  void change_folders(const Json& event) {
    for (const auto& folder : event.at("removed"))
      std::erase(folders_, path_of(folder.at("uri").get<std::string>()));
    for (const auto& folder : event.at("added")) add_folder(folder.at("uri"));
  }

  // Asks to be told when included files and configurations change.
  void watch_files() {
    if (!can_watch_) return;
    Json watchers = Json::array();
    for (const auto* pattern :
         {"**/*.metal", "**/*.{h,hpp,metalh}", "**/.msci.json", "**/compile_commands.json"})
      watchers.push_back({{"globPattern", pattern}});
    client_.request("client/registerCapability",
                    {{"registrations",
                      {{{"id", "files"},
                        {"method", "workspace/didChangeWatchedFiles"},
                        {"registerOptions", {{"watchers", std::move(watchers)}}}}}}});
  }

  // Lints what depends on a file once more.
  void file_changed(const std::string& path) {
    const auto changed = canonical(path);
    for (auto& [uri, document] : documents_)
      if (document.lookups.contains(changed) || is_configuration(path)) document.is_dirty = true;
  }

  void open(const std::string& uri, std::string text, std::int64_t version) {
    auto& document = documents_[uri];
    document.source = {path_of(uri), std::move(text)};
    document.version = version;
    document.report.reset();
    document.is_dirty = true;
    file_changed(document.source.name);
  }

  // Only the last of the changes counts, since each holds the whole text. Without any, the text
  // stays and its version changes.
  void change(const std::string& uri, const Json& changes, std::int64_t version) {
    const auto& list = changes.get_ref<const Json::array_t&>();
    const auto found = documents_.find(uri);
    if (!list.empty())
      open(uri, list.back().at("text"), version);
    else if (found != documents_.end())
      open(uri, std::string(found->second.source.text), version);
  }

  void lint_again(const std::string& uri) {  // its configuration may have changed
    const auto found = documents_.find(uri);
    if (found == documents_.end()) return;
    found->second.is_dirty = true;
    file_changed(found->second.source.name);
  }

  void close(const std::string& uri) {
    if (const auto found = documents_.find(uri); found != documents_.end()) {
      for (const auto& id : found->second.pulls)
        respond(id, {{"kind", "full"}, {"items", Json::array()}});
      found->second.report.reset();
      publish_included(uri, found->second);
      const auto path = found->second.source.name;
      documents_.erase(found);
      forget_symbols(path);
      file_changed(path);  // what the disk has counts again
    }
    notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
  }

  void cancel(const Json& id) {
    for (auto& [uri, document] : documents_)
      if (std::erase(document.pulls, id) > 0)
        respond_error(id, ProtocolError::request_cancelled, "cancelled");
    if (requests_.stop(id)) respond_error(id, ProtocolError::request_cancelled, "cancelled");
  }
  void cancel_progress(const Json& token) {
    for (const auto& id : requests_.ids_of(token)) cancel(id);
  }

  // Linting. All received messages are handled first, so that only the last of many changes is
  // linted. A process that lints an older text is killed.
  void start_linting() {
    for (auto& [uri, document] : documents_) {
      if (!document.is_dirty) continue;
      document.is_dirty = false;
      document.process.reset();
      auto started = start(document);
      if (started) continue;
      for (const auto& id : std::exchange(document.pulls, {}))
        respond_error(id, ProtocolError::request_failed, started.error().message);
      report_error(started.error().message);
    }
  }

  Result<std::monostate> start(Document& document) {
    auto configs = options_.configs;
    auto request =
        request_for(document.source.name, options_.lint_options, configs, options_.rules);
    if (!request) return request.error();
    if (!document.source.name.starts_with('/')) request->compile.readable_folders.clear();
    if (auto fit = source_from(document.source.name, document.source.text); !fit)
      return fit.error();
    request->compile.unsaved = unsaved();
    document.job = {.source = document.source, .request = *std::move(request)};
    preambles_.prepare(preamble_of(document.source.text, document.job.request.compile));
    auto process = IsolatedProcess::start(
        [&] { return examine_serialised(document.job, options_.rules, &preambles_); },
        options_.lint_options.limits);
    if (!process) return process.error();
    document.process = *std::move(process);
    return std::monostate();
  }

  Json diagnostics_of(const std::string& uri, const Document& document) const {
    const auto& report = *document.report;
    const Converter converter(document.source, unit_, options_.rule_pages);
    Json diagnostics = Json::array();
    for (const auto& finding : report.findings)
      if (finding.file.empty()) diagnostics.push_back(converter.diagnostic(report, finding, uri));
    if (const auto& why = report.error)
      diagnostics.push_back({{"range", converter.range({{1, 1}, {1, 1}})},
                             {"severity", number_of(Severity::note)},
                             {"source", "msci"},
                             {"message", fmt::format("not checked to its end: {}", *why)}});
    return diagnostics;
  }

  // The findings as a response, once they are there.
  void pull(const Json& id, const Json& params) {
    const std::string uri = params.at("textDocument").at("uri");
    const auto found = documents_.find(uri);
    if (found == documents_.end()) return respond(id, {{"kind", "full"}, {"items", Json::array()}});
    if (!found->second.report) return found->second.pulls.push_back(id);
    respond(id, {{"kind", "full"}, {"items", diagnostics_of(uri, found->second)}});
  }

  void finish(const std::string& uri, Document& document) {
    const auto outcome = document.process->finish();
    document.process.reset();
    auto result = result_of(outcome, document.job);
    if (!result) {
      for (const auto& id : std::exchange(document.pulls, {}))
        respond_error(id, ProtocolError::request_failed, result.error().message);
      return report_error(result.error().message);
    }
    document.report = std::move(result->report);
    document.lookups.clear();
    for (const auto& lookup : document.report->lookups)
      document.lookups.insert(canonical(lookup.path));
    auto diagnostics = diagnostics_of(uri, document);
    for (const auto& id : std::exchange(document.pulls, {}))
      respond(id, {{"kind", "full"}, {"items", diagnostics}});
    notify("textDocument/publishDiagnostics",
           {{"uri", uri}, {"version", document.version}, {"diagnostics", std::move(diagnostics)}});
    publish_included(uri, document);
  }

  // The findings in included files that are not open themselves. An empty list clears what the last
  // version of the document had there.
  void publish_included(const std::string& uri, Document& document) {
    std::map<std::string, Json> lists;
    for (const auto& file : document.included) lists.emplace(file, Json::array());
    document.included.clear();
    if (document.report)
      for (const auto& finding : document.report->findings) {
        if (finding.file.empty()) continue;
        const auto& file = document.report->source_of(finding);
        auto& list = lists.emplace(uri_of(file.name), Json::array()).first->second;
        list.push_back(
            Converter(file, unit_, options_.rule_pages).diagnostic(*document.report, finding, uri));
      }
    for (auto& [file, list] : lists) {
      if (documents_.contains(file)) continue;
      if (!list.empty()) document.included.push_back(file);
      notify("textDocument/publishDiagnostics", {{"uri", file}, {"diagnostics", std::move(list)}});
    }
  }

  // Requests about a place.
  Json code_actions(const Json& params) {
    const std::string uri = params.at("textDocument").at("uri");
    const auto found = documents_.find(uri);
    if (found == documents_.end() || !found->second.report) return Json::array();
    const auto& report = *found->second.report;
    const Converter converter(report.source, unit_, options_.rule_pages);
    return msci::code_actions(
        {.report = report,
         .converter = converter,
         .uri = uri,
         .range = converter.range_from(params.at("range")),
         .only = params.value(Json::json_pointer("/context/only"), std::vector<std::string>())});
  }

  // Explains a finding at the place; otherwise describes the name there.
  void hover(const Json& id, const Json& params) {
    const auto found = documents_.find(params.at("textDocument").at("uri"));
    if (found == documents_.end()) return respond(id, nullptr);
    if (const auto& report = found->second.report) {
      const Converter converter(report->source, unit_);
      const auto place = converter.location(params.at("position"));
      for (const auto& finding : report->findings)
        if (const auto* rule = find_rule(options_.rules, finding.rule);
            rule && finding.file.empty() && finding.range.begin <= place &&
            place <= finding.range.end)
          return respond(id, {{"contents", markdown(beginning_of(rule->page))},
                              {"range", converter.range(finding.range)}});
    }
    ask(id, params, answer_to("textDocument/hover"));
  }

  // What included files hold in the editor, rather than on the disk.
  std::map<std::string, std::string> unsaved() const {
    std::map<std::string, std::string> texts;
    for (const auto& [uri, document] : documents_)
      if (document.source.name.starts_with('/'))
        texts.emplace(document.source.name, document.source.text);
    return texts;
  }
  OpenFiles open_files() const {
    OpenFiles open;
    for (const auto& [uri, document] : documents_) open.emplace(document.source.name, uri);
    return open;
  }
  // How the document is to be read now: what it includes may have changed since it was linted.
  LintRequest request_of(const Document& document) const {
    auto request = document.job.request;
    request.compile.unsaved = unsaved();
    return request;
  }

  // Gives the result of `work` on the parsed document to `then`.
  void parse_for(
      const Json& id, const Document& document, Then then,
      const std::function<Json(const Unit&, const Converter&, const LintRequest&)>& work) {
    const auto& source = document.source;
    const auto request = request_of(document);
    start_request(id, preamble_of(source.text, request.compile), std::move(then),
                  [&](PrecompiledPreamble start) {
                    const auto unit = parse(std::move(start), source, request.compile);
                    return work(unit, Converter(source, unit_), request);
                  });
  }

  Then responding_to(const Json& id) {
    return [this, id](Json result) { respond_or_fail(id, std::move(result)); };
  }
  void respond_or_fail(const Json& id, Json result) {
    if (!result.is_object() || !result.contains("error")) return respond(id, std::move(result));
    respond_error(id, ProtocolError::request_failed, result["error"].get<std::string>());
  }

  // Responds with the answer to a question about an open document; null if it is not open.
  void ask(const Json& id, const Json& params, Answer answer) {
    ask(id, params, answer, responding_to(id));
  }
  void ask(const Json& id, const Json& params, Answer answer, Then then) {
    const std::string uri = params.at("textDocument").at("uri");
    const auto found = documents_.find(uri);
    if (found == documents_.end()) return then(nullptr);
    parse_for(id, found->second, std::move(then),
              [&](const Unit& unit, const Converter& converter, const LintRequest& request) {
                const auto open = open_files();
                return answer({params, unit, converter, uri, open, request, options_.tasks});
              });
  }

  // Semantic tokens, as a difference to those that the editor has if it asks for that.
  void colour(const Json& id, const Json& params, Answer answer) {
    const std::string uri = params.at("textDocument").at("uri");
    const auto previous = params.value("previousResultId", std::string());
    ask(id, params, answer, [this, id, uri, previous](Json result) {
      const auto found = documents_.find(uri);
      if (found == documents_.end() || result.is_null()) return respond(id, nullptr);
      auto& document = found->second;
      auto before = std::exchange(document.semantic_data, result["data"]);
      const auto before_id =
          std::exchange(document.semantic_id, std::to_string(++semantic_results_));
      result["resultId"] = document.semantic_id;
      if (!previous.empty() && previous == before_id)
        return respond(id, {{"resultId", document.semantic_id},
                            {"edits", difference_json(before, document.semantic_data)}});
      respond(id, std::move(result));
    });
  }

  void complete(const Json& id, const Json& params) {
    const auto found = documents_.find(params.at("textDocument").at("uri"));
    if (found == documents_.end()) return respond(id, nullptr);
    const auto& source = found->second.source;
    const auto place = Converter(source, unit_).location(params.at("position"));
    const auto before = std::string_view(source.text).substr(0, offset_of(source, place));
    if (is_half_a_trigger(params, before)) return respond(id, Json::array());
    const auto compile = request_of(found->second).compile;
    start_request(
        id, preamble_of(source.text, compile), responding_to(id), [&](PrecompiledPreamble start) {
          return completion_items(completions_at(std::move(start), source, compile, place));
        });
  }

  void help_with_call(const Json& id, const Json& params) {
    const auto found = documents_.find(params.at("textDocument").at("uri"));
    if (found == documents_.end()) return respond(id, nullptr);
    const auto& source = found->second.source;
    const auto place = Converter(source, unit_).location(params.at("position"));
    const auto compile = request_of(found->second).compile;
    start_request(
        id, preamble_of(source.text, compile), responding_to(id), [&](PrecompiledPreamble start) {
          return signatures_json(signatures_at(std::move(start), source, compile, place), unit_);
        });
  }

  // By clang-format, with the .clang-format of the file's folder or above.
  void format(const Json& id, const Json& params) {
    const auto found = documents_.find(params.at("textDocument").at("uri"));
    if (found == documents_.end()) return respond(id, nullptr);
    const auto& source = found->second.source;
    requests_.start(id, responding_to(id), [&]() -> std::string {
      const auto done = run_command(
          {.arguments = {"clang-format", fmt::format("--assume-filename={}.cpp", source.name)},
           .input = source.text,
           .time_limit = formatting_limit,
           .output_limit = 2 * source_size_limit});
      if (!done || !done->succeeded() || done->truncated) return "null";
      if (done->out == source.text) return "[]";
      const Edit all{{{1, 1}, location_at(source, source.text.size())}, done->out};
      return to_line(Converter(source, unit_).edits({all}));
    });
  }

  // Gives the result of `work`, which runs in an isolated process, to `then`.
  void start_request(const Json& id, const Preamble& preamble, Then then,
                     const std::function<Json(PrecompiledPreamble)>& work) {
    preambles_.prepare(preamble);
    start_process(id, std::move(then), [&] {
      auto start = preambles_.take(preamble);
      return start ? work(*std::move(start)) : Json();
    });
  }
  void start_process(const Json& id, Then then, const std::function<Json()>& work) {
    requests_.start(id, std::move(then), [&] { return to_line(work()); });
  }

  // Requests about many files.
  using AtPlace = std::function<Json(const SearchedFile&, const LintRequest&)>;
  using InFile =
      std::function<Json(const SearchedFile&, const LintRequest&, const SymbolPlace& symbol)>;

  void find_references(const Json& id, const Json& params) {
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

  void rename_symbol(const Json& id, const Json& params) {
    const std::string name = params.at("newName");
    find_symbol(
        id, params, "rename",
        [&](const SearchedFile& file, const LintRequest& request) {
          const auto place = file.converter.location(params.at("position"));
          auto json = rename_at(file, request, place, name);
          if (!json.contains("error"))
            if (const auto host = host_with(folders_, symbol_from(json.at("symbol")));
                !host.empty())
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
  Json edit_of(const std::vector<Json>& parts, const std::string& name) const {
    for (const auto& part : parts) {
      if (part.is_null())
        return {{"error", "a source with this name cannot be checked: it breaks the compiler"}};
      if (part.contains("error")) return part;
    }
    Json versions;
    if (takes_versions_) versions = Json::object();
    for (const auto& [uri, document] : documents_)
      if (takes_versions_) versions[uri] = document.version;
    return workspace_edit(parts, name, versions);
  }

  // Finds a symbol in the document, with `at`, and if other sources may name it, in those of the
  // workspace that have the word, with `in`. Responds with what `end` makes of all results.
  void find_symbol(const Json& id, const Json& params, const std::string& title, const AtPlace& at,
                   const InFile& in, const std::function<Json(const std::vector<Json>&)>& end) {
    const std::string uri = params.at("textDocument").at("uri");
    const auto found = documents_.find(uri);
    if (found == documents_.end()) return respond(id, nullptr);
    // `at` reads it in another process, whose failure would be blamed on the source.
    Converter(found->second.source, unit_).location(params.at("position"));
    const auto path = found->second.source.name;
    const Progress progress(client_, params.value("workDoneToken", Json()));
    const Then then = [=, this](const Json& part) {
      if (part.is_null()) return respond_or_fail(id, end({part}));
      if (part.contains("error")) return respond_or_fail(id, part);
      const auto symbol = symbol_from(part.at("symbol"));
      const auto parts = std::make_shared<std::vector<Json>>(std::vector{part});
      if (!symbol.is_shared || symbol.file.empty()) return respond_or_fail(id, end(*parts));
      std::vector<std::string> words{symbol.name};
      // A source is seldom included itself, and if so, by its name.
      if (!symbol.is_from_file) words.push_back(file_name(symbol.file));
      list_files(id, words, [=, this](std::vector<std::string> files) {
        std::erase(files, path);
        FileSearch search{
            .id = id, .progress = progress, .title = title, .files = std::move(files)};
        search.work = [=, this](const std::string& file) {
          return parse_file(file, [&](const SearchedFile& searched, const LintRequest& request) {
            return in(searched, request, symbol);
          });
        };
        search.take = [parts](const std::string&, Json found) {
          parts->push_back(std::move(found));
        };
        search.end = [=, this] { respond_or_fail(id, end(*parts)); };
        requests_.search(std::move(search));
      });
    };
    parse_for(id, found->second, then,
              [&](const Unit& unit, const Converter& converter, const LintRequest& request) {
                const auto open = open_files();
                return at({unit, converter, uri, open}, request);
              });
  }

  void find_symbols(const Json& id, const Json& params) {
    const std::string query = params.at("query");
    const Progress progress(client_, params.value("workDoneToken", Json()));
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
        respond(id, workspace_symbols(parts, query));
      };
      requests_.search(std::move(search));
    });
  }
  // What the editor had of a file counts no more.
  void forget_symbols(const std::string& path) {
    std::erase_if(symbols_, [&](const auto& each) { return each.second.written.contains(path); });
  }
  static fs::file_time_type time_of(const std::string& file) {
    std::error_code error;
    return fs::last_write_time(file, error);
  }
  bool has_symbols(const std::string& file) const {
    const auto known = symbols_.find(file);
    if (known == symbols_.end()) return false;
    const auto open = open_files();
    const auto& written = known->second.written;
    return std::all_of(written.begin(), written.end(), [&](const auto& each) {
      return !open.contains(each.first) && time_of(each.first) == each.second;
    });
  }

  // The sources of the workspace, and those that are open, whose text has all of the words.
  void list_files(const Json& id, const std::vector<std::string>& words,
                  std::function<void(std::vector<std::string>)> then) {
    std::set<std::string> open;
    for (const auto& [uri, document] : documents_) {
      const auto& text = document.source.text;
      if (document.source.name.ends_with(".metal") &&
          std::all_of(words.begin(), words.end(),
                      [&](const auto& word) { return has_word(text, word); }))
        open.insert(document.source.name);
    }
    if (folders_.empty()) return then({open.begin(), open.end()});
    start_process(
        id,
        [this, id, open, then = std::move(then)](const Json& listed) {
          auto files = open;
          const auto all_open = open_files();
          if (listed.is_null())
            return respond_error(id, ProtocolError::request_failed,
                                 "the workspace has too many files to search them");
          for (const auto& file : listed)
            if (!all_open.contains(file)) files.insert(file.get<std::string>());
          then({files.begin(), files.end()});
        },
        [&]() -> Json { return files_with(folders_, words); });
  }

  // In an isolated process: the result of `work` on a file, as it is in the editor or on the disk.
  Json parse_file(const std::string& path,
                  const std::function<Json(const SearchedFile&, const LintRequest&)>& work) const {
    const auto open = open_files();
    const auto found = open.find(path);
    const auto source = found == open.end() ? read_source(path)
                                            : Result<Source>(documents_.at(found->second).source);
    if (!source) return {{"error", source.error().message}};
    auto configs = options_.configs;
    auto request = request_for(path, options_.lint_options, configs, options_.rules);
    if (!request) return {{"error", request.error().message}};
    request->compile.unsaved = unsaved();
    const auto unit = parse(*source, request->compile);
    if (!unit) return {{"error", unit.error().message}};
    return work({*unit, Converter(*source, unit_), uri_in(open, path), open}, *request);
  }

  // Commands.
  void execute(const Json& id, const Json& params) {
    const std::string command = params.at("command");
    if (command == explain_command) return explain(id, params.at("arguments").at(0).at("rule"));
    const bool checks = command == check_command;
    if (!checks && command != evaluate_command)
      return respond_error(id, ProtocolError::invalid_params,
                           fmt::format("unknown command \"{}\"", command));
    const auto& argument = params.at("arguments").at(0);
    const std::string uri = argument.at("uri");
    const std::string task = argument.at("task");
    const auto path = path_of(uri);
    const auto open = documents_.find(uri);
    const auto saved = read_source(path);
    if (!saved) return respond_error(id, ProtocolError::request_failed, saved.error().message);
    if (open != documents_.end() && open->second.source.text != saved->text)
      return respond_error(id, ProtocolError::request_failed,
                           "save the file first: msci-eval reads it from the disk");
    std::vector<std::string> arguments{path, "--task", task};
    if (checks) arguments.push_back("--check");
    requests_.evaluate(
        id, Progress(client_, progress_token(params)),
        fmt::format("{} {} as {}", checks ? "check" : "evaluate", file_name(path), task),
        std::move(arguments));
  }

  // Opens the page of a rule; shows its beginning if the editor cannot open pages, or there are
  // none.
  void explain(const Json& id, const std::string& name) {
    const auto* rule = find_rule(options_.rules, name);
    if (!rule)
      return respond_error(id, ProtocolError::invalid_params,
                           fmt::format("unknown rule \"{}\"", name));
    const auto& pages = options_.rule_pages;
    if (can_show_document_ && !pages.is_unknown())
      client_.request(
          "window/showDocument",
          {{"uri", pages.url_of(name)}, {"external", pages.is_on_the_web()}, {"takeFocus", true}});
    else
      client_.show(MessageType::information, beginning_of(page_of(*rule)));
    respond(id, nullptr);
  }

  // The token that came with a request, or one that we make for it if the editor shows progress.
  Json progress_token(const Json& params) {
    if (params.contains("workDoneToken") || !can_show_progress_)
      return params.value("workDoneToken", Json());
    const auto token = fmt::format("msci-progress-{}", ++progress_tokens_);
    client_.request("window/workDoneProgress/create", {{"token", token}});
    return token;
  }

  const ServerOptions& options_;
  PreambleCache preambles_;
  FrameReader in_{STDIN_FILENO};
  Client client_{STDOUT_FILENO};
  BufferedWriter& out_ = client_.out();
  std::map<std::string, Document> documents_;  // by URI
  Requests requests_{client_, std::max(options_.lint_options.jobs, 1u)};
  std::vector<std::string> folders_;             // of the workspace
  std::map<std::string, KnownSymbols> symbols_;  // by path
  unsigned semantic_results_ = 0;
  unsigned progress_tokens_ = 0;
  bool can_watch_ = false;
  bool can_show_progress_ = false;
  bool can_show_document_ = false;
  bool takes_versions_ = false;
  ColumnUnit unit_ = ColumnUnit::utf16;
  bool is_initialized_ = false;
  bool is_shut_down_ = false;
  std::optional<int> exit_status_;
};

}  // namespace

Result<int> serve_editor(const ServerOptions& options) {
  ::signal(SIGPIPE, SIG_IGN);  // write() reports a closed reader
  return LanguageServer(options).run();
}

}  // namespace msci
