#include "base/io/line_server.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/io/acceptor.h"
#include "base/io/termination_signals.h"
#include "base/process/fd.h"

namespace msci {
namespace {

// A client with more unread output than this has to read before its next request is served.
constexpr std::size_t most_unread = std::size_t{64} << 20;

// Further clients wait to be accepted.
constexpr std::size_t most_clients = 256;

// For the clients to read what they are owed when a signal ends the server.
constexpr std::chrono::milliseconds last_words(200);

Error socket_error(std::string_view what) {
  return {fmt::format("{}: {}", what, std::strerror(errno))};
}

class Clients {
 public:
  explicit Clients(LineService& service) : service_(service) {}

  std::size_t count() const { return clients_.size(); }
  const LineClient& first() const { return clients_.front(); }
  void add(int in, int out) {
    clients_.push_back({.in = LineReader(in), .out = BufferedWriter(out)});
  }

  // Serves the lines that may be served, and watches what can happen next.
  void watch(PollLoop& loop) {
    while (take_turns()) {
    }
    for (auto client = clients_.begin(); client != clients_.end(); ++client) watch(loop, client);
    service_.watch(loop);
  }

  // Whether the client sends no more requests, and has read its responses or cannot.
  static bool is_done(const LineClient& client) {
    return client.pending == 0 &&
           (client.out.broken() || client.gone || (client.in.at_end() && client.out.empty()));
  }

  void remove_done() {
    for (auto client = clients_.begin(); client != clients_.end();) {
      if (!is_done(*client)) {
        ++client;
        continue;
      }
      if (!client->gone) service_.leave(client);
      ::close(client->in.descriptor());
      client = clients_.erase(client);
    }
  }

  // Sends what the clients take in a moment. A pipe that nothing reads may block.
  void flush() {
    const auto end = PollLoop::Clock::now() + last_words;
    while (PollLoop::Clock::now() < end) {
      PollLoop loop;
      loop.wake_at(end);
      bool has_output = false;
      for (auto& client : clients_) {
        if (client.out.empty()) continue;
        has_output = true;
        loop.watch(client.out.descriptor(), POLLOUT, [&client] { client.out.write_available(); });
      }
      if (!has_output || loop.wait()) return;
    }
  }

 private:
  void watch(PollLoop& loop, LineClientPlace client) {
    if (client->gone) return;
    auto* in = &client->in;
    auto* out = &client->out;
    if (out->broken()) return leave(client);
    if (in->needs_input()) loop.watch(in->descriptor(), POLLIN, [in] { in->read_available(); });
    if (!out->empty()) {
      loop.watch(out->descriptor(), POLLOUT, [out] { out->write_available(); });
    } else {
      // Without an event to ask for, poll() still reports that nothing reads the other end.
      loop.watch(out->descriptor(), 0, [this, client] { leave(client); });
    }
  }

  void leave(LineClientPlace client) {
    if (client->gone) return;
    client->gone = true;
    service_.leave(client);
  }

  // Serves one line of every client; returns whether there was any.
  bool take_turns() {
    bool any = false;
    for (auto client = clients_.begin(); client != clients_.end(); ++client) {
      if (client->gone || client->out.broken() || client->has_to_read() ||
          !service_.takes_line_of(client))
        continue;
      const auto line = client->in.next_line();
      if (!line) continue;
      any = true;
      service_.serve(client, *line);
    }
    return any;
  }

  LineService& service_;
  std::list<LineClient> clients_;
};

// Whether a server listens on the socket.
bool is_served(const sockaddr_un& address) {
  const Fd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// Replaces a socket that a killed server left. Errors: there is another file or a live server.
std::optional<Error> bind_to(int socket, const std::string& path) {
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  if (path.size() >= sizeof address.sun_path)
    return Error{fmt::format("cannot listen on {}: the path is longer than {} bytes", path,
                             sizeof address.sun_path - 1)};
  path.copy(address.sun_path, path.size());
  struct stat status = {};
  if (::lstat(path.c_str(), &status) == 0) {
    if (!S_ISSOCK(status.st_mode))
      return Error{fmt::format("cannot listen on {}: it is a file", path)};
    if (is_served(address))
      return Error{fmt::format("cannot listen on {}: another server listens on it", path)};
    ::unlink(path.c_str());
  }
  const auto mask = ::umask(0077);
  const int done = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  ::umask(mask);
  if (done != 0 || ::listen(socket, SOMAXCONN) != 0)
    return socket_error(fmt::format("cannot listen on {}", path));
  return std::nullopt;
}

}  // namespace

bool LineClient::has_to_read() const { return out.size() > most_unread; }

std::optional<Error> serve_standard_streams(LineService& service) {
  ::signal(SIGPIPE, SIG_IGN);  // write() reports a closed reader
  const auto signals = open_termination_signals();
  if (!signals) return signals.error();
  Clients clients(service);
  clients.add(STDIN_FILENO, STDOUT_FILENO);
  std::optional<Error> failure;
  for (bool ends = false; !ends && !failure;) {
    PollLoop loop;
    clients.watch(loop);
    if (Clients::is_done(clients.first())) break;
    loop.watch(signals->get(), POLLIN, [&] { ends = true; });
    failure = loop.wait();
  }
  service.end();
  clients.flush();
  if (failure) return failure;
  if (clients.first().out.broken() || clients.first().gone)
    return Error{"cannot write to standard output: the reader closed it"};
  return std::nullopt;
}

std::optional<Error> serve_unix_socket(LineService& service, const std::string& path,
                                       const std::string& program) {
  ::signal(SIGPIPE, SIG_IGN);
  const Fd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (listener.get() < 0) return socket_error("cannot open a socket");
  if (auto error = bind_to(listener.get(), path)) return *error;
  const auto signals = open_termination_signals();
  if (!signals) return signals.error();
  Clients clients(service);
  Acceptor acceptor(listener.get());
  const auto most = clients_at_once(most_clients);
  fmt::print(stderr, "{}: listening on {}\n", program, path);
  std::optional<Error> failure;
  for (bool ends = false; !ends && !failure;) {
    PollLoop loop;
    clients.watch(loop);
    loop.watch(signals->get(), POLLIN, [&] { ends = true; });
    if (clients.count() < most)
      acceptor.watch(loop, [&](Fd client) {
        const int descriptor = client.release();
        clients.add(descriptor, descriptor);
      });
    failure = loop.wait();
    clients.remove_done();
  }
  service.end();
  clients.flush();
  ::unlink(path.c_str());
  return failure;
}

}  // namespace msci
