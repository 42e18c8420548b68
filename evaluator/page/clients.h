// The servers behind the page: one that judges and one that lints, each a child process.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/io/buffered_writer.h"
#include "base/io/message_reader.h"
#include "base/io/poll_loop.h"
#include "base/json.h"
#include "base/process/child_process.h"
#include "base/result.h"

namespace msci {

// A server of msci that the page's server runs and speaks to through pipes.

// The running program, and our ends of its pipes.
class ChildServer {
 public:
  // `arguments`: the program first. Errors: it cannot be started.
  static Result<ChildServer> start(const std::vector<std::string>& arguments);

  int output() const { return from_.get(); }  // for reading, without waiting
  BufferedWriter& input() { return input_; }
  // Calls `read` when there is output, and writes what waits for the server.
  void watch(PollLoop& loop, std::function<void()> read);
  // Tells it to end, without waiting for that.
  void ask_to_end();
  // Waits until it has ended; kills it at the deadline.
  void end(PollLoop::Clock::time_point deadline);

 private:
  ChildServer(ChildProcess process, Fd to, Fd from);

  ChildProcess process_;
  Fd to_;
  Fd from_;
  BufferedWriter input_;
};

// The kernels that pages want judged: a bounded queue in front of msci-eval --server.
class JudgeClient {
 public:
  // `command`: the program and its arguments.
  // At most so many requests wait at once.
  explicit JudgeClient(std::vector<std::string> command, std::size_t most_waiting = 64)
      : command_(std::move(command)), most_waiting_(most_waiting) {}

  // Takes an answer of the server.
  using Answered = std::function<void(OrderedJson)>;

  // Asks the server; returns a ticket for the answer. `request`: as in docs/guide/judging.md,
  // without an id. Errors: too many requests wait, or the server cannot be started.
  Result<std::uint64_t> ask(OrderedJson request);
  // The same, with the answer given to `answered`, unless the ticket is cancelled before; the
  // ticket is never forgotten.
  Result<std::uint64_t> ask(OrderedJson request, Answered answered);
  std::size_t waiting() const { return waiting_before(next_); }
  // What is known of a ticket: {"answer": …}, or {"waiting": how many were asked before}. Nothing
  // for a ticket that is unknown, cancelled or forgotten.
  std::optional<OrderedJson> state(std::uint64_t ticket);
  void cancel(std::uint64_t ticket);

  // Also forgets what no page has asked about for a while.
  void watch(PollLoop& loop);
  // See ChildServer.
  void ask_to_end();
  void end(PollLoop::Clock::time_point deadline);

 private:
  struct Ticket {
    std::optional<OrderedJson> answer;
    PollLoop::Clock::time_point seen;  // a page asked for it
    Answered answered = {};            // of who waits for it
  };

  [[nodiscard]] std::optional<Error> start();
  void read();
  void take(std::uint64_t ticket, OrderedJson answer);
  std::size_t waiting_before(std::uint64_t ticket) const;
  void forget_oldest_answer();
  void send(const OrderedJson& line);

  std::vector<std::string> command_;
  std::size_t most_waiting_;
  std::optional<ChildServer> server_;
  std::optional<LineReader> reader_;
  std::map<std::uint64_t, Ticket> tickets_;  // in the order in which they were asked
  std::uint64_t next_ = 1;
};

// The language server behind the editors of the pages: msci-lint --lsp.

// A question about a text. Each brings the whole text, so that pages with the same file do not
// depend on each other.
struct LanguageQuestion {
  std::string path;  // of the source, which need not exist
  std::string text;
  std::string method;            // "textDocument/hover"
  Json params = Json::object();  // without the document
};

class LanguageClient {
 public:
  // Takes a JSON object with "result", or with "error", a text.
  using Answered = std::function<void(Json)>;

  // `command`: the program and its arguments.
  explicit LanguageClient(std::vector<std::string> command) : command_(std::move(command)) {}

  void ask(LanguageQuestion question, Answered answered);
  void watch(PollLoop& loop);
  // See ChildServer.
  void ask_to_end();
  void end(PollLoop::Clock::time_point deadline);

 private:
  struct Pending {
    Answered answered;
    PollLoop::Clock::time_point since;
  };

  [[nodiscard]] std::optional<Error> start();
  void show(const LanguageQuestion& question);
  void send(Json message);
  void read();
  void fail(const std::string& why);

  std::vector<std::string> command_;
  std::optional<ChildServer> server_;
  std::optional<FrameReader> reader_;
  std::map<std::int64_t, Pending> pending_;
  std::map<std::string, std::string> texts_;  // what the server has, by URI
  std::list<std::string> recent_;             // these URIs, the most recent first
  std::int64_t next_ = 1;
};

}  // namespace msci
