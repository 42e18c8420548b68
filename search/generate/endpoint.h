// A language model behind an HTTP endpoint.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace msci::search {

struct Endpoint {
  // openai: chat completions, which most servers support. anthropic: messages.
  enum class Style { openai, anthropic };
  Style style = Style::openai;
  std::string url;  // of the resource itself: ".../v1/chat/completions", ".../v1/messages"
  std::string model;
  std::string key;                                        // empty if the server needs none
  std::vector<std::pair<std::string, std::string>> more;  // further fields of the request, as JSON
  std::chrono::milliseconds limit = std::chrono::minutes(5);  // for one attempt
  unsigned retries = 5;
  std::chrono::milliseconds first_wait = std::chrono::seconds(2);  // doubled for each further retry
};

struct Reply {
  std::string text;
  std::uint64_t input_tokens = 0;
  std::uint64_t output_tokens = 0;
  bool was_cut = false;   // it reached the limit on tokens
  unsigned attempts = 1;  // requests sent
};

// The model's reply. Retries if the connection fails or the server is busy (408, 429, 5xx), after
// the time that the server requests; once only if no attempt reached the server. `on_retry` is told
// in one line why it tries again and when. Errors: the last attempt's, or one that no retry can
// fix; `is_refused` is then whether no other prompt would be answered, either (401, 403, 404).
Result<Reply> ask(const Endpoint& endpoint, const std::string& prompt,
                  const std::function<void(const std::string&)>& on_retry,
                  bool* is_refused = nullptr);

}  // namespace msci::search
