#include "lint/ide/language_server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <list>
#include <map>
#include <utility>

#include "base/files/read_file.h"
#include "base/files/uri.h"
#include "base/io/buffered_writer.h"
#include "base/io/frame_reader.h"
#include "base/io/poll_loop.h"
#include "base/json.h"
#include "base/process/isolated_process.h"
#include "base/process/run_command.h"
#include "lint/ide/completion.h"
#include "lint/ide/hover.h"
#include "lint/ide/names.h"
#include "lint/ide/positions.h"
#include "lint/ide/symbols.h"
#include "lint/output/edit_text.h"
#include "lint/service/serialise.h"

namespace msci {
namespace {

constexpr std::size_t most_precompiled = 4;

// The error codes of the protocol.
enum ErrorCode {
  parse_error = -32700,
  method_not_found = -32601,
  invalid_params = -32602,
  not_initialized = -32002,
  request_cancelled = -32800,
  request_failed = -32803,
};
constexpr int whole_text_sync = 1;
constexpr std::chrono::seconds formatting_limit(5);
constexpr int error_message_type = 1;

int number_of(Severity severity) {
  return severity == Severity::error ? 1 : severity == Severity::warning ? 2 : 3;
}

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
};

// A request that an isolated process works on.
struct PendingRequest {
  Json id;
  IsolatedProcess process;
};

// Converts findings, edits and locations to the protocol's JSON, in the editor's column unit.
class Converter {
 public:
  Converter(const Source& source, ColumnUnit unit, const RulePages& rule_pages = {})
      : source_(source), unit_(unit), rule_pages_(rule_pages) {}

  Json range(const Range& range) const {
    return {{"start", position(range.begin)}, {"end", position(range.end)}};
  }

  // `uri` is the source's; notes can lie in files that it includes.
  Json diagnostic(const Report& report, const Finding& finding, const std::string& uri) const {
    Json json{{"range", range(finding.range)},
              {"severity", number_of(finding.severity)},
              {"code", finding.rule},
              {"source", "msci"},
              {"message", finding.message}};
    if (!rule_pages_.is_unknown())
      json["codeDescription"]["href"] = rule_pages_.url_of(finding.rule);
    for (const auto& note : finding.notes) {
      const auto [file, range] = report.place_of(finding, note);
      const auto there = &file == &report.source ? uri : uri_of(file.name);
      json["relatedInformation"].push_back(
          {{"location", {{"uri", there}, {"range", Converter(file, unit_).range(range)}}},
           {"message", note.message}});
    }
    return json;
  }

  Json edits(const std::vector<Edit>& edits) const {
    Json json = Json::array();
    for (const auto& edit : edits)
      json.push_back({{"range", range(edit.range)}, {"newText", edit.replacement}});
    return json;
  }

  ColumnUnit unit() const { return unit_; }

  Location location(const Json& position) const {
    return location_of({position.at("line"), position.at("character")}, source_, unit_);
  }

 private:
  Json position(Location location) const {
    const auto place = position_of(location, source_, unit_);
    return {{"line", place.line}, {"character", place.column}};
  }

  const Source& source_;
  ColumnUnit unit_;
  RulePages rule_pages_;
};

// The page of a rule up to its examples: what the rule finds, and why.
std::string beginning_of(std::string_view page) {
  return std::string(page.substr(0, page.find("\n## Flagged")));
}

Json markdown(std::string text) { return {{"kind", "markdown"}, {"value", std::move(text)}}; }

Json hover_json(const Hover& hover, const Converter& converter) {
  auto text = fmt::format("```metal\n{}\n```", hover.declaration);
  if (!hover.meaning.empty()) text += fmt::format("\n\n{}", hover.meaning);
  if (hover.is_metals) text += "\n\n*Part of Metal*";
  return {{"contents", markdown(std::move(text))}, {"range", converter.range(hover.range)}};
}

// A place in an included file, which is read again for its columns.
Json included_place(const Hover& hover, ColumnUnit unit) {
  const auto file = read_source(hover.file);
  if (!file) return nullptr;
  return {{"uri", uri_of(hover.file)}, {"range", Converter(*file, unit).range(*hover.place)}};
}

// The protocol's number of a kind of completion.
int number_of(CompletionKind kind) {
  switch (kind) {
    case CompletionKind::attribute:
      return 10;  // a property
    case CompletionKind::enumerator:
      return 20;
    case CompletionKind::field:
      return 5;
    case CompletionKind::function:
      return 3;
    case CompletionKind::header:
      return 17;  // a file
    case CompletionKind::keyword:
      return 14;
    case CompletionKind::macro:
      return 21;  // a constant
    case CompletionKind::method:
      return 2;
    case CompletionKind::name_space:
      return 9;  // a module
    case CompletionKind::type:
      return 7;  // a class
    case CompletionKind::variable:
      return 6;
  }
  return 1;  // text
}

// The protocol's number of a kind of symbol.
int number_of(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::constant:
      return 14;
    case SymbolKind::enumeration:
      return 10;
    case SymbolKind::enumerator:
      return 22;
    case SymbolKind::field:
      return 8;
    case SymbolKind::function:
      return 12;
    case SymbolKind::method:
      return 6;
    case SymbolKind::name_space:
      return 3;
    case SymbolKind::structure:
      return 23;
    case SymbolKind::type:
      return 5;  // a class
  }
  return 13;  // a variable
}

