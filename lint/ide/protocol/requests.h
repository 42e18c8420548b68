// Requests that processes work on: one isolated process, one for each of many files, or msci-eval.
#pragma once

#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "base/io/poll_loop.h"
#include "base/process/isolated_process.h"
#include "base/result.h"
#include "lint/ide/protocol/client.h"
#include "lint/ide/protocol/evaluation.h"

namespace msci {

// What happens with the result of an isolated process; null where the process failed.
using Then = std::function<void(Json)>;

// A request that concerns many files: each is given to a process of its own.
struct FileSearch {
  Json id;
  WorkDoneProgress progress;
  std::string title;
  std::vector<std::string> files;
  std::function<Json(const std::string& file)> work;  // in that process
  std::function<void(const std::string& file, Json part)> take;
  std::function<void()> end;  // after the last file
  std::size_t started = 0;
  std::size_t done = 0;
};

class Requests {
 public:
  // At most `at_once` files of a search are worked on side by side.
  Requests(Client& client, unsigned at_once) : client_(client), at_once_(at_once) {}

  // Runs `work` in an isolated process, as a part of the request of this id.
  void start(const Json& id, Then then, const std::function<std::string()>& work);
  void search(FileSearch search);
  // Runs msci-eval; shows what it prints, and responds with it.
  void evaluate(const Json& id, WorkDoneProgress progress, const std::string& title,
                std::vector<std::string> arguments);

  // Ends all that works on a request, without a response. Whether there was something.
  bool stop(const Json& id);
  // The requests that report their progress under this token.
  std::vector<Json> ids_of(const Json& token) const;

  // Adds what the processes write to the events of a round.
  void watch(PollLoop& loop);

 private:
  struct Pending {
    Json id;
    IsolatedProcess process;
    Then then;
  };
  struct Evaluating {
    Json id;
    WorkDoneProgress progress;
    EvaluationProcess evaluation;
  };

  // Errors: the process does not start.
  [[nodiscard]] std::optional<Error> begin(const Json& id, Then then,
                                           const std::function<std::string()>& work);
  void finish(std::list<Pending>::iterator request);
  void finish(std::list<Evaluating>::iterator request);
  void advance(std::list<FileSearch>::iterator search);

  Client& client_;
  unsigned at_once_;
  std::list<Pending> pending_;
  std::list<FileSearch> searches_;  // their processes are in pending_
  std::list<Evaluating> evaluations_;
};

}  // namespace msci
