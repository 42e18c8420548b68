#include "evaluator/page/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <list>
#include <memory>

#include "base/io/acceptor.h"
#include "base/io/buffered_writer.h"
#include "base/io/descriptor.h"
#include "base/io/termination_signals.h"

namespace msci {
namespace {

using Clock = PollLoop::Clock;

// A further client takes the place of the one that has been idle for the longest time.
constexpr std::size_t most_connections = 256;
// For a request to arrive, for a response to be read, and for an idle connection.
constexpr std::chrono::seconds patience(15);
constexpr std::chrono::milliseconds longest_wait(500);

struct Connection {
  explicit Connection(Fd accepted) : socket(std::move(accepted)), out(socket.get()) {}

  Fd socket;
  HttpReader reader;
  BufferedWriter out;
  Clock::time_point since = Clock::now();  // of the last progress
  bool is_served = false;                  // a request waits for its response
  bool ends = false;                       // once all is written
  bool is_over = false;
};

class HttpServer {
 public:
  HttpServer(HttpService& service, int listener) : service_(service), acceptor_(listener) {}

  void watch(PollLoop& loop) {
    remove_over();
    acceptor_.watch(loop, [this](Fd client) { add(std::move(client)); });
    for (auto& connection : connections_) watch(loop, connection);
    service_.watch(loop);
  }

 private:
  using Shared = std::shared_ptr<Connection>;

  void add(Fd client) {
    connections_.push_back(std::make_shared<Connection>(std::move(client)));
    if (connections_.size() > most_) drop_idle();
  }

  void drop_idle() {
    const auto idle = std::ranges::min_element(connections_, {}, [](const Shared& connection) {
      return std::pair(connection->is_served, connection->since);
    });
    (*idle)->is_over = true;
  }

  void watch(PollLoop& loop, const Shared& connection) {
    auto* one = connection.get();
    if (!one->out.empty()) {
      loop.watch(one->socket.get(), POLLOUT, [one] {
        one->out.write_available();
        one->since = Clock::now();
      });
    } else {
      // A waiting client sends nothing; its end is seen all the same.
      loop.watch(one->socket.get(), one->is_served ? 0 : POLLIN,
                 [this, connection] { read(connection); });
    }
  }

  void read(const Shared& connection) {
    std::string bytes;
    if (connection->is_served || !read_available(connection->socket.get(), bytes)) {
      connection->is_over = true;
      return;
    }
    // Time counts from the first byte of a request, so that a slow one ends, too.
    if (!connection->reader.is_within_request()) connection->since = Clock::now();
    connection->reader.append(bytes);
    serve_next(connection);
  }

  void serve_next(const Shared& connection) {
    auto request = connection->reader.next();
    if (!request) return;
    connection->is_served = true;
    if (!*request) {
      connection->ends = true;
      return answer(connection,
                    {.status = 400, .type = "text/plain", .body = request->error().message + "\n"});
    }
    connection->ends = !(*request)->keeps_alive;
    service_.serve(**request,
                   {.send =
                        [this, held = std::weak_ptr(connection)](const HttpResponse& response) {
                          if (const auto alive = held.lock()) answer(alive, response);
                        },
                    .is_gone = [held = std::weak_ptr(connection)] { return held.expired(); }});
  }

  void answer(const Shared& connection, const HttpResponse& response) {
    connection->out.append(to_text(response, !connection->ends));
    connection->is_served = false;
    connection->since = Clock::now();
  }

  void remove_over() {
    const auto now = Clock::now();
    connections_.remove_if([&](const Shared& connection) {
      const bool has_written = connection->out.empty() && !connection->is_served;
      return connection->is_over || connection->out.broken() || (connection->ends && has_written) ||
             (!connection->is_served && now - connection->since > patience);
    });
    // A client may send its next request before it has read the response.
    for (const auto& connection : connections_)
      if (connection->out.empty() && !connection->is_served && !connection->ends)
        serve_next(connection);
  }

  HttpService& service_;
  Acceptor acceptor_;
  const std::size_t most_ = clients_at_once(most_connections);
  std::list<Shared> connections_;
};

}  // namespace

Result<Listener> listen_on(const std::string& name, std::uint16_t port) {
  const auto failed = [&] {
    return Error{fmt::format("cannot listen on {}:{}: {}", name, port, std::strerror(errno))};
  };
  Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return failed();
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (::inet_pton(AF_INET, name.c_str(), &address.sin_addr) != 1) {
    errno = EADDRNOTAVAIL;
    return failed();
  }
  socklen_t size = sizeof address;
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket.get(), raw, size) != 0 || ::listen(socket.get(), SOMAXCONN) != 0 ||
      ::getsockname(socket.get(), raw, &size) != 0)
    return failed();
  return Listener{std::move(socket), ntohs(address.sin_port)};
}

std::optional<Error> serve_http(HttpService& service, const Listener& listener) {
  ::signal(SIGPIPE, SIG_IGN);
  const auto signals = open_termination_signals();
  if (!signals) return signals.error();
  HttpServer server(service, listener.socket.get());
  for (bool ends = false; !ends;) {
    PollLoop loop;
    server.watch(loop);
    loop.watch(signals->get(), POLLIN, [&] { ends = true; });
    loop.wake_at(Clock::now() + longest_wait);
    if (auto error = loop.wait()) return error;
  }
  return std::nullopt;
}

}  // namespace msci