Json symbols_json(const std::vector<Symbol>& symbols, const Converter& converter) {
  Json json = Json::array();
  for (const auto& symbol : symbols) {
    Json each{{"name", symbol.name},
              {"kind", number_of(symbol.kind)},
              {"range", converter.range(symbol.range)},
              {"selectionRange", converter.range(symbol.name_range)},
              {"children", symbols_json(symbol.members, converter)}};
    if (!symbol.detail.empty()) each["detail"] = symbol.detail;
    json.push_back(std::move(each));
  }
  return json;
}

// The editor sorts by "sortText", which keeps our order. The label replaces the word.
Json completion_items(const std::vector<Completion>& completions) {
  Json items = Json::array();
  for (const auto& completion : completions) {
    Json item{{"label", completion.name},
              {"kind", number_of(completion.kind)},
              {"sortText", fmt::format("{:05}", items.size())}};
    if (!completion.detail.empty()) item["detail"] = completion.detail;
    if (!completion.meaning.empty()) item["documentation"] = completion.meaning;
    items.push_back(std::move(item));
  }
  return items;
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
    for (auto each = pending_.begin(); each != pending_.end(); ++each)
      loop.watch(each->process.descriptor(), POLLIN, [this, each] {
        if (each->process.read_available()) finish(each);
      });
    loop.wait();
  }

  // Sending.
  void send(Json message) {
    message["jsonrpc"] = "2.0";
    out_.append(to_frame(to_line(message)));
  }
  void respond(const Json& id, Json result) { send({{"id", id}, {"result", std::move(result)}}); }
  void respond_error(const Json& id, ErrorCode code, std::string_view why) {
    send({{"id", id}, {"error", {{"code", static_cast<int>(code)}, {"message", why}}}});
  }
  void notify(std::string_view method, Json params) {
    send({{"method", method}, {"params", std::move(params)}});
  }
  void report_error(std::string_view message) {
    notify("window/showMessage",
           {{"type", error_message_type}, {"message", fmt::format("msci-lint: {}", message)}});
  }

  // Receiving.
  void receive(const std::string& text) {
    const auto parsed = parse_json<Json>(text);
    if (!parsed || !parsed->is_object())
      return respond_error(nullptr, parse_error, "the message is not a JSON object");
    const auto& message = *parsed;
    if (!message.contains("method")) return;  // a response; we send no requests
    const Json id = message.value("id", Json());
    try {  // the library throws where a parameter is missing or of another type
      const auto method = message["method"].get<std::string>();
      const auto params = message.value("params", Json::object());
      if (message.contains("id"))
        handle_request(id, method, params);
      else
        handle_notification(method, params);
    } catch (const Json::exception& error) {
      if (message.contains("id")) respond_error(id, invalid_params, error.what());
    }
  }

  void handle_request(const Json& id, const std::string& method, const Json& params) {
    if (method == "initialize") return respond(id, initialized(params));
    if (!is_initialized_)
      return respond_error(id, not_initialized, "\"initialize\" must come first");
    if (method == "shutdown") {
      is_shut_down_ = true;
      return respond(id, nullptr);
    }
    if (method == "textDocument/codeAction") return respond(id, code_actions(params));
    if (method == "textDocument/diagnostic") return pull(id, params);
    if (method == "textDocument/formatting") return format(id, params);
    if (method == "textDocument/hover") return hover(id, params);
    if (method == "textDocument/completion") return complete(id, params);
    if (method == "textDocument/documentSymbol") return outline(id, params);
    if (method == "textDocument/documentHighlight") return highlight(id, params);
    if (method == "textDocument/definition")
      return ask_clang(
          id, params,
          [](const Hover& hover, const Converter& converter, const std::string& uri) -> Json {
            if (!hover.place) return nullptr;  // a Metal header, which is not a file
            if (!hover.file.empty()) return included_place(hover, converter.unit());
            return {{"uri", uri}, {"range", converter.range(*hover.place)}};
          });
    respond_error(id, method_not_found, fmt::format("unknown method \"{}\"", method));
  }

  void handle_notification(const std::string& method, const Json& params) {
    if (method == "exit") exit_status_ = is_shut_down_ ? 0 : 1;
    if (method == "$/cancelRequest") cancel(params.at("id"));
    if (!method.starts_with("textDocument/did") || !is_initialized_) return;
    const auto& item = params.at("textDocument");
    const std::string uri = item.at("uri");
    if (method == "textDocument/didOpen") open(uri, item.at("text"), item.value("version", 0));
    if (method == "textDocument/didChange")
      open(uri, params.at("contentChanges").back().at("text"), item.value("version", 0));
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
    return {
        {"capabilities",
         {{"positionEncoding", name_of(unit_)},
          {"textDocumentSync", {{"openClose", true}, {"change", whole_text_sync}, {"save", true}}},
          {"codeActionProvider", {{"codeActionKinds", {"quickfix", "source.fixAll"}}}},
          {"hoverProvider", true},
          {"documentFormattingProvider", true},
          {"diagnosticProvider",
           {{"interFileDependencies", true}, {"workspaceDiagnostics", false}}},
          {"definitionProvider", true},
          {"documentSymbolProvider", true},
          {"documentHighlightProvider", true},
          {"completionProvider", {{"triggerCharacters", {".", "[", ":", ">"}}}}}},
        {"serverInfo", {{"name", "msci-lint"}, {"version", MSCI_VERSION}}}};
  }

  void open(const std::string& uri, std::string text, std::int64_t version) {
    auto& document = documents_[uri];
    document.source = {path_of(uri), std::move(text)};
    document.version = version;
    document.report.reset();
    document.is_dirty = true;
  }

  void lint_again(const std::string& uri) {  // its configuration may have changed
    const auto found = documents_.find(uri);
    if (found != documents_.end()) found->second.is_dirty = true;
  }

  void close(const std::string& uri) {
    if (const auto found = documents_.find(uri); found != documents_.end()) {
      for (const auto& id : found->second.pulls)
        respond(id, {{"kind", "full"}, {"items", Json::array()}});
      found->second.report.reset();
      publish_included(uri, found->second);
      documents_.erase(found);
    }
    notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
  }

  void cancel(const Json& id) {
    for (auto& [uri, document] : documents_)
      if (std::erase(document.pulls, id) > 0) respond_error(id, request_cancelled, "cancelled");
    const auto found =
        std::find_if(pending_.begin(), pending_.end(),
                     [&](const PendingRequest& request) { return request.id == id; });
    if (found == pending_.end()) return;
    pending_.erase(found);
    respond_error(id, request_cancelled, "cancelled");
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
        respond_error(id, request_failed, started.error().message);
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
        respond_error(id, request_failed, result.error().message);
      return report_error(result.error().message);
    }
    document.report = std::move(result->report);
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
    Json actions = Json::array();
    if (found == documents_.end() || !found->second.report) return actions;
    const auto& report = *found->second.report;
    const Converter converter(report.source, unit_, options_.rule_pages);
    const auto begin = converter.location(params.at("range").at("start"));
    const auto end = converter.location(params.at("range").at("end"));
    for (const auto& finding : report.findings) {
      if (!finding.file.empty() || finding.range.begin > end || finding.range.end < begin) continue;
      for (const auto& fix : finding.fixes)
        actions.push_back({{"title", title_of(fix, report.source)},
                           {"kind", "quickfix"},
                           {"isPreferred", fix.safe},
                           {"diagnostics", {converter.diagnostic(report, finding, uri)}},
                           {"edit", {{"changes", {{uri, converter.edits(fix.edits)}}}}}});
    }
    const auto all = apply_fixes(report.source, report.findings, Fixes::safe);
    if (all.fixes > 0)
      actions.push_back(
          {{"title", "apply all safe fixes"},
           {"kind", "source.fixAll"},
           {"edit", {{"changes", {{uri, converter.edits({whole(report.source, all)})}}}}}});
    return actions;
  }

  static Edit whole(const Source& source, const FixedText& fixed) {
    return {{{1, 1}, location_at(source, source.text.size())}, fixed.text};
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
    ask_clang(id, params, [](const Hover& hover, const Converter& converter, const std::string&) {
      return hover_json(hover, converter);
    });
  }

  void outline(const Json& id, const Json& params) {
    parse_for(id, params, [](const Unit& unit, const Converter& converter) {
      return symbols_json(symbols_of(unit), converter);
    });
  }

  // Where else the document has the name at a place.
  void highlight(const Json& id, const Json& params) {
    parse_for(id, params, [&](const Unit& unit, const Converter& converter) -> Json {
      const auto* found = declaration_at(unit, converter.location(params.at("position")));
      if (!found) return nullptr;
      Json highlights = Json::array();
      for (const auto& range : occurrences_of(unit, *found))
        highlights.push_back({{"range", converter.range(range)}});
      return highlights;
    });
  }

  // Responds with the result of `work` on the parsed document.
  void parse_for(const Json& id, const Json& params,
                 const std::function<Json(const Unit&, const Converter&)>& work) {
    const auto found = documents_.find(params.at("textDocument").at("uri"));
    if (found == documents_.end()) return respond(id, nullptr);
    const auto& source = found->second.source;
    const auto& compile = found->second.job.request.compile;
    start_request(id, preamble_of(source.text, compile), [&](PrecompiledPreamble start) {
      return work(parse(std::move(start), source, compile), Converter(source, unit_));
    });
  }

  using Reply = Json (*)(const Hover&, const Converter&, const std::string& uri);

  // Responds with the `reply` for the name at a place. Like everything that parses sources, it runs
  // in an isolated process.
  void ask_clang(const Json& id, const Json& params, Reply reply) {
    const std::string uri = params.at("textDocument").at("uri");
    parse_for(id, params, [&](const Unit& unit, const Converter& converter) -> Json {
      const auto hover = hover_at(unit, converter.location(params.at("position")));
      return hover ? reply(*hover, converter, uri) : Json();
    });
  }

  void complete(const Json& id, const Json& params) {
    const auto found = documents_.find(params.at("textDocument").at("uri"));
    if (found == documents_.end()) return respond(id, nullptr);
    const auto& source = found->second.source;
    const auto place = Converter(source, unit_).location(params.at("position"));
    const auto before = std::string_view(source.text).substr(0, offset_of(source, place));
    if (is_half_a_trigger(params, before)) return respond(id, Json::array());
    const auto& compile = found->second.job.request.compile;
    start_request(id, preamble_of(source.text, compile), [&](PrecompiledPreamble start) {
      return completion_items(completions_at(std::move(start), source, compile, place));
    });
  }

  // By clang-format, with the .clang-format of the file's folder or above.
  void format(const Json& id, const Json& params) {
    const auto found = documents_.find(params.at("textDocument").at("uri"));
    if (found == documents_.end()) return respond(id, nullptr);
    const auto& source = found->second.source;
    auto process = IsolatedProcess::start([&]() -> std::string {
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
    if (!process) return respond_error(id, request_failed, process.error().message);
    pending_.push_back({id, *std::move(process)});
  }

  // Responds with the result of `work`, which runs in an isolated process.
  void start_request(const Json& id, const Preamble& preamble,
                     const std::function<Json(PrecompiledPreamble)>& work) {
    preambles_.prepare(preamble);
    auto process = IsolatedProcess::start([&]() -> std::string {
      auto start = preambles_.take(preamble);
      return start ? to_line(work(*std::move(start))) : "null";
    });
    if (!process) return respond_error(id, request_failed, process.error().message);
    pending_.push_back({id, *std::move(process)});
  }

  void finish(std::list<PendingRequest>::iterator request) {
    const auto outcome = request->process.finish();
    const auto* text = outcome ? std::get_if<std::string>(&*outcome) : nullptr;
    const auto json = text ? parse_json<Json>(*text) : Result<Json>(Json());
    // If the source crashed the process, linting reports it; nothing is shown here.
    respond(request->id, json ? *json : Json());
    pending_.erase(request);
  }

  const ServerOptions& options_;
  PreambleCache preambles_;
  FrameReader in_{STDIN_FILENO};
  BufferedWriter out_{STDOUT_FILENO};
  std::map<std::string, Document> documents_;  // by URI
  std::list<PendingRequest> pending_;
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
