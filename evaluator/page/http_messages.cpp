#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <sstream>
#include <utility>

#include "evaluator/page/http_server.h"

namespace msci {
namespace {

namespace http = boost::beast::http;

std::string string_of(boost::beast::string_view view) { return {view.data(), view.size()}; }

HttpRequest request_of(http::request<http::string_body> message) {
  return {.method = string_of(message.method_string()),
          .target = string_of(message.target()),
          .host = string_of(message[http::field::host]),
          .origin = string_of(message[http::field::origin]),
          .fetch_site = string_of(message["Sec-Fetch-Site"]),
          .type = string_of(message[http::field::content_type]),
          .authorization = string_of(message[http::field::authorization]),
          .body = std::move(message.body()),
          .keeps_alive = message.keep_alive()};
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size() && digit_of(text[i + 1]) >= 0 &&
                           digit_of(text[i + 2]) >= 0;
    if (!is_escape) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>(digit_of(text[i + 1]) * 16 + digit_of(text[i + 2]));
    i += 2;
  }
  return plain;
}

}  // namespace

struct HttpReader::Parser : http::request_parser<http::string_body> {
  Parser() {
    eager(true);
    header_limit(longest_header);
    body_limit(longest_body);
  }
};

HttpReader::HttpReader() : parser_(std::make_unique<Parser>()) {}
HttpReader::~HttpReader() = default;
HttpReader::HttpReader(HttpReader&&) noexcept = default;
HttpReader& HttpReader::operator=(HttpReader&&) noexcept = default;

std::optional<Result<HttpRequest>> HttpReader::next() {
  if (buffer_.empty()) return std::nullopt;
  boost::system::error_code code;
  const auto read = parser_->put(boost::asio::buffer(buffer_), code);
  buffer_.erase(0, read);
  has_begun_ = true;
  if (code == http::error::need_more) {
    // Without this, a header that never ends would fill the memory.
    if (buffer_.size() > longest_header && !parser_->is_header_done())
      return Error{"the header is too long"};
    return std::nullopt;
  }
  if (code) return Error{code.message()};
  if (!parser_->is_done()) return std::nullopt;
  auto request = request_of(parser_->release());
  parser_ = std::make_unique<Parser>();
  has_begun_ = false;
  return request;
}

std::string_view HttpRequest::path() const {
  return std::string_view(target).substr(0, target.find('?'));
}

std::string HttpRequest::query(std::string_view key) const {
  const auto begin = target.find('?');
  auto rest =
      begin == std::string::npos ? std::string_view() : std::string_view(target).substr(begin + 1);
  while (!rest.empty()) {
    const auto end = std::min(rest.find('&'), rest.size());
    const auto pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (pair.starts_with(key) && pair.substr(key.size()).starts_with('='))
      return unescaped(pair.substr(key.size() + 1));
  }
  return {};
}

std::string to_text(const HttpResponse& response, bool keeps_alive) {
  http::response<http::string_body> message{static_cast<http::status>(response.status), 11};
  message.set(http::field::content_type, response.type);
  message.set("Content-Security-Policy", response.policy);
  message.set("X-Content-Type-Options", "nosniff");
  message.set("Referrer-Policy", "no-referrer");
  message.set("Cross-Origin-Resource-Policy", "same-origin");
  message.set("Cross-Origin-Opener-Policy", "same-origin");
  message.set(http::field::cache_control, "no-store");
  // What the server cannot do now, it can do soon.
  if (response.status == 429 || response.status == 503) message.set(http::field::retry_after, "1");
  if (response.status == 401) message.set(http::field::www_authenticate, "Bearer");
  message.keep_alive(keeps_alive);
  message.body() = response.body;
  message.prepare_payload();
  std::ostringstream text;
  text << message;
  return text.str();
}

}  // namespace msci
