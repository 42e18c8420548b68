// The editor, as the server speaks to it.
#pragma once

#include <string>
#include <string_view>

#include "base/io/buffered_writer.h"
#include "base/json.h"

namespace msci {

// The error codes of the protocol.
enum class ProtocolError {
  parse_error = -32700,
  method_not_found = -32601,
  invalid_params = -32602,
  not_initialized = -32002,
  request_cancelled = -32800,
  content_modified = -32801,
  request_failed = -32803,
};

// How loud a message is.
enum class MessageType { error = 1, warning = 2, information = 3 };

class Client {
 public:
  explicit Client(int descriptor) : out_(descriptor) {}

  BufferedWriter& out() { return out_; }

  void respond(const Json& id, Json result) { send({{"id", id}, {"result", std::move(result)}}); }
  void respond_error(const Json& id, ProtocolError code, std::string_view why) {
    send({{"id", id}, {"error", {{"code", static_cast<int>(code)}, {"message", why}}}});
  }
  void notify(std::string_view method, Json params) {
    send({{"method", method}, {"params", std::move(params)}});
  }
  // A request of the server's own, whose response is not used.
  void request(std::string_view method, Json params) {
    send({{"id", std::string("msci-") + std::to_string(++requests_)},
          {"method", method},
          {"params", std::move(params)}});
  }
  void show(MessageType type, std::string_view message) {
    notify("window/showMessage", {{"type", static_cast<int>(type)}, {"message", message}});
  }

 private:
  void send(Json message);

  BufferedWriter out_;
  unsigned requests_ = 0;
};

// Tells the editor how far a request is, under the token that came with it; without one, nothing.
class WorkDoneProgress {
 public:
  WorkDoneProgress(Client& client, Json token) : client_(&client), token_(std::move(token)) {}

  const Json& token() const { return token_; }
  void begin(std::string_view title) {
    tell({{"kind", "begin"}, {"title", title}, {"cancellable", true}, {"percentage", 0}});
  }
  void report(std::size_t done, std::size_t all, std::string_view what);
  void end() { tell({{"kind", "end"}}); }

 private:
  void tell(Json value) {
    if (!token_.is_null())
      client_->notify("$/progress", {{"token", token_}, {"value", std::move(value)}});
  }

  Client* client_;
  Json token_;
};

}  // namespace msci
