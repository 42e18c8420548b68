#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <utility>

#include "base/json.h"
#include "evaluator/page/clients.h"
#include "evaluator/page/http_server.h"
#include "evaluator/server/answer_source.h"
#include "evaluator/server/judge_request.h"
#include "evaluator/server/judge_server.h"
#include "tasks/describe.h"
#include "tasks/plan/task.h"

namespace msci {
namespace {

constexpr std::size_t most_waiting = 256;
constexpr JsonOptions request_limits{.max_bytes = longest_body, .max_depth = 64};
// Fields of a request to the server that name files of this machine, or that are the server's own.
constexpr std::array refused_fields = {"id", "file", "plan", "cancel"};

HttpResponse json_response(const OrderedJson& json) { return {.body = to_line(json)}; }

HttpResponse failure(unsigned status, std::string_view why) {
  return {.status = status, .body = to_line(OrderedJson{{"error", why}})};
}

// The text of a model in a response of OpenAI's interface (`output`, with the parts of messages).
std::string text_of_response(const OrderedJson& response) {
  std::string text;
  if (!response.is_object()) return text;
  for (const auto& item : response.value("output", OrderedJson::array())) {
    if (!item.is_object() || item.value("type", OrderedJson("message")) != "message") continue;
    const auto content = item.value("content", OrderedJson::array());
    if (!content.is_array()) continue;
    for (const auto& part : content)
      if (part.is_object() && part.contains("text") && part["text"].is_string())
        text += part["text"].get<std::string>();
  }
  return text;
}

// What one kernel earned. Null where msci could not judge it, which says nothing about the kernel.
OrderedJson reward_in(const OrderedJson& answer) {
  const auto evaluation = answer.find("evaluation");
  return evaluation == answer.end() ? OrderedJson() : evaluation->value("reward", OrderedJson());
}

// For Prometheus.
struct Counters {
  std::map<std::string, std::uint64_t> answers;  // by result

  void count(const OrderedJson& answer) {
    const auto reward = reward_in(answer);
    const bool is_right = answer.contains("evaluation") &&
                          answer["evaluation"].value("correct", OrderedJson()) == true;
    ++answers[reward.is_null() && !answer.contains("report") ? "unjudged"
              : answer.contains("report")                    ? "linted"
              : is_right                                     ? "right"
                                                             : "wrong"];
  }

  std::string text(std::size_t waiting, std::uint64_t busy) const {
    std::string text = fmt::format(
        "# HELP msci_waiting Requests that are being judged or wait for it.\n"
        "# TYPE msci_waiting gauge\nmsci_waiting {}\n"
        "# HELP msci_refused_total Requests that were refused because too many waited.\n"
        "# TYPE msci_refused_total counter\nmsci_refused_total {}\n"
        "# HELP msci_answers_total Answers, by what they say of the kernel.\n"
        "# TYPE msci_answers_total counter\n",
        waiting, busy);
    for (const auto* result : {"right", "wrong", "unjudged", "linted"}) {
      const auto found = answers.find(result);
      text += fmt::format("msci_answers_total{{result=\"{}\"}} {}\n", result,
                          found == answers.end() ? 0 : found->second);
    }
    return text;
  }
};

class JudgeHttp : public HttpService {
 public:
  JudgeHttp(const JudgeHttpOptions& options, std::string token)
      : tasks_(options.tasks),
        token_("Bearer " + std::move(token)),
        judge_(options.judge_command, most_waiting) {}

  void serve(const HttpRequest& request, const Respond& respond) override {
    const auto path = request.path();
    // A probe has no secret.
    if (request.method == "GET" && path == "/health")
      return respond(json_response({{"status", "healthy"}}));
    if (!is_same_secret(request.authorization, token_))
      return respond(failure(401, "send the header Authorization: Bearer TOKEN"));
    if (request.method == "GET") return respond(get(path));
    if (request.method != "POST") return respond(failure(405, "only GET and POST"));
    auto json = request.body.empty() ? Result<OrderedJson>(OrderedJson::object())
                                     : parse_json<OrderedJson>(request.body, request_limits);
    if (!json || !json->is_object())
      return respond(failure(400, "the request is not a JSON object"));
    if (path == "/verify") return verify(*std::move(json), respond);
    if (path == "/step") return step(*json, respond);
    if (path == "/reset") return respond(reset(*json));
    respond(failure(404, "unknown address"));
  }

  void watch(PollLoop& loop) override {
    std::erase_if(asked_, [&](const auto& each) {
      if (!each.second.is_gone()) return false;
      judge_.cancel(each.first);
      return true;
    });
    judge_.watch(loop);
  }

  // Ends the judging server before a second has passed.
  void end() {
    judge_.ask_to_end();
    judge_.end(PollLoop::Clock::now() + std::chrono::milliseconds(800));
  }

 private:
  // Makes the response of an answer that has a verdict.
  using Describe = std::function<OrderedJson(OrderedJson answer)>;

