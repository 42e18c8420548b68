// A language model behind HTTP, asked once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lint/metal/result.h"

namespace msci::search {

struct Endpoint {
  // openai: chat completions, which most servers speak. anthropic: messages.
  enum class Style { openai, anthropic };
  Style style = Style::openai;
  std::string url;  // of the very resource: ".../v1/chat/completions", ".../v1/messages"
  std::string model;
  std::string key;                                        // empty where the server wants none
  std::vector<std::pair<std::string, std::string>> more;  // further fields of the request, as JSON
  std::chrono::milliseconds limit = std::chrono::minutes(5);  // for one attempt
  unsigned retries = 5;
  std::chrono::milliseconds first_wait = std::chrono::seconds(2);  // doubled for each further retry
};

struct Reply {
  std::string text;
  std::uint64_t input_tokens = 0;
  std::uint64_t output_tokens = 0;
  bool was_cut = false;   // it ran into the limit on tokens
  unsigned attempts = 1;  // requests that were made
};

// The model's reply. Tries again where the connection fails or the server is busy (408, 429, 5xx),
// after as long as the server asks for. Errors: the last attempt's, or what no retry would help.
Result<Reply> ask(const Endpoint& endpoint, const std::string& prompt);

}  // namespace msci::search
