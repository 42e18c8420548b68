// A small HTTP server on the loopback interface: one thread, bounded in clients, bytes and time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/io/poll_loop.h"
#include "base/process/fd.h"
#include "base/result.h"
#include "evaluator/page/http_messages.h"

namespace msci {

// Sends the response of a request, at once or later; does nothing if the client has gone.
using Respond = std::function<void(HttpResponse)>;

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

// Listens on 127.0.0.1; on a free port for 0. Errors: the port is taken.
Result<Listener> listen_on_loopback(std::uint16_t port);

// Serves until SIGTERM or SIGINT. Errors: the system cannot wait for events.
[[nodiscard]] std::optional<Error> serve_http(HttpService& service, const Listener& listener);

}  // namespace msci
