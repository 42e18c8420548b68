#include "search/generate/endpoint.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <variant>

#include "base/json.h"
#include "base/text.h"

namespace msci::search {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;  // of a reply
constexpr std::chrono::milliseconds longest_wait = std::chrono::minutes(2);
// Of a server that has never been reached: its address is wrong rather than the server busy.
constexpr unsigned unreached_retries = 1;
constexpr int default_max_tokens = 16384;  // where the style demands a number
constexpr std::size_t quoted_bytes = 300;  // of a server's error message

struct FreeHandle {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Handle = std::unique_ptr<CURL, FreeHandle>;
using Headers = std::unique_ptr<curl_slist, FreeList>;

// The response to one request.
struct Response {
  long status = 0;
  std::string type;  // "text/html; charset=utf-8"; empty if the server states none
  std::string body;
  std::chrono::seconds retry_after{0};
};

// A failed request, which may be worth a retry.
struct Refusal {
  std::string reason;
  bool is_final = false;
  bool is_of_all = false;  // of every request with this key and address
  bool was_reached = true;
  std::chrono::milliseconds wait{0};  // that the server requests
};

std::size_t take_bytes(char* data, std::size_t size, std::size_t count, void* body) {
  auto& text = *static_cast<std::string*>(body);
  if (text.size() + size * count > most_bytes) return 0;
  text.append(data, size * count);
  return size * count;
}

void add(Headers& headers, const std::string& header) {
  headers.reset(curl_slist_append(headers.release(), header.c_str()));
}

Headers headers_of(const Endpoint& endpoint) {
  Headers headers;
  add(headers, "Content-Type: application/json");
  const bool is_anthropic = endpoint.style == Endpoint::Style::anthropic;
  if (is_anthropic) add(headers, "anthropic-version: 2023-06-01");
  if (!endpoint.key.empty())
    add(headers, (is_anthropic ? "x-api-key: " : "Authorization: Bearer ") + endpoint.key);
  return headers;
}

Result<std::string> body_of(const Endpoint& endpoint, const std::string& prompt) {
  Json body = {{"model", endpoint.model}, {"messages", {{{"role", "user"}, {"content", prompt}}}}};
  if (endpoint.style == Endpoint::Style::anthropic) body["max_tokens"] = default_max_tokens;
  for (const auto& [field, text] : endpoint.more) {
    auto value = parse_json<Json>(text);
    if (!value)
      return Error{
          fmt::format("the value of {} is not JSON: {} (strings need quotes)", field, text)};
    body[field] = *std::move(value);
  }
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Why no response came.
struct NoResponse {
  std::string reason;
  bool was_reached = true;  // otherwise the server's name is unknown or it takes no connection
};

std::variant<Response, NoResponse> post(const Endpoint& endpoint, const std::string& body) {
  const Handle handle(curl_easy_init());
  if (!handle) return NoResponse{"cannot start libcurl"};
  const auto headers = headers_of(endpoint);
  Response response;
  char reason[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(handle.get(), CURLOPT_URL, endpoint.url.c_str());
  curl_easy_setopt(handle.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(handle.get(), CURLOPT_POSTFIELDS, body.data());
  curl_easy_setopt(handle.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(handle.get(), CURLOPT_WRITEFUNCTION, take_bytes);
  curl_easy_setopt(handle.get(), CURLOPT_WRITEDATA, &response.body);
  curl_easy_setopt(handle.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(endpoint.limit.count()));
  curl_easy_setopt(handle.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_FOLLOWLOCATION, 0L);  // the key is for this server alone
  curl_easy_setopt(handle.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle.get(), CURLOPT_ERRORBUFFER, reason);
  const auto code = curl_easy_perform(handle.get());
  if (code != CURLE_OK)
    return NoResponse{
        .reason = fmt::format("{}: {}", endpoint.url, *reason ? reason : curl_easy_strerror(code)),
        .was_reached = code != CURLE_COULDNT_CONNECT && code != CURLE_COULDNT_RESOLVE_HOST &&
                       code != CURLE_UNSUPPORTED_PROTOCOL};
  curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &response.status);
  const char* type = nullptr;
  curl_easy_getinfo(handle.get(), CURLINFO_CONTENT_TYPE, &type);
  response.type = type ? type : "";
  curl_off_t seconds = 0;
  curl_easy_getinfo(handle.get(), CURLINFO_RETRY_AFTER, &seconds);
  response.retry_after = std::chrono::seconds(seconds);
  return response;
}

// The front of a web site, where an address lacks the path of the endpoint, or a proxy.
bool is_web_page(const Response& response) {
  const auto start = lower_case(trimmed(response.body).substr(0, 14));
  return lower_case(response.type).starts_with("text/html") || start.starts_with("<html") ||
         start == "<!doctype html";
}

// The server's error message.
std::string error_message_in(const Response& response) {
  if (is_web_page(response)) return "a web page (text/html)";
  const auto& body = response.body;
  const auto json = parse_json<Json>(body);
  if (json && json->is_object() && json->contains("error") && json->at("error").is_object()) {
    const auto message = json->at("error").find("message");
    if (message != json->at("error").end() && message->is_string())
      return message->get<std::string>();
  }
  return body.substr(0, quoted_bytes);
}

// Unauthorized, forbidden, or not found.
bool is_of_all_requests(long status) { return status == 401 || status == 403 || status == 404; }

bool is_worth_a_retry(long status) { return status == 408 || status == 429 || status >= 500; }

// A count of the reply's usage; 0 where the server gives none. A good answer is not lost over it.
std::uint64_t usage_count(const Json& json, const char* field) {
  const auto usage = json.find("usage");
  if (usage == json.end() || !usage->is_object()) return 0;
  const auto count = usage->find(field);
  return count != usage->end() && count->is_number_unsigned() ? count->get<std::uint64_t>() : 0;
}

void read_openai(const Json& json, Reply& reply) {
  const auto& choice = json.at("choices").at(0);
  const auto& content = choice.at("message").at("content");
  if (content.is_string()) reply.text = content.get<std::string>();
  reply.was_cut = choice.value("finish_reason", Json()) == "length";
  reply.input_tokens = usage_count(json, "prompt_tokens");
  reply.output_tokens = usage_count(json, "completion_tokens");
}

void read_anthropic(const Json& json, Reply& reply) {
  for (const auto& part : json.at("content"))
    if (part.at("type") == "text") reply.text += part.at("text").get<std::string>();
  reply.was_cut = json.value("stop_reason", Json()) == "max_tokens";
  for (const auto* field :
       {"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"})
    reply.input_tokens += usage_count(json, field);
  reply.output_tokens = usage_count(json, "output_tokens");
}

std::variant<Reply, Refusal> read_reply(const Endpoint& endpoint, const Response& response) {
  const auto malformed = [&](std::string_view why) {
    return Refusal{
        .reason = fmt::format("{}: the reply does not have that style: {}", endpoint.url, why),
        .is_final = true};
  };
  const bool is_openai = endpoint.style == Endpoint::Style::openai;
  if (is_web_page(response))
    return Refusal{
        .reason = fmt::format("{}: the address answered with a web page (text/html), not "
                              "with {}; check its path",
                              endpoint.url, is_openai ? "chat completions" : "messages"),
        .is_final = true};
  const auto json = parse_json<Json>(response.body);
  if (!json) return malformed(json.error().message);
  try {
    Reply reply;
    (is_openai ? read_openai : read_anthropic)(*json, reply);
    return reply;
  } catch (const Json::exception& error) {
    return malformed(error.what());
  }
}

std::variant<Reply, Refusal> try_once(const Endpoint& endpoint, const std::string& body) {
  const auto posted = post(endpoint, body);
  if (const auto* none = std::get_if<NoResponse>(&posted))
    return Refusal{.reason = none->reason, .was_reached = none->was_reached};
  const auto* response = &std::get<Response>(posted);
  if (response->status == 200) return read_reply(endpoint, *response);
  return Refusal{.reason = fmt::format("{}: status {}: {}", endpoint.url, response->status,
                                       error_message_in(*response)),
                 .is_final = !is_worth_a_retry(response->status),
                 .is_of_all = is_of_all_requests(response->status),
                 .wait = response->retry_after};
}

}  // namespace

Result<Reply> ask(const Endpoint& endpoint, const std::string& prompt,
                  const std::function<void(const std::string&)>& on_retry, bool* is_refused) {
  const auto body = body_of(endpoint, prompt);
  if (!body) return body.error();
  auto wait = endpoint.first_wait;
  bool was_reached = false;
  for (unsigned attempt = 1;; ++attempt) {
    auto answer = try_once(endpoint, *body);
    if (auto* reply = std::get_if<Reply>(&answer)) {
      reply->attempts = attempt;
      return std::move(*reply);
    }
    const auto& refusal = std::get<Refusal>(answer);
    if (is_refused) *is_refused = refusal.is_of_all;
    if (refusal.is_final) return Error{refusal.reason};
    was_reached |= refusal.was_reached;
    const unsigned retries =
        was_reached ? endpoint.retries : std::min(endpoint.retries, unreached_retries);
    if (attempt > retries)
      return Error{fmt::format("{} (after {} attempts)", refusal.reason, attempt)};
    const auto pause = std::min(std::max(wait, refusal.wait), longest_wait);
    on_retry(fmt::format("{}; trying again in {:g} s", refusal.reason,
                         std::chrono::duration<double>(pause).count()));
    std::this_thread::sleep_for(pause);
    wait *= 2;
  }
}

}  // namespace msci::search