  HttpResponse get(std::string_view path) const {
    if (path == "/metrics")
      return {.type = "text/plain; version=0.0.4",
              .body = counters_.text(judge_.waiting(), too_many_)};
    // Each step is an episode, so that no state is kept.
    if (path == "/state") return json_response({{"episode_id", nullptr}, {"step_count", 0}});
    return failure(404, "unknown address");
  }

  void ask(OrderedJson request, const Respond& respond, Describe describe) {
    for (const auto* field : refused_fields)
      if (request.contains(field))
        return respond(failure(400, fmt::format("unknown field '{}'", field)));
    const auto task = request.find("task");
    if (task != request.end() && !has_task(*task))
      return respond(failure(400, "unknown task; POST /reset lists them"));
    if (const auto line = parse_served_line(to_line(request)); !line.content)
      return respond(failure(400, line.content.error().message));
    const auto ticket = judge_.ask(std::move(request), [this, respond, describe](auto answer) {
      std::erase_if(asked_, [&](const auto& each) { return each.first == answer["id"]; });
      counters_.count(answer);
      answer.erase("id");
      // A request that cannot be read was refused above: an error is ours.
      if (answer.contains("error")) return respond({.status = 503, .body = to_line(answer)});
      respond(json_response(describe(std::move(answer))));
    });
    if (ticket) {
      asked_.emplace(*ticket, respond);
    } else {
      ++too_many_;
      respond(failure(429, ticket.error().message));
    }
  }

  // A request as lines have it, or one of NeMo Gym, whose members come back beside the reward.
  void verify(OrderedJson json, const Respond& respond) {
    const auto response = json.find("response");
    if (response == json.end())
      return ask(std::move(json), respond, [](OrderedJson answer) {
        answer["reward"] = reward_in(answer);
        return answer;
      });
    auto request = request_of(json, text_of_response(*response));
    ask(std::move(request), respond, [json = std::move(json)](const OrderedJson& answer) {
      auto verified = json;
      verified["reward"] = reward_in(answer);
      verified["evaluation"] = answer.value("evaluation", OrderedJson());
      return verified;
    });
  }

  // An action of OpenEnv: {"task", "answer" or "source", "verdict", "rival"}.
  void step(const OrderedJson& json, const Respond& respond) {
    const auto action = json.find("action");
    if (action == json.end() || !action->is_object())
      return respond(failure(400, "a step has an action, {\"task\": …, \"source\": …}"));
    const auto text = action->find("answer");
    const auto source = action->find("source");
    if (text != action->end() ? !text->is_string()
                              : source == action->end() || !source->is_string())
      return respond(failure(400, "the action has no \"source\" and no \"answer\""));
    auto request = request_of(*action, text != action->end() ? text->get<std::string>() : "");
    if (source != action->end()) request["source"] = *source;
    ask(std::move(request), respond, [](const OrderedJson& answer) {
      return OrderedJson{
          {"observation", {{"evaluation", answer.value("evaluation", OrderedJson())}}},
          {"reward", reward_in(answer)},
          {"done", true}};
    });
  }

  // The strict verdict on the source in a model's answer. An answer without one is no kernel.
  static OrderedJson request_of(const OrderedJson& fields, const std::string& answer) {
    OrderedJson request{{"verdict", "strict"}};
    for (const auto* name : {"task", "verdict", "rival", "nonce"})
      if (const auto found = fields.find(name); found != fields.end()) request[name] = *found;
    auto source = find_source(answer);
    request["source"] = source ? *std::move(source) : "";
    return request;
  }

  bool has_task(const OrderedJson& name) const {
    return std::ranges::any_of(tasks_, [&](const auto& each) { return name == each; });
  }

  HttpResponse reset(const OrderedJson& json) const {
    const auto name = json.value("task", OrderedJson());
    OrderedJson observation{{"tasks", tasks_}};
    if (!name.is_null()) {
      if (!has_task(name)) return failure(400, "unknown task; POST /reset without one lists them");
      const auto task = find_task(name.get<std::string>());
      if (!task) return failure(503, task.error().message);
      observation = {{"task", parse_json<OrderedJson>(describe_as_json(**task)).value()}};
    }
    return json_response({{"observation", observation}, {"reward", nullptr}, {"done", false}});
  }

  std::vector<std::string> tasks_;
  std::string token_;
  JudgeClient judge_;
  std::map<std::uint64_t, Respond> asked_;
  Counters counters_;
  std::uint64_t too_many_ = 0;
};

}  // namespace

std::optional<Error> serve_judge_over_http(const JudgeHttpOptions& options) {
  auto listener = listen_on(options.address, options.port);
  if (!listener) return listener.error();
  auto token = options.token;
  OrderedJson said{{"address", fmt::format("http://{}:{}", options.address, listener->port)}};
  if (token.empty()) {
    auto made = random_token();
    if (!made) return made.error();
    said["token"] = token = *std::move(made);
  }
  fmt::print("{}\n", to_line(said));
  std::fflush(stdout);
  JudgeHttp service(options, std::move(token));
  auto error = serve_http(service, *listener);
  service.end();
  return error;
}

}  // namespace msci
