#include "lint/ide/server/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/files/read_file.h"
#include "base/files/uri.h"
#include "base/io/acceptor.h"
#include "lint/run/serialise.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_processes = 256;

std::string canonical(const std::string& path) {
  std::error_code error;
  const auto found = fs::weakly_canonical(path, error);
  return error ? path : found.string();
}

bool is_configuration(const std::string& path) {
  const auto name = fs::path(path).filename();
  return name == config_name || name == "compile_commands.json";
}

}  // namespace

// Lints what depends on a file once more.
void Documents::file_changed(const std::string& path) {
  const auto changed = canonical(path);
  for (auto& [uri, document] : documents_) {
    document.reader.reset();
    if (document.lookups.contains(changed) || is_configuration(path)) document.is_dirty = true;
  }
}

void Documents::open(const std::string& uri, std::string text, std::int64_t version) {
  auto& document = documents_[uri];
  document.source = {path_of(uri), std::move(text)};
  document.version = version;
  document.report.reset();
  document.is_dirty = true;
  file_changed(document.source.name);
}

// Each change applies to the text that the changes before it made. Without any, the text stays and
// its version changes.
std::optional<Error> Documents::change(const std::string& uri, const Json& changes,
                                       std::int64_t version) {
  const auto& list = changes.get_ref<const Json::array_t&>();
  const auto* document = find(uri);
  if (!document && (list.empty() || list.front().contains("range"))) return std::nullopt;
  Result<std::string> text = document ? document->source.text : std::string();
  for (const auto& each : list) {
    text = text_after(each, *std::move(text), session_.unit);
    if (!text) return text.error();
  }
  open(uri, *std::move(text), version);
  return std::nullopt;
}

void Documents::lint_again(const std::string& uri) {
  const auto found = documents_.find(uri);
  if (found == documents_.end()) return;
  found->second.is_dirty = true;
  file_changed(found->second.source.name);
}

void Documents::close(const std::string& uri) {
  if (const auto found = documents_.find(uri); found != documents_.end()) {
    for (const auto& id : found->second.pulls)
      session_.client.respond(id, {{"kind", "full"}, {"items", Json::array()}});
    found->second.report.reset();
    publish_included(uri, found->second);
    const auto path = found->second.source.name;
    documents_.erase(found);
    file_changed(path);  // what the disk has counts again
  }
  session_.client.notify("textDocument/publishDiagnostics",
                         {{"uri", uri}, {"diagnostics", Json::array()}});
}

// All received messages are handled first, so that only the last of many changes is
// linted. A process that lints an older text is killed.
void Documents::start_linting() {
  auto running = std::ranges::count_if(
      documents_, [](const auto& each) { return each.second.process.has_value(); });
  const auto most = static_cast<std::ptrdiff_t>(processes_at_once(most_processes));
  for (auto& [uri, document] : documents_) {
    if (!document.is_dirty) continue;
    if (document.process) --running;
    document.process.reset();
    if (running == most) continue;  // it starts when another one has ended
    ++running;
    document.is_dirty = false;
    const auto error = start(document);
    if (!error) continue;
    for (const auto& id : std::exchange(document.pulls, {}))
      session_.client.respond_error(id, ProtocolError::request_failed, error->message);
    session_.show_error(error->message);
  }
}

Result<LintRequest> Documents::new_request_for(const Document& document) const {
  auto configs = session_.options.configs;
  auto request = request_for(document.source.name, session_.options.lint_options, configs,
                             session_.options.rules);
  if (!request) return request;
  if (!document.source.name.starts_with('/')) request->compile.readable_folders.clear();
  request->compile.unsaved = unsaved();
  return request;
}

std::optional<Error> Documents::start(Document& document) {
  auto request = new_request_for(document);
  if (!request) return request.error();
  if (auto fit = source_from(document.source.name, document.source.text); !fit) return fit.error();
  document.job = {.source = document.source, .request = *std::move(request)};
  session_.preambles.prepare(preamble_of(document.source.text, document.job.request.compile));
  auto process = IsolatedProcess::start(
      [&] { return examine_serialised(document.job, session_.options.rules, &session_.preambles); },
      session_.options.lint_options.limits);
  if (!process) return process.error();
  document.process = *std::move(process);
  return std::nullopt;
}

Json Documents::diagnostics_of(const std::string& uri, const Document& document) const {
  const auto& report = *document.report;
  const Converter converter(document.source, session_.unit, session_.options.rule_pages);
  Json diagnostics = Json::array();
  for (const auto& finding : report.findings)
    if (finding.place.file.empty())
      diagnostics.push_back(converter.diagnostic(report, finding, uri));
  if (const auto& why = report.error)
    diagnostics.push_back({{"range", converter.range({{1, 1}, {1, 1}})},
                           {"severity", number_of(Severity::note)},
                           {"source", "msci"},
                           {"message", fmt::format("not checked to its end: {}", *why)}});
  return diagnostics;
}

void Documents::pull(const Json& id, const Json& params) {
  const std::string uri = params.at("textDocument").at("uri");
  const auto found = documents_.find(uri);
  if (found == documents_.end())
    return session_.client.respond(id, {{"kind", "full"}, {"items", Json::array()}});
  if (!found->second.report) return found->second.pulls.push_back(id);
  session_.client.respond(id, {{"kind", "full"}, {"items", diagnostics_of(uri, found->second)}});
}

