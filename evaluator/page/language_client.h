// The language server behind the editors of the pages: msci-lint --lsp.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/io/message_reader.h"
#include "base/io/poll_loop.h"
#include "base/json.h"
#include "evaluator/page/child_server.h"

namespace msci {

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
