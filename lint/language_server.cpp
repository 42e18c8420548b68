#include "lint/language_server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <list>
#include <map>
#include <nlohmann/json.hpp>

#include "lint/apart.h"
#include "lint/format.h"
#include "lint/frame_stream.h"
#include "lint/insight.h"
#include "lint/metal/read_file.h"
#include "lint/outgoing.h"
#include "lint/positions.h"
#include "lint/suggestions.h"
#include "lint/waiting.h"
#include "lint/wire.h"
#include "rules/rules.h"

namespace msci {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_head_starts = 4;

// The protocol's numbers.
enum Fault {
  parse_error = -32700,
  method_not_found = -32601,
  invalid_params = -32602,
  not_initialized = -32002,
  request_cancelled = -32800,
  request_failed = -32803,
};
constexpr int whole_text_sync = 1;
constexpr int error_message = 1;

int number_of(Severity severity) {
  return severity == Severity::error ? 1 : severity == Severity::warning ? 2 : 3;
}

// A text that is open in the editor.
struct Document {
  Source source;  // named by its path
  std::int64_t version = 0;
  bool is_dirty = true;          // no copy has been sent to lint it
  std::optional<Apart> copy;     // that lints it
  Question question;             // which it was sent with
  std::optional<Report> report;  // of this very text
};

// A request that a copy works on.
struct Job {
  Json id;
  Apart copy;
};

// "file:///a%20b" → "/a b"; another kind of name stays as it is.
std::string path_of(const std::string& uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return uri;
  std::string path;
  for (std::size_t at = scheme.size(); at < uri.size(); ++at) {
    const auto digits = uri.substr(at + 1, 2);
    char* end = nullptr;
    const auto value = std::strtoul(digits.c_str(), &end, 16);
    const bool is_escape = uri[at] == '%' && digits.size() == 2 && end == digits.c_str() + 2;
    path += is_escape ? static_cast<char>(value) : uri[at];
    if (is_escape) at += 2;
  }
  return path;
}

// Says things in the editor's units.
class Speech {
 public:
  Speech(const Source& source, ColumnUnit unit) : source_(source), unit_(unit) {}

  Json range(const Range& range) const {
    return {{"start", position(range.begin)}, {"end", position(range.end)}};
  }

  Json diagnostic(const Finding& finding, const std::string& uri) const {
    Json json{{"range", range(finding.range)},
              {"severity", number_of(finding.severity)},
              {"code", finding.rule},
              {"source", "msci"},
              {"message", finding.message}};
    for (const auto& note : finding.notes)
      json["relatedInformation"].push_back(
          {{"location", {{"uri", uri}, {"range", range(note.range)}}}, {"message", note.message}});
    return json;
  }

  Json edits(const std::vector<Edit>& edits) const {
    Json json = Json::array();
    for (const auto& edit : edits)
      json.push_back({{"range", range(edit.range)}, {"newText", edit.replacement}});
    return json;
  }

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
};

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A page without the blocks that are its tests is what a reader wants at a place: what, and why.
std::string beginning_of(std::string_view page) {
  return std::string(page.substr(0, page.find("\n## Flagged")));
}

Json markdown(std::string text) { return {{"kind", "markdown"}, {"value", std::move(text)}}; }

Json hover_over(const Insight& insight, const Speech& speech) {
  auto text = fmt::format("```metal\n{}\n```", insight.declaration);
  if (!insight.meaning.empty()) text += fmt::format("\n\n{}", insight.meaning);
  if (insight.is_metals) text += "\n\n*Metal's own*";
  return {{"contents", markdown(std::move(text))}, {"range", speech.range(insight.range)}};
}

// The protocol's number of a kind of suggestion.
int number_of(SuggestionKind kind) {
  switch (kind) {
    case SuggestionKind::attribute:
      return 10;  // a property
    case SuggestionKind::enumerator:
      return 20;
    case SuggestionKind::field:
      return 5;
    case SuggestionKind::function:
      return 3;
    case SuggestionKind::header:
      return 17;  // a file
    case SuggestionKind::keyword:
      return 14;
    case SuggestionKind::macro:
      return 21;  // a constant
    case SuggestionKind::method:
      return 2;
    case SuggestionKind::name_space:
      return 9;  // a module
    case SuggestionKind::type:
      return 7;  // a class
    case SuggestionKind::variable:
      return 6;
  }
  return 1;  // text
}

// The editor sorts by "sortText": in our order. It puts the label in the place of the word.
Json completion_items(const std::vector<Suggestion>& suggestions) {
  Json items = Json::array();
  for (const auto& suggestion : suggestions) {
    Json item{{"label", suggestion.name},
              {"kind", number_of(suggestion.kind)},
              {"sortText", fmt::format("{:05}", items.size())}};
    if (!suggestion.detail.empty()) item["detail"] = suggestion.detail;
    if (!suggestion.meaning.empty()) item["documentation"] = suggestion.meaning;
    items.push_back(std::move(item));
  }
  return items;
}

// Characters that make an editor ask by themselves; of these the last of a pair only.
constexpr std::array triggers = {".", "[[", "::", "->"};

// Whether an editor asks because somebody wrote half of such a pair: a subscript, a label.
bool is_half_a_trigger(const Json& params, std::string_view before) {
  const auto written = params.value(Json::json_pointer("/context/triggerCharacter"), std::string());
  if (written.empty()) return false;
  return std::none_of(triggers.begin(), triggers.end(), [&](std::string_view trigger) {
    return trigger.ends_with(written) && before.ends_with(trigger);
  });
}

class LanguageServer {
 public:
  explicit LanguageServer(const Service& service)
      : service_(service), head_starts_(most_head_starts) {}

