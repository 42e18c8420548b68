// A small HTTP server on the loopback interface: one thread, bounded in clients, bytes and time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/io/poll_loop.h"
#include "base/process/fd.h"
#include "base/result.h"

namespace msci {

// Requests and responses of HTTP/1.1, read and written by Boost.Beast within limits.

// What the page's server reads of a request.
struct HttpRequest {
  std::string method;         // "GET"
  std::string target;         // "/path?query"
  std::string host;           // the header Host
  std::string origin;         // the header Origin; empty without one
  std::string fetch_site;     // the header Sec-Fetch-Site; empty without one
  std::string type;           // the header Content-Type
  std::string authorization;  // the header Authorization
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

// Sends the response of a request, at once or later; does nothing if the client has gone.
struct Respond {
  std::function<void(HttpResponse)> send;
  std::function<bool()> is_gone = [] { return false; };  // nobody reads the response any more
  void operator()(HttpResponse response) const { send(std::move(response)); }
};

// What the requests are about.
class HttpService {
 public:
  virtual ~HttpService() = default;
  // `respond` is called once. Until then, the server reads nothing more of that connection.
  virtual void serve(const HttpRequest& request, const Respond& respond) = 0;
  // Before each wait: what else can happen.
  virtual void watch(PollLoop& loop) = 0;
};

struct Listener {
  Fd socket;
  std::uint16_t port = 0;
};

// Listens on an address of IPv4, such as 127.0.0.1; on a free port for 0. Errors: it is no address
// of this machine, or the port is taken.
Result<Listener> listen_on(const std::string& address, std::uint16_t port);

// Serves until SIGTERM or SIGINT. Errors: the system cannot wait for events.
[[nodiscard]] std::optional<Error> serve_http(HttpService& service, const Listener& listener);

// Who may use the page's server: the page that it served, and no other site or program without its
// address.

// The address of the page holds a secret: http://127.0.0.1:PORT/TOKEN/.
struct PageAccess {
  std::string token;
  std::uint16_t port = 0;

  std::string origin() const;   // "http://127.0.0.1:PORT"
  std::string address() const;  // the origin with the token
};

// 32 hexadecimal digits, from the system's random numbers. Errors: the system gives none.
Result<std::string> random_token();

// Whether two secrets are equal, in a time that does not depend on where they differ.
bool is_same_secret(std::string_view one, std::string_view other);

// Why a request is refused: another site sent it (by its Origin or Sec-Fetch-Site), its Host is a
// name that another site may have pointed to this machine (DNS rebinding), or it lacks the token.
std::optional<HttpResponse> refuse(const HttpRequest& request, const PageAccess& access);

// The path behind the token: "judge". Only for requests that are not refused.
std::string_view path_behind_token(const HttpRequest& request, const PageAccess& access);

}  // namespace msci
