#include "lint/ide/language_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "base/files/install_paths.h"
#include "base/files/uri.h"
#include "base/io/message_reader.h"
#include "base/io/poll_loop.h"
#include "base/json.h"
#include "base/process/rounds.h"
#include "lint/ide/features.h"
#include "lint/ide/protocol/code_actions.h"
#include "lint/ide/protocol/replies.h"
#include "lint/ide/server/documents.h"

namespace msci {
namespace {

constexpr int incremental_sync = 2;

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

Json semantic_tokens_options() {
  return {{"legend", {{"tokenTypes", semantic_kinds}, {"tokenModifiers", semantic_modifiers}}},
          {"full", {{"delta", true}}},
          {"range", true}};
}

Json command_options() {
  return {{"commands", {evaluate_command, check_command, explain_command}},
          {"workDoneProgress", true}};
}

class LanguageServer {
 public:
  explicit LanguageServer(const ServerOptions& options) : session_(options) {}

  Result<int> run() {
    run_rounds([this] { return answer_round(); });
    if (error_) return *error_;
    while (!out_.empty() && !out_.broken()) out_.write_available();
    return *exit_status_;
  }

 private:
  // A request of the protocol.
  struct Request {
    std::string_view method;
    void (*handle)(LanguageServer& server, const Json& id, const Json& params);
    const char* capability;  // that announces it; empty if another request's does
    Json (*options)();       // the value of the capability
  };
  static const std::vector<Request>& requests() {
    static const std::vector<Request> all{
#define MSCI_REQUEST(method, target, function, capability, options) \
  {method,                                                          \
   [](LanguageServer& server, const Json& id, const Json& params) { \
     server.target.function(id, params);                            \
   },                                                               \
   capability, []() -> Json { return options; }},
#define MSCI_QUESTION(method, answer, capability, options)          \
  {method,                                                          \
   [](LanguageServer& server, const Json& id, const Json& params) { \
     server.document_requests_.ask(id, params, answers::answer);    \
   },                                                               \
   capability, []() -> Json { return options; }},
#include "lint/ide/requests.def"
#undef MSCI_QUESTION
#undef MSCI_REQUEST
    };
    return all;
  }

  // Answers what has arrived, and waits for more. False at the end.
  bool answer_round() {
    while (auto frame = in_.next_frame()) {
      if (!*frame) {
        error_ = frame->error();
        return false;
      }
      receive(**frame);
      if (exit_status_) return false;
    }
    documents_.start_linting();
    if (out_.broken() || in_.ended()) {
      exit_status_ = 1;
      return false;
    }
    error_ = wait();
    return !error_;
  }

  std::optional<Error> wait() {
    PollLoop loop;
    loop.watch(in_.descriptor(), POLLIN, [this] { in_.read_available(); });
    if (!out_.empty()) loop.watch(out_.descriptor(), POLLOUT, [this] { out_.write_available(); });
    documents_.watch(loop);
    session_.requests.watch(loop);
    return loop.wait();
  }

  void receive(const std::string& text) {
    const auto parsed = parse_json<Json>(text);
    if (!parsed || !parsed->is_object())
      return session_.client.respond_error(nullptr, ProtocolError::parse_error,
                                           "the message is not a JSON object");
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
      if (message.contains("id"))
        session_.client.respond_error(id, ProtocolError::invalid_params, error.what());
    }
  }

  void handle_request(const Json& id, const std::string& method, const Json& params) {
    auto& client = session_.client;
    if (method == "initialize") return client.respond(id, initialized(params));
    if (!is_initialized_)
      return client.respond_error(id, ProtocolError::not_initialized,
                                  "\"initialize\" must come first");
    if (method == "shutdown") {
      is_shut_down_ = true;
      return client.respond(id, nullptr);
    }
    for (const auto& request : requests())
      if (request.method == method) return request.handle(*this, id, params);
    client.respond_error(id, ProtocolError::method_not_found,
                         fmt::format("unknown method \"{}\"", method));
  }

