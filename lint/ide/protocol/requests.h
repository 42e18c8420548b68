// Requests that processes work on: one isolated process, one for each of many files, or msci-eval.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/io/buffered_writer.h"
#include "base/io/poll_loop.h"
#include "base/json.h"
#include "base/process/child_process.h"
#include "base/process/fd.h"
#include "base/process/isolated_process.h"
#include "base/result.h"

namespace msci {

// The editor, as the server speaks to it.

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

// A run of msci-eval that an editor asked for.

// Runs beside the server. The destructor ends it.
class EvaluationProcess {
 public:
  // msci-eval of this build with these arguments. Errors: the system cannot start it.
  static Result<EvaluationProcess> start(std::vector<std::string> arguments);

  // Readable when there is output; for poll().
  int descriptor() const { return out_.get(); }
  // Reads a piece of the output. True at the end.
  bool read_available();
  // What it printed, standard error included, and how it ended.
  const std::string& output() const { return output_; }
  ExitStatus wait() { return process_.wait(); }

 private:
  EvaluationProcess(ChildProcess process, Fd out)
      : process_(std::move(process)), out_(std::move(out)) {}

  ChildProcess process_;
  Fd out_;
  std::string output_;
};

// What happens with the result of an isolated process; null where the process failed.
using Then = std::function<void(Json)>;

// What a reader is asked.
struct ReaderQuestion {
  Json id;  // of the request
  std::string text;
  Then then;
};

// The process that has read a document answers questions about it, one after another. Its answer
// is JSON; an empty one means that files have changed, and a new process has to read the document.
class DocumentReader {
 public:
  // Makes the work of a process that reads the document anew.
  using Start = std::function<AnsweringWork()>;
  explicit DocumentReader(Start start) : start_(std::move(start)) {}

  bool is_idle() const { return questions_.empty(); }
  void add(ReaderQuestion question) { questions_.push_back(std::move(question)); }
  // Lets a process answer the first question, if it does not yet. Errors: none can be started.
  [[nodiscard]] std::optional<Error> begin();
  // Readable when there is an answer; for poll(). begin() comes first.
  int descriptor() const { return process_->descriptor(); }
  struct Answer {
    ReaderQuestion question;
    Json result;  // null where the process failed
  };
  // The answer that can be read; none if the question has to be asked again.
  std::optional<Answer> take();
  // Drops the questions of a request, with the process if it is at work on one. Whether there was
  // one.
  bool stop(const Json& id);
  // Drops all questions.
  std::deque<ReaderQuestion> clear() { return std::exchange(questions_, {}); }

 private:
  // Passes on the first question to the process, which is started if there is none, and takes its
  // answer. In a WebAssembly module, a process answers one question (packaging/wasm/platform).
  [[nodiscard]] std::optional<Error> ask_process();
  Result<IsolatedOutcome> answer_of_process();

  Start start_;
  std::optional<IsolatedProcess> process_;
  bool is_asked_ = false;                 // the first question, of the process
  std::deque<ReaderQuestion> questions_;  // by their order
};

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
  // Asks a reader, which answers after all that it was asked before.
  void ask(const std::shared_ptr<DocumentReader>& reader, ReaderQuestion question);
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
  void begin(const std::shared_ptr<DocumentReader>& reader);
  void take_answer(const std::shared_ptr<DocumentReader>& reader);
  void finish(std::list<Pending>::iterator request);
  void finish(std::list<Evaluating>::iterator request);
  void advance(std::list<FileSearch>::iterator search);

  Client& client_;
  unsigned at_once_;
  std::list<Pending> pending_;
  std::list<FileSearch> searches_;  // their processes are in pending_
  std::list<Evaluating> evaluations_;
  std::list<std::shared_ptr<DocumentReader>> readers_;  // those with questions
};

}  // namespace msci