  Result<int> run() {
    while (!exit_status_) {
      while (auto frame = in_.next()) {
        if (!*frame) return frame->error();
        take(**frame);
        if (exit_status_) break;
      }
      start_linting();
      if (out_.broken() || (in_.ended() && !exit_status_)) return 1;
      wait();
    }
    while (!out_.empty() && !out_.broken()) out_.send();
    return *exit_status_;
  }

 private:
  void wait() {
    if (exit_status_) return;
    Waiting waiting;
    waiting.on(in_.descriptor(), POLLIN, [this] { in_.receive(); });
    if (!out_.empty()) waiting.on(out_.descriptor(), POLLOUT, [this] { out_.send(); });
    for (auto& [uri, document] : documents_)
      if (document.copy)
        waiting.on(document.copy->descriptor(), POLLIN, [this, &uri = uri, &document = document] {
          if (document.copy->take()) finish(uri, document);
        });
    for (auto job = jobs_.begin(); job != jobs_.end(); ++job)
      waiting.on(job->copy.descriptor(), POLLIN, [this, job] {
        if (job->copy.take()) finish(job);
      });
    waiting.wait();
  }

  // What goes out.
  void send(Json message) {
    message["jsonrpc"] = "2.0";
    out_.put(framed(dumped(message)));
  }
  void answer(const Json& id, Json result) { send({{"id", id}, {"result", std::move(result)}}); }
  void refuse(const Json& id, Fault fault, std::string_view why) {
    send({{"id", id}, {"error", {{"code", static_cast<int>(fault)}, {"message", why}}}});
  }
  void notify(std::string_view method, Json params) {
    send({{"method", method}, {"params", std::move(params)}});
  }
  void complain(std::string_view message) {
    notify("window/showMessage",
           {{"type", error_message}, {"message", fmt::format("msci-lint: {}", message)}});
  }

  // What comes in.
  void take(const std::string& text) {
    const auto message = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!message.is_object()) return refuse(nullptr, parse_error, "the message is no JSON object");
    if (!message.contains("method")) return;  // an answer: we ask nothing
    const Json id = message.value("id", Json());
    try {  // the library throws where a parameter is missing or of another type
      const auto method = message["method"].get<std::string>();
      const auto params = message.value("params", Json::object());
      if (message.contains("id"))
        take_request(id, method, params);
      else
        take_notification(method, params);
    } catch (const Json::exception& error) {
      if (message.contains("id")) refuse(id, invalid_params, error.what());
    }
  }

