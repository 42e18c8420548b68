// The kernels that pages want judged: a bounded queue in front of msci-eval --server.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/io/message_reader.h"
#include "base/io/poll_loop.h"
#include "base/json.h"
#include "evaluator/page/child_server.h"

namespace msci {

class JudgeClient {
 public:
  // `command`: the program and its arguments.
  explicit JudgeClient(std::vector<std::string> command) : command_(std::move(command)) {}

  // Asks the server; returns a ticket for the answer. `request`: as in docs/judging.md, without an
  // id. Errors: too many requests wait, or the server cannot be started.
  Result<std::uint64_t> ask(OrderedJson request);
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
  };

  [[nodiscard]] std::optional<Error> start();
  void read();
  std::size_t waiting_before(std::uint64_t ticket) const;
  void forget_oldest_answer();
  void send(const OrderedJson& line);

  std::vector<std::string> command_;
  std::optional<ChildServer> server_;
  std::optional<LineReader> reader_;
  std::map<std::uint64_t, Ticket> tickets_;  // in the order in which they were asked
  std::uint64_t next_ = 1;
};

}  // namespace msci
