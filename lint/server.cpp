#include "lint/server.h"

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

#include "lint/apart.h"
#include "lint/exchange.h"
#include "lint/line_stream.h"
#include "lint/outgoing.h"
#include "lint/waiting.h"
#include "rules/rules.h"

namespace msci {
namespace {

// A search asks about sources of few kinds; each kind costs some MB, and every copy of this process
// a little time.
constexpr std::size_t most_head_starts = 8;
constexpr std::size_t most_kinds = 4096;  // that are known by sight

// One who has left more than that unread gets no turn.
constexpr std::size_t most_unread = std::size_t{64} << 20;

// More than that wait at the door.
constexpr std::size_t most_clients = 256;

// What most kernels begin with, ready before the first one comes.
constexpr std::string_view usual_beginning = "#include <metal_stdlib>\n";

Error failure(std::string_view what) { return {fmt::format("{}: {}", what, std::strerror(errno))}; }

struct Client {
  LineStream in;
  Outgoing out;
  std::size_t waits_for = 0;  // answers
};

// A question that is being answered.
struct Job {
  std::list<Client>::iterator client;
  std::string id;
  Question question;
  Apart copy;
};

class Server {
 public:
  explicit Server(const Service& service) : service_(service), head_starts_(most_head_starts) {
    const auto version = service.wishes.version.value_or(LanguageVersion());
    const auto usual = preamble_of(usual_beginning, version);
    seen_.insert(usual);
    head_starts_.prepare(usual);
  }

  std::list<Client>& clients() { return clients_; }
  void add(int in, int out) { clients_.push_back({.in = LineStream(in), .out = Outgoing(out)}); }

  // Starts what can be started, and tells what is worth waiting for.
  void wait_for_work(Waiting& waiting) {
    while (jobs_.size() < service_.wishes.at_once && take_turns()) {
    }
    for (auto& [in, out, waits_for] : clients_) {
      auto* lines = &in;
      auto* answers = &out;
      if (in.wants_more() && !out.broken())
        waiting.on(in.descriptor(), POLLIN, [lines] { lines->receive(); });
      if (!out.empty()) waiting.on(out.descriptor(), POLLOUT, [answers] { answers->send(); });
    }
    for (auto job = jobs_.begin(); job != jobs_.end(); ++job)
      waiting.on(job->copy.descriptor(), POLLIN, [this, job] {
        if (job->copy.take()) finish(job);
      });
  }

  // Whether this one neither asks nor hears anything more.
  static bool is_done(const Client& client) {
    const auto& [in, out, waits_for] = client;
    return waits_for == 0 && (out.broken() || (in.ended() && out.empty()));
  }

 private:
  // One line of every client; whether there was any.
  bool take_turns() {
    bool any = false;
    for (auto client = clients_.begin(); client != clients_.end(); ++client) {
      const auto& out = client->out;
      if (jobs_.size() >= service_.wishes.at_once || out.broken() || out.size() > most_unread)
        continue;
      const auto line = client->in.next();
      if (!line) continue;
      any = true;
      take(client, *line);
    }
    return any;
  }

  void take(std::list<Client>::iterator client, const std::optional<std::string>& line) {
    if (!line)
      return client->out.put(answer_to(
          "null", Error{fmt::format("the line is longer than {} MiB", longest_line >> 20)}));
    if (line->find_first_not_of(" \t\r") == std::string::npos) return;  // an empty one asks nothing
    auto [id, question] = asked_by(*line, service_.wishes, service_.configs);
    if (!question) return client->out.put(answer_to(id, question.error()));
    auto copy = start(id, *question);
    if (!copy) return client->out.put(answer_to(id, copy.error()));
    ++client->waits_for;
    jobs_.push_back({client, std::move(id), *std::move(question), *std::move(copy)});
  }