void Documents::finish(const std::string& uri, Document& document) {
  const auto outcome = document.process->finish();
  document.process.reset();
  auto result = result_of(outcome, document.job);
  if (!result) {
    for (const auto& id : std::exchange(document.pulls, {}))
      session_.client.respond_error(id, ProtocolError::request_failed, result.error().message);
    return session_.show_error(result.error().message);
  }
  document.report = std::move(result->report);
  document.lookups.clear();
  for (const auto& lookup : document.report->lookups)
    document.lookups.insert(canonical(lookup.path));
  auto diagnostics = diagnostics_of(uri, document);
  for (const auto& id : std::exchange(document.pulls, {}))
    session_.client.respond(id, {{"kind", "full"}, {"items", diagnostics}});
  session_.client.notify(
      "textDocument/publishDiagnostics",
      {{"uri", uri}, {"version", document.version}, {"diagnostics", std::move(diagnostics)}});
  publish_included(uri, document);
}

// The findings in included files that are not open themselves. An empty list clears what the last
// version of the document had there.
void Documents::publish_included(const std::string& uri, Document& document) {
  std::map<std::string, Json> lists;
  for (const auto& file : document.included) lists.emplace(file, Json::array());
  document.included.clear();
  if (document.report)
    for (const auto& finding : document.report->findings) {
      if (finding.place.file.empty()) continue;
      const auto& file = document.report->source_of(finding.place);
      auto& list = lists.emplace(uri_of(file.name), Json::array()).first->second;
      list.push_back(Converter(file, session_.unit, session_.options.rule_pages)
                         .diagnostic(*document.report, finding, uri));
    }
  for (auto& [file, list] : lists) {
    if (documents_.contains(file)) continue;
    if (!list.empty()) document.included.push_back(file);
    session_.client.notify("textDocument/publishDiagnostics",
                           {{"uri", file}, {"diagnostics", std::move(list)}});
  }
}

std::map<std::string, std::string> Documents::unsaved() const {
  std::map<std::string, std::string> texts;
  for (const auto& [uri, document] : documents_)
    if (document.source.name.starts_with('/'))
      texts.emplace(document.source.name, document.source.text);
  return texts;
}

OpenFiles Documents::open_files() const {
  OpenFiles open;
  for (const auto& [uri, document] : documents_) open.emplace(document.source.name, uri);
  return open;
}

LintRequest Documents::request_of(const Document& document) const {
  auto request = document.job.request;
  request.compile.unsaved = unsaved();
  return request;
}

void Documents::ask(const Json& id, const std::string& uri, Document& document, Answer answer,
                    const Json& params, Then then) {
  document.reader_used = ++questions_;
  if (!document.reader) {
    document.reader = reader_of(uri, document);
    keep_few_readers();
  }
  session_.requests.ask(document.reader, {id, question_text(answer, params), std::move(then)});
}

std::shared_ptr<DocumentReader> Documents::reader_of(const std::string& uri,
                                                     const Document& document) {
  const auto request = new_request_for(document);
  const ReadDocument::Text text{.source = document.source,
                                .uri = uri,
                                .unit = session_.unit,
                                .open = open_files(),
                                .request = request ? *request : request_of(document),
                                .tasks = session_.options.tasks};
  return std::make_shared<DocumentReader>([this, text]() -> AnsweringWork {
    const auto preamble = preamble_of(text.source.text, text.request.compile);
    session_.preambles.prepare(preamble);
    return [document = std::make_shared<ReadDocument>(text, session_.preambles)](
               std::string_view question) { return document->answer(question); };
  });
}

// Each process of a reader takes memory. A reader that is at work goes on without its document.
void Documents::keep_few_readers() {
  constexpr std::ptrdiff_t most = 4;
  const auto has_reader = [](const auto& each) { return each.second.reader != nullptr; };
  if (std::ranges::count_if(documents_, has_reader) <= most) return;
  std::ranges::min_element(documents_, {}, [&](const auto& each) {
    return std::pair(!has_reader(each), each.second.reader_used);
  })->second.reader.reset();
}

void Documents::parse_for(
    const Json& id, const Document& document, Then then,
    const std::function<Json(const Unit&, const Converter&, const LintRequest&)>& work) {
  const auto& source = document.source;
  const auto request = request_of(document);
  session_.start_request(id, preamble_of(source.text, request.compile), std::move(then),
                         [&](PrecompiledPreamble start) {
                           const auto unit = parse(std::move(start), source, request.compile);
                           return work(unit, Converter(source, session_.unit), request);
                         });
}

Document* Documents::find(const std::string& uri) {
  const auto found = documents_.find(uri);
  return found == documents_.end() ? nullptr : &found->second;
}

void Documents::watch(PollLoop& loop) {
  for (auto& [uri, document] : documents_)
    if (document.process)
      loop.watch(document.process->descriptor(), POLLIN, [this, &uri = uri, &document = document] {
        if (document.process->read_available()) finish(uri, document);
      });
}

bool Documents::stop_pull(const Json& id) {
  std::size_t stopped = 0;
  for (auto& [uri, document] : documents_) stopped += std::erase(document.pulls, id);
  return stopped > 0;
}

}  // namespace msci
