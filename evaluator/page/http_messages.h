// Requests and responses of HTTP/1.1, read and written by Boost.Beast within limits.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace msci {

// What the page's server reads of a request.
struct HttpRequest {
  std::string method;      // "GET"
  std::string target;      // "/path?query"
  std::string host;        // the header Host
  std::string origin;      // the header Origin; empty without one
  std::string fetch_site;  // the header Sec-Fetch-Site; empty without one
  std::string type;        // the header Content-Type
  std::string body;
  bool keeps_alive = true;

  // The target's path, and a value of its query with escapes undone; empty without it.
  std::string_view path() const;
  std::string query(std::string_view key) const;
};

constexpr std::size_t longest_header = 16 << 10;
constexpr std::size_t longest_body = std::size_t{4} << 20;

// Reads the requests of one connection.
class HttpReader {
 public:
  HttpReader();
  ~HttpReader();
  HttpReader(HttpReader&&) noexcept;
  HttpReader& operator=(HttpReader&&) noexcept;

  void append(std::string_view bytes) { buffer_ += bytes; }
  // Whether a request has begun and is not complete.
  bool is_within_request() const { return !buffer_.empty() || has_begun_; }
  // The next whole request. Errors: it is malformed or longer than the limits; the connection
  // cannot be read further then. The message is for the client.
  std::optional<Result<HttpRequest>> next();

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::string buffer_;
  bool has_begun_ = false;
};

// A response, which no cache keeps and no other site may use.
struct HttpResponse {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body;
  std::string policy = "default-src 'none'; frame-ancestors 'none'";  // Content-Security-Policy
};
std::string to_text(const HttpResponse& response, bool keeps_alive);

}  // namespace msci