  void take_request(const Json& id, const std::string& method, const Json& params) {
    if (method == "initialize") return answer(id, initialized(params));
    if (!is_initialized_) return refuse(id, not_initialized, "\"initialize\" comes first");
    if (method == "shutdown") {
      is_shut_down_ = true;
      return answer(id, nullptr);
    }
    if (method == "textDocument/codeAction") return answer(id, code_actions(params));
    if (method == "textDocument/hover") return hover(id, params);
    if (method == "textDocument/completion") return complete(id, params);
    if (method == "textDocument/definition")
      return ask_clang(
          id, params,
          [](const Insight& insight, const Speech& speech, const std::string& uri) -> Json {
            if (!insight.place) return nullptr;  // a Metal header: there is no file to show
            return {{"uri", uri}, {"range", speech.range(*insight.place)}};
          });
    refuse(id, method_not_found, fmt::format("\"{}\" is nothing that is done here", method));
  }

  void take_notification(const std::string& method, const Json& params) {
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
    if (std::find(encodings.begin(), encodings.end(), "utf-8") != encodings.end())
      unit_ = ColumnUnit::byte;
    return {
        {"capabilities",
         {{"positionEncoding", unit_ == ColumnUnit::byte ? "utf-8" : "utf-16"},
          {"textDocumentSync", {{"openClose", true}, {"change", whole_text_sync}, {"save", true}}},
          {"codeActionProvider", {{"codeActionKinds", {"quickfix", "source.fixAll"}}}},
          {"hoverProvider", true},
          {"definitionProvider", true},
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

  void lint_again(const std::string& uri) {  // its configuration may be another one now
    const auto found = documents_.find(uri);
    if (found != documents_.end()) found->second.is_dirty = true;
  }

  void close(const std::string& uri) {
    documents_.erase(uri);
    notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
  }

  void cancel(const Json& id) {
    const auto found =
        std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& job) { return job.id == id; });
    if (found == jobs_.end()) return;
    jobs_.erase(found);
    refuse(id, request_cancelled, "cancelled");
  }

  // Linting. All messages that are here are taken first, so that of many changes the last is
  // linted; a copy that works on an older text is given up.
  void start_linting() {
    for (auto& [uri, document] : documents_) {
      if (!document.is_dirty) continue;
      document.is_dirty = false;
      document.copy.reset();
      if (auto started = start(document); !started) complain(started.error().message);
    }
  }

  Result<std::monostate> start(Document& document) {
    auto configs = service_.configs;
    const auto config = configs.of(document.source.name);
    if (!config) return config.error();
    auto request = request_from(service_.wishes, *config, all_rules());
    if (!request) return request.error();
    if (auto fit = source_from(document.source.name, document.source.text); !fit)
      return fit.error();
    document.question = {document.source, *std::move(request)};
    head_starts_.prepare(preamble_of(document.source.text, document.question.request.version));
    auto copy = Apart::start(
        [&] { return to_wire(examine(document.question, all_rules(), &head_starts_)); });
    if (!copy) return copy.error();
    document.copy = *std::move(copy);
    return std::monostate();
  }

  void finish(const std::string& uri, Document& document) {
    auto ended = document.copy->finish();
    document.copy.reset();
    auto examined = answer_of(ended, document.question);
    if (!examined) return complain(examined.error().message);
    document.report = std::move(examined->report);
    const Speech speech(document.source, unit_);
    Json diagnostics = Json::array();
    for (const auto& finding : document.report->findings)
      if (finding.file.empty()) diagnostics.push_back(speech.diagnostic(finding, uri));
    notify("textDocument/publishDiagnostics",
           {{"uri", uri}, {"version", document.version}, {"diagnostics", std::move(diagnostics)}});
  }

  // What the editor asks about a place.
  Json code_actions(const Json& params) {
    const std::string uri = params.at("textDocument").at("uri");
    const auto found = documents_.find(uri);
    Json actions = Json::array();
    if (found == documents_.end() || !found->second.report) return actions;
    const auto& report = *found->second.report;
    const Speech speech(report.source, unit_);
    const auto begin = speech.location(params.at("range").at("start"));
    const auto end = speech.location(params.at("range").at("end"));
    for (const auto& finding : report.findings) {
      if (!finding.file.empty() || finding.range.begin > end || finding.range.end < begin) continue;
      for (const auto& fix : finding.fixes)
        actions.push_back({{"title", title_of(fix, report.source)},
                           {"kind", "quickfix"},
                           {"isPreferred", fix.safe},
                           {"diagnostics", {speech.diagnostic(finding, uri)}},
                           {"edit", {{"changes", {{uri, speech.edits(fix.edits)}}}}}});
    }
    const auto all = fix(report.source, report.findings, Fixes::safe);
    if (all.fixes > 0)
      actions.push_back(
          {{"title", "carry out all safe fixes"},
           {"kind", "source.fixAll"},
           {"edit", {{"changes", {{uri, speech.edits({whole(report.source, all)})}}}}}});
    return actions;
  }

  static Edit whole(const Source& source, const Fixed& fixed) {
    return {{{1, 1}, location_at(source, source.text.size())}, fixed.text};
  }

  // A finding at the place is explained; else Clang is asked what stands there.
  void hover(const Json& id, const Json& params) {
    const auto found = documents_.find(params.at("textDocument").at("uri"));
    if (found == documents_.end()) return answer(id, nullptr);
    if (const auto& report = found->second.report) {
      const Speech speech(report->source, unit_);
      const auto place = speech.location(params.at("position"));
      for (const auto& finding : report->findings)
        if (const auto* rule = find_rule(all_rules(), finding.rule); rule && finding.file.empty() &&
                                                                     finding.range.begin <= place &&
                                                                     place <= finding.range.end)
          return answer(id, {{"contents", markdown(beginning_of(rule->page))},
                             {"range", speech.range(finding.range)}});
    }
    ask_clang(id, params, [](const Insight& insight, const Speech& speech, const std::string&) {
      return hover_over(insight, speech);
    });
  }

  using Reply = Json (*)(const Insight&, const Speech&, const std::string& uri);

  // Answers with what `reply` makes of the name at a place; in a copy, as all that reads sources.
  void ask_clang(const Json& id, const Json& params, Reply reply) {
    const std::string uri = params.at("textDocument").at("uri");
    const auto found = documents_.find(uri);
    if (found == documents_.end()) return answer(id, nullptr);
    const auto& source = found->second.source;
    const auto version = found->second.question.request.version;
    const auto place = Speech(source, unit_).location(params.at("position"));
    start_job(id, preamble_of(source.text, version), [&](HeadStart start) -> Json {
      const auto insight = insight_at(parse(std::move(start), source), place);
      if (!insight) return nullptr;
      return reply(*insight, Speech(source, unit_), uri);
    });
  }

  void complete(const Json& id, const Json& params) {
    const auto found = documents_.find(params.at("textDocument").at("uri"));
    if (found == documents_.end()) return answer(id, nullptr);
    const auto& source = found->second.source;
    const auto place = Speech(source, unit_).location(params.at("position"));
    const auto before = std::string_view(source.text).substr(0, offset_of(source, place));
    if (is_half_a_trigger(params, before)) return answer(id, Json::array());
    const auto version = found->second.question.request.version;
    start_job(id, preamble_of(source.text, version), [&](HeadStart start) {
      return completion_items(suggestions_at(std::move(start), source, place));
    });
  }

  // Answers with what `work` makes of a source; in a copy, as all that reads sources.
  void start_job(const Json& id, const Preamble& preamble,
                 const std::function<Json(HeadStart)>& work) {
    head_starts_.prepare(preamble);
    auto copy = Apart::start([&]() -> std::string {
      auto start = head_starts_.take(preamble);
      return start ? dumped(work(*std::move(start))) : "null";
    });
    if (!copy) return refuse(id, request_failed, copy.error().message);
    jobs_.push_back({id, *std::move(copy)});
  }

  void finish(std::list<Job>::iterator job) {
    const auto ended = job->copy.finish();
    const auto* text = ended ? std::get_if<std::string>(&*ended) : nullptr;
    if (text)
      answer(job->id, Json::parse(*text, nullptr, /*allow_exceptions=*/false));
    else
      answer(job->id, nullptr);  // the source broke its reader, of which linting tells
    jobs_.erase(job);
  }

  const Service& service_;
  HeadStarts head_starts_;
  FrameStream in_{STDIN_FILENO};
  Outgoing out_{STDOUT_FILENO};
  std::map<std::string, Document> documents_;  // by URI
  std::list<Job> jobs_;
  ColumnUnit unit_ = ColumnUnit::utf16;
  bool is_initialized_ = false;
  bool is_shut_down_ = false;
  std::optional<int> exit_status_;
};

}  // namespace

Result<int> serve_editor(const Service& service) {
  ::signal(SIGPIPE, SIG_IGN);  // who does not hear us shows when we write
  return LanguageServer(service).run();
}

}  // namespace msci
