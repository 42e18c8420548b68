#include "lint/service/server.h"

#include <fmt/format.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <list>
#include <set>

#include "base/io/buffered_writer.h"
#include "base/io/line_reader.h"
#include "base/io/poll_loop.h"
#include "base/process/fd.h"
#include "base/process/isolated_process.h"

namespace msci {
namespace {

// Sources of a search have few different preambles. Each precompiled one costs some MB, and some
// time whenever this process is copied.
constexpr std::size_t most_precompiled = 8;
constexpr std::size_t most_seen = 4096;

// A client with more unread output than this has to read before its next request is served.
constexpr std::size_t most_unread = std::size_t{64} << 20;

// Further clients wait to be accepted.
constexpr std::size_t most_clients = 256;

// The preamble of most kernels, precompiled before the first request.
constexpr std::string_view usual_preamble = "#include <metal_stdlib>\n";

Error system_error(std::string_view what) {
  return {fmt::format("{}: {}", what, std::strerror(errno))};
}

struct Client {
  LineReader in;
  BufferedWriter out;
  std::size_t pending = 0;  // responses
};

// A request that an isolated process works on.
struct PendingRequest {
  std::list<Client>::iterator client;
  std::string id;
  LintJob job;
  IsolatedProcess process;
};

class Server {
 public:
  explicit Server(const ServerOptions& options) : options_(options), preambles_(most_precompiled) {
    const auto version = options.lint_options.compile.version.value_or(LanguageVersion());
    const auto usual = preamble_of(usual_preamble, version);
    seen_.insert(usual);
    preambles_.prepare(usual);
  }

  std::list<Client>& clients() { return clients_; }
  void add(int in, int out) {
    clients_.push_back({.in = LineReader(in), .out = BufferedWriter(out)});
  }

  // Starts as many requests as may run, and watches what can happen next.
  void watch(PollLoop& loop) {
    while (pending_.size() < options_.lint_options.jobs && take_turns()) {
    }
    for (auto& client : clients_) {
      auto* in = &client.in;
      auto* out = &client.out;
      if (in->needs_input() && !out->broken())
        loop.watch(in->descriptor(), POLLIN, [in] { in->read_available(); });
      if (!out->empty()) loop.watch(out->descriptor(), POLLOUT, [out] { out->write_available(); });
    }
    for (auto each = pending_.begin(); each != pending_.end(); ++each)
      loop.watch(each->process.descriptor(), POLLIN, [this, each] {
        if (each->process.read_available()) finish(each);
      });
  }

  // Whether the client sends no more requests, and has read its responses or cannot.
  static bool is_done(const Client& client) {
    const auto& [in, out, pending] = client;
    return pending == 0 && (out.broken() || (in.at_end() && out.empty()));
  }

 private:
  // Serves one line of every client; returns whether there was any.
  bool take_turns() {
    bool any = false;
    for (auto client = clients_.begin(); client != clients_.end(); ++client) {
      const auto& out = client->out;
      if (pending_.size() >= options_.lint_options.jobs || out.broken() || out.size() > most_unread)
        continue;
      const auto line = client->in.next_line();
      if (!line) continue;
      any = true;
      serve(client, *line);
    }
    return any;
  }

  void serve(std::list<Client>::iterator client, const Result<std::string>& line) {
    if (!line) return client->out.append(to_response("null", line.error(), options_.rule_pages));
    if (line->find_first_not_of(" \t\r") == std::string::npos) return;
    auto [id, job] = parse_request(*line, options_);
    if (!job) return client->out.append(to_response(id, job.error(), options_.rule_pages));
    auto process = start(id, *job);
    if (!process) return client->out.append(to_response(id, process.error(), options_.rule_pages));
    ++client->pending;
    pending_.push_back({client, std::move(id), *std::move(job), *std::move(process)});
  }

  Result<IsolatedProcess> start(const std::string& id, const LintJob& job) {
    // A preamble is precompiled at its second use. At the first one the isolated process reads it,
    // and other requests need not wait.
    const auto preamble = preamble_of(job.source.text, job.request.compile);
    if (seen_.size() > most_seen) seen_.clear();
    if (!seen_.insert(preamble).second) preambles_.prepare(preamble);
    const auto work = [&] {
      sigset_t none;
      ::sigemptyset(&none);
      ::sigprocmask(SIG_SETMASK, &none, nullptr);  // the server blocks SIGTERM and SIGINT
      return to_response(id, examine(job, options_.rules, &preambles_), options_.rule_pages);
    };
    return IsolatedProcess::start(work, options_.lint_options.limits);
  }

  void finish(std::list<PendingRequest>::iterator request) {
    auto outcome = request->process.finish();
    auto& out = request->client->out;
    if (!outcome)
      out.append(to_response(request->id, outcome.error(), options_.rule_pages));
    else if (const auto* response = std::get_if<std::string>(&*outcome))
      out.append(*response);
    else
      out.append(to_response(request->id, unfinished(request->job, std::get<WorkFailure>(*outcome)),
                             options_.rule_pages));
    --request->client->pending;
    pending_.erase(request);
  }

  const ServerOptions& options_;
  PreambleCache preambles_;
  std::set<Preamble> seen_;
  std::list<Client> clients_;
  std::list<PendingRequest> pending_;
};

// Whether a server listens on the socket.
bool is_served(const sockaddr_un& address) {
  const Fd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// Replaces a socket that a killed server left. Errors: there is another file or a live server.
Result<std::monostate> bind_to(int socket, const std::string& path) {
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
    return system_error(fmt::format("cannot listen on {}", path));
  return std::monostate();
}

// A descriptor that becomes readable at SIGTERM and SIGINT, which no longer end the process.
int open_termination_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return ::signalfd(-1, &signals, SFD_CLOEXEC);
}

void remove_done(std::list<Client>& clients) {
  for (auto client = clients.begin(); client != clients.end();) {
    if (!Server::is_done(*client)) {
      ++client;
      continue;
    }
    ::close(client->in.descriptor());
    client = clients.erase(client);
  }
}

}  // namespace

Result<std::monostate> serve_standard_input(const ServerOptions& options) {
  ::signal(SIGPIPE, SIG_IGN);  // write() reports a closed reader
  Server server(options);
  server.add(STDIN_FILENO, STDOUT_FILENO);
  while (!Server::is_done(server.clients().front())) {
    PollLoop loop;
    server.watch(loop);
    if (!Server::is_done(server.clients().front())) loop.wait();
  }
  if (server.clients().front().out.broken())
    return Error{"cannot write to standard output: the reader closed it"};
  return std::monostate();
}

Result<std::monostate> serve_socket(const ServerOptions& options, const std::string& path) {
  ::signal(SIGPIPE, SIG_IGN);
  const Fd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (listener.get() < 0) return system_error("cannot open a socket");
  if (auto bound = bind_to(listener.get(), path); !bound) return bound.error();
  const Fd signals(open_termination_signals());
  Server server(options);
  fmt::print(stderr, "msci-lint: listening on {}\n", path);
  bool ends = false;
  while (!ends) {
    PollLoop loop;
    server.watch(loop);
    loop.watch(signals.get(), POLLIN, [&] { ends = true; });
    if (server.clients().size() < most_clients)
      loop.watch(listener.get(), POLLIN, [&] {
        const int client =
            ::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (client >= 0) server.add(client, client);
      });
    loop.wait();
    remove_done(server.clients());
  }
  ::unlink(path.c_str());
  return std::monostate();
}

}  // namespace msci