  void handle_notification(const std::string& method, const Json& params) {
    if (method == "exit") exit_status_ = is_shut_down_ ? 0 : 1;
    if (method == "$/cancelRequest") cancel(params.at("id"));
    if (method == "window/workDoneProgress/cancel") cancel_progress(params.at("token"));
    if (method == "initialized") watch_files();
    if (method == "workspace/didChangeWatchedFiles")
      for (const auto& change : params.at("changes"))
        documents_.file_changed(path_of(change.at("uri").get<std::string>()));
    if (method == "workspace/didChangeWorkspaceFolders") search_.change_folders(params.at("event"));
    if (!method.starts_with("textDocument/did") || !is_initialized_) return;
    const auto& item = params.at("textDocument");
    const std::string uri = item.at("uri");
    if (method == "textDocument/didOpen")
      documents_.open(uri, item.at("text"), item.value("version", 0));
    if (method == "textDocument/didChange")
      change(uri, params.at("contentChanges"), item.value("version", 0));
    if (method == "textDocument/didSave") documents_.lint_again(uri);
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
      session_.unit = ColumnUnit::byte;
    else if (offers("utf-32") && !offers("utf-16"))
      session_.unit = ColumnUnit::character;
    const auto can = [&](const char* what) {
      return params.value(Json::json_pointer(what), false);
    };
    session_.can_watch = can("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration");
    session_.can_show_progress = can("/capabilities/window/workDoneProgress");
    session_.can_show_document = can("/capabilities/window/showDocument/support");
    session_.takes_versions = can("/capabilities/workspace/workspaceEdit/documentChanges");
    search_.open_workspace(params);
    Json capabilities{
        {"positionEncoding", name_of(session_.unit)},
        {"textDocumentSync", {{"openClose", true}, {"change", incremental_sync}, {"save", true}}},
        {"workspace",
         {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}}};
    for (const auto& request : requests())
      if (*request.capability) capabilities[request.capability] = request.options();
    return {{"capabilities", std::move(capabilities)},
            {"serverInfo", {{"name", "msci-lint"}, {"version", program_version()}}}};
  }

  // Asks to be told when included files and configurations change.
  void watch_files() {
    if (!session_.can_watch) return;
    Json watchers = Json::array();
    for (const auto* pattern :
         {"**/*.metal", "**/*.{h,hpp,metalh}", "**/.msci.json", "**/compile_commands.json"})
      watchers.push_back({{"globPattern", pattern}});
    session_.client.request("client/registerCapability",
                            {{"registrations",
                              {{{"id", "files"},
                                {"method", "workspace/didChangeWatchedFiles"},
                                {"registerOptions", {{"watchers", std::move(watchers)}}}}}}});
  }

  // Without its text, a document counts as closed until the editor sends the whole text.
  void change(const std::string& uri, const Json& changes, std::int64_t version) {
    const auto error = documents_.change(uri, changes, version);
    if (!error) return;
    close(uri);
    session_.show_error(
        fmt::format("{}: {}; close and open the file", path_of(uri), error->message));
  }

  void close(const std::string& uri) {
    documents_.close(uri);
    search_.forget_symbols(path_of(uri));
  }

  void cancel(const Json& id) {
    const bool waited = documents_.stop_pull(id);
    if (session_.requests.stop(id) || waited)
      session_.client.respond_error(id, ProtocolError::request_cancelled, "cancelled");
  }
  void cancel_progress(const Json& token) {
    for (const auto& id : session_.requests.ids_of(token)) cancel(id);
  }

  EditorSession session_;
  FrameReader in_{STDIN_FILENO};
  BufferedWriter& out_ = session_.client.out();
  Documents documents_{session_};
  DocumentRequests document_requests_{session_, documents_};
  WorkspaceSearch search_{session_, documents_};
  Commands commands_{session_, documents_};
  bool is_initialized_ = false;
  bool is_shut_down_ = false;
  std::optional<int> exit_status_;
  std::optional<Error> error_;  // that keeps the server from going on
};

}  // namespace

Result<int> serve_editor(const ServerOptions& options) {
  ::signal(SIGPIPE, SIG_IGN);  // write() reports a closed reader
  return LanguageServer(options).run();
}

}  // namespace msci