  Result<Apart> start(const std::string& id, const Question& question) {
    // A kind that comes but once is read by its copy, while others go on.
    const auto preamble = preamble_of(question.source.text, question.request.version);
    if (seen_.size() > most_kinds) seen_.clear();
    if (!seen_.insert(preamble).second) head_starts_.prepare(preamble);
    return Apart::start([&] {
      sigset_t none;
      ::sigemptyset(&none);
      ::sigprocmask(SIG_SETMASK, &none, nullptr);  // what ends the server is not held back here
      return answer_to(id, examine(question, all_rules(), &head_starts_));
    });
  }

  void finish(std::list<Job>::iterator job) {
    auto ended = job->copy.finish();
    auto& out = job->client->out;
    if (!ended)
      out.put(answer_to(job->id, ended.error()));
    else if (const auto* answer = std::get_if<std::string>(&*ended))
      out.put(*answer);
    else
      out.put(answer_to(job->id, refused(job->question, std::get<Broken>(*ended))));
    --job->client->waits_for;
    jobs_.erase(job);
  }

  const Service& service_;
  HeadStarts head_starts_;
  std::set<Preamble> seen_;
  std::list<Client> clients_;
  std::list<Job> jobs_;
};

// A descriptor that is closed in the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// Whether somebody serves on it.
bool answers(const sockaddr_un& address) {
  const Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return ::connect(probe.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
         0;
}

// Takes the place of a socket that a server left behind. Errors: the path is taken.
Result<std::monostate> bind_to(int socket, const std::string& path) {
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  if (path.size() >= sizeof address.sun_path)
    return Error{fmt::format("cannot listen on {}: the path is longer than {} bytes", path,
                             sizeof address.sun_path - 1)};
  path.copy(address.sun_path, path.size());
  struct stat status = {};
  if (::lstat(path.c_str(), &status) == 0) {
    if (!S_ISSOCK(status.st_mode))
      return Error{fmt::format("cannot listen on {}: a file is there", path)};
    if (answers(address))
      return Error{fmt::format("cannot listen on {}: another server does", path)};
    ::unlink(path.c_str());
  }
  const auto mask = ::umask(0077);
  const int done = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  ::umask(mask);
  if (done != 0 || ::listen(socket, SOMAXCONN) != 0)
    return failure(fmt::format("cannot listen on {}", path));
  return std::monostate();
}

// From now on SIGTERM and SIGINT come as something to read.
int ending_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return ::signalfd(-1, &signals, SFD_CLOEXEC);
}

void let_go(std::list<Client>& clients) {
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

Result<std::monostate> serve_standard_input(const Service& service) {
  ::signal(SIGPIPE, SIG_IGN);  // who does not hear us shows when we write
  Server server(service);
  server.add(STDIN_FILENO, STDOUT_FILENO);
  while (!Server::is_done(server.clients().front())) {
    Waiting waiting;
    server.wait_for_work(waiting);
    if (!Server::is_done(server.clients().front())) waiting.wait();
  }
  if (server.clients().front().out.broken())
    return Error{"cannot write to standard output: nobody reads it"};
  return std::monostate();
}

Result<std::monostate> serve_socket(const Service& service, const std::string& path) {
  ::signal(SIGPIPE, SIG_IGN);
  const Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (listener.number() < 0) return failure("cannot open a socket");
  if (auto bound = bind_to(listener.number(), path); !bound) return bound.error();
  const Descriptor signals(ending_signals());
  Server server(service);
  fmt::print(stderr, "msci-lint: listening on {}\n", path);
  bool ends = false;
  while (!ends) {
    Waiting waiting;
    server.wait_for_work(waiting);
    waiting.on(signals.number(), POLLIN, [&] { ends = true; });
    if (server.clients().size() < most_clients)
      waiting.on(listener.number(), POLLIN, [&] {
        const int client =
            ::accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (client >= 0) server.add(client, client);
      });
    waiting.wait();
    let_go(server.clients());
  }
  ::unlink(path.c_str());
  return std::monostate();
}

}  // namespace msci
