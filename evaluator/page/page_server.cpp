#include "evaluator/page/page_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "evaluator/page/clients.h"
#include "evaluator/page/http_server.h"

namespace msci {
namespace {

// The most bytes of a source on a page.
constexpr std::size_t longest_text = std::size_t{1} << 20;
constexpr JsonOptions request_limits{.max_bytes = longest_body, .max_depth = 16};

constexpr std::array methods = {"textDocument/diagnostic", "textDocument/codeAction",
                                "textDocument/hover", "textDocument/completion",
                                "textDocument/signatureHelp"};

HttpResponse json_response(const auto& json) { return {.body = to_line(json)}; }

HttpResponse failure_response(unsigned status, std::string_view why) {
  return {.status = status, .body = to_line(OrderedJson{{"error", why}})};
}

std::string_view type_of(std::string_view name) {
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  return "text/html; charset=utf-8";
}

std::string_view web_file(std::string_view name) {
  const auto found = std::ranges::find(web_files, name, &WebFile::name);
  return found == web_files.end() ? std::string_view() : found->text;
}

class PageServer : public HttpService {
 public:
  PageServer(const PageServerOptions& options, PageAccess access)
      : content_(options.content),
        access_(std::move(access)),
        judge_(options.judge_command),
        language_(options.language_command) {}

  void serve(const HttpRequest& request, const Respond& respond) override {
    if (auto refused = refuse(request, access_)) return respond(*std::move(refused));
    const auto path = path_behind_token(request, access_);
    if (request.method == "GET") return respond(get(path, request));
    auto json = parse_json<OrderedJson>(request.body, request_limits);
    if (!json || !json->is_object())
      return respond(failure_response(400, "the request is not a JSON object"));
    if (path == "language") return ask_language(*json, respond);
    if (path == "judge") return respond(judge(*json));
    if (path == "cancel") return respond(cancel(*json));
    respond(failure_response(404, "unknown request"));
  }

  void watch(PollLoop& loop) override {
    judge_.watch(loop);
    language_.watch(loop);
  }

  // Ends both servers before a second has passed.
  void end() {
    const auto deadline = PollLoop::Clock::now() + std::chrono::milliseconds(800);
    language_.ask_to_end();
    judge_.ask_to_end();
    language_.end(deadline);
    judge_.end(deadline);
  }

 private:
  HttpResponse get(std::string_view path, const HttpRequest& request) {
    if (path.empty()) return page();
    if (path == "page.js" || path == "style.css")
      return {.type = std::string(type_of(path)), .body = std::string(web_file(path))};
    if (path == "gallery") return json_response(content_.gallery);
    if (path == "answer") return answer(request.query("ticket"));
    if (path == "rule") return rule(request.query("id"));
    return failure_response(404, "unknown address");
  }

  // The editor puts its styles into elements of the page, which the nonce allows.
  HttpResponse page() const {
    const auto nonce = random_token();
    if (!nonce) return failure_response(500, nonce.error().message);
    std::string text(web_file("page.html"));
    constexpr std::string_view place = "{nonce}";
    for (auto at = text.find(place); at != std::string::npos; at = text.find(place))
      text.replace(at, place.size(), *nonce);
    return {.type = std::string(type_of("page.html")),
            .body = std::move(text),
            .policy = fmt::format("default-src 'none'; script-src 'self'; connect-src 'self'; "
                                  "style-src 'self' 'nonce-{}'; img-src data:; base-uri 'none'; "
                                  "form-action 'none'; frame-ancestors 'none'",
                                  *nonce)};
  }

  HttpResponse answer(const std::string& text) {
    std::uint64_t ticket = 0;
    std::from_chars(text.data(), text.data() + text.size(), ticket);
    const auto state = judge_.state(ticket);
    return state ? json_response(*state) : failure_response(404, "this run was cancelled");
  }

  HttpResponse rule(const std::string& id) const {
    for (const auto& [name, page] : content_.rule_pages)
      if (name == id) return {.type = "text/plain; charset=utf-8", .body = page};
    return failure_response(404, "unknown rule");
  }

  void ask_language(const OrderedJson& json, const Respond& respond) {
    std::string name;
    LanguageQuestion question;
    ObjectReader reader(json, "a question");
    reader.require("name", name);
    reader.require("text", question.text);
    reader.require("method", question.method);
    if (const auto* params = reader.find("params")) question.params = Json::parse(to_line(*params));
    if (const auto error = reader.finish()) return respond(failure_response(400, error->message));
    if (question.text.size() > longest_text)
      return respond(failure_response(413, "the source is too long"));
    if (std::ranges::find(methods, question.method) == methods.end() ||
        !question.params.is_object())
      return respond(failure_response(400, "unknown method"));
    question.path = path_of(name);
    language_.ask(std::move(question),
                  [respond](const Json& answer) { respond(json_response(answer)); });
  }

  // A file that the user named lies where its includes are; all others are texts of the page.
  std::string path_of(const std::string& name) const {
    const auto found = std::ranges::find(content_.files, name, &Source::name);
    return found != content_.files.end() ? name : "/page/" + name;
  }

  // Requests name no files of the disk, and only the tasks that the page shows.
  HttpResponse judge(const OrderedJson& json) {
    std::string source, name, task, verdict, chip, rival;
    ObjectReader reader(json, "a request");
    reader.require("source", source);
    reader.require("name", name);
    reader.require("verdict", verdict);
    reader.read("task", task);
    reader.read("chip", chip);
    const bool has_rival = reader.read("rival", rival);
    bool wants_diagnosis = false;
    reader.read("diagnosis", wants_diagnosis);
    if (const auto error = reader.finish()) return failure_response(400, error->message);
    if (std::max(source.size(), rival.size()) > longest_text)
      return failure_response(413, "the source is too long");
    if (std::ranges::find(content_.verdicts, verdict) == content_.verdicts.end())
      return failure_response(400, "unknown verdict");
    if (!task.empty() && std::ranges::find(content_.tasks, task) == content_.tasks.end())
      return failure_response(400, "unknown task");
    OrderedJson request{{"source", source}, {"name", name}, {"verdict", verdict}};
    if (!task.empty()) request["task"] = task;
    if (!chip.empty()) request["chip"] = chip;
    if (has_rival) request["rival"] = rival;
    if (wants_diagnosis) request["diagnosis"] = true;
    const auto ticket = judge_.ask(std::move(request));
    return ticket ? json_response(OrderedJson{{"ticket", *ticket}})
                  : failure_response(429, ticket.error().message);
  }

  HttpResponse cancel(const OrderedJson& json) {
    const auto tickets = json.value("tickets", OrderedJson::array());
    for (const auto& ticket : tickets)
      if (ticket.is_number_unsigned()) judge_.cancel(ticket.get<std::uint64_t>());
    return json_response(OrderedJson::object());
  }

  const PageContent& content_;
  PageAccess access_;
  JudgeClient judge_;
  LanguageClient language_;
};

}  // namespace

std::optional<Error> serve_page(const PageServerOptions& options) {
  auto listener = listen_on("127.0.0.1", options.port);
  if (!listener) return listener.error();
  auto token = random_token();
  if (!token) return token.error();
  PageAccess access{*std::move(token), listener->port};
  fmt::print("{}\n", access.address());
  std::fflush(stdout);
  fmt::print(stderr, "Open this address in a browser on this machine. Ctrl-C ends the server.\n");
  PageServer server(options, std::move(access));
  auto error = serve_http(server, *listener);
  server.end();
  return error;
}

}  // namespace msci
