#include "evaluator/server/judge_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <vector>

#include "base/io/acceptor.h"
#include "base/io/descriptor.h"
#include "base/io/line_server.h"
#include "base/json.h"
#include "base/msgpack_result.h"
#include "base/process/child_process.h"
#include "base/process/temporary_folder.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JudgeAnswer, json, seconds, is_verdict)

namespace {

// A client's requests that wait; further lines stay unread, and its pipe or socket fills.
constexpr std::size_t most_waiting = 256;
constexpr std::size_t most_waiting_bytes = std::size_t{64} << 20;

// A request that is owed an answer.
struct Asked {
  LineClientPlace client;
  std::string id;
  std::string name;  // of the source
};

struct WaitingRequest {
  Asked asked;
  JudgeRequest request;
  std::string digest;  // of SharedVerdict; empty: never shared
};

// A kernel that a process judges, for all that asked for the same.
struct Job {
  std::vector<Asked> asked;
  std::string digest;
  WantedVerdict verdict = WantedVerdict::verify;
  bool is_timed = false;
  bool keeps_verdict = false;
  unsigned slot = 0;
  ChildProcess process;
  Fd in;
  std::string text = {};  // what it wrote
};

// Runs in the copy of the server: it keeps nothing of the clients open.
int write_judgement(const JudgeOne& judge, const JudgeRequest& request, unsigned slot, int out) {
  close_others(out);
  // Standard input and output belong to the clients.
  if (const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC); null >= 0)
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, stream);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);  // the server blocks SIGTERM and SIGINT
  const auto answer = judge(request, slot);
  const auto text =
      answer ? to_msgpack<JudgeAnswer>(*answer) : to_msgpack<JudgeAnswer>(answer.error());
  return write_all(out, text) ? 0 : 1;
}

class JudgeServer : public LineService {
 public:
  explicit JudgeServer(const JudgeServerOptions& options) : options_(options) {}

  bool takes_line_of(LineClientPlace client) override {
    const auto* waiting = find_waiting(client);
    return !waiting ||
           (waiting->requests.size() < most_waiting && waiting->bytes < most_waiting_bytes);
  }

  void serve(LineClientPlace client, const Result<std::string>& line) override {
    if (!line) return client->out.append(to_answer("null", line.error()));
    if (line->find_first_not_of(" \t\r") == std::string::npos) return;
    auto [id, content] = parse_served_line(*line);
    if (!content) return client->out.append(to_answer(id, content.error()));
    if (const auto* cancellation = std::get_if<Cancellation>(&*content))
      return cancel(client, &cancellation->id);
    add({client, std::move(id), {}}, std::get<JudgeRequest>(*std::move(content)));
  }

  void watch(PollLoop& loop) override {
    // Not sooner: an event of the last round may have been about such a job.
    std::erase_if(jobs_, [](const Job& job) { return job.asked.empty(); });
    start_jobs();
    for (auto job = jobs_.begin(); job != jobs_.end(); ++job)
      loop.watch(job->in.get(), POLLIN, [this, job] {
        if (job->asked.empty()) return;
        if (!read_available(job->in.get(), job->text)) finish(job);
      });
  }

  void leave(LineClientPlace client) override { cancel(client, nullptr); }

  void end() override {
    const Error reason{"the server was told to end"};
    for (auto& waiting : waiting_)
      for (const auto& each : waiting.requests)
        answer(each.asked, to_answer(each.asked.id, reason));
    waiting_.clear();
    for (auto& job : jobs_)
      for (const auto& asked : job.asked) answer(asked, to_answer(asked.id, reason));
    jobs_.clear();
  }

 private:
  // The requests of one client, in their order.
  struct Waiting {
    LineClientPlace client;
    std::deque<WaitingRequest> requests;
    std::size_t bytes = 0;  // of their sources
  };

  Waiting* find_waiting(LineClientPlace client) {
    const auto found = std::ranges::find(waiting_, client, &Waiting::client);
    return found == waiting_.end() ? nullptr : &*found;
  }

  static void answer(const Asked& asked, std::string_view text) {
    asked.client->out.append(text);
    --asked.client->pending;
  }

  // Answers at once what is known, and lets the rest wait for its turn.
  void add(Asked asked, JudgeRequest request) {
    asked.name = request.source.name;
    ++asked.client->pending;
    const auto shared = request.uses_cache ? options_.share(request) : std::nullopt;
    if (shared) {
      request.source.name = shared->name;
      if (const auto kept = options_.cache ? options_.cache->find(shared->digest) : std::nullopt)
        if (const auto json = options_.named(request.verdict, *kept, asked.name))
          return answer(asked, to_answer(asked.id, traits_of(request.verdict).answer, *json, ""));
    }
    auto* waiting = find_waiting(asked.client);
    if (!waiting) waiting = &waiting_.emplace_back(Waiting{asked.client, {}, 0});
    waiting->bytes += request.source.text.size();
    waiting->requests.push_back({asked, std::move(request), shared ? shared->digest : ""});
  }

  // Clients take turns: the one whose request starts goes to the end of the line.
  void start_jobs() {
    while (!waiting_.empty() && jobs_.size() < most_jobs_) {
      auto& next = waiting_.front().requests.front();
      const bool wants_all = is_alone(next.request.is_timed());
      const bool times_now = !jobs_.empty() && is_alone(jobs_.front().is_timed);
      auto* same = job_of(next.digest);
      if (!same && (times_now || (wants_all && !jobs_.empty()))) return;
      auto request = take_next();
      if (same)
        same->asked.push_back(std::move(request.asked));
      else
        start(std::move(request));
    }
  }

  bool is_alone(bool is_timed) const { return options_.times_alone && is_timed; }

  WaitingRequest take_next() {
    auto first = waiting_.begin();
    auto request = std::move(first->requests.front());
    first->requests.pop_front();
    first->bytes -= request.request.source.text.size();
    if (first->requests.empty())
      waiting_.erase(first);
    else
      waiting_.splice(waiting_.end(), waiting_, first);
    return request;
  }

  Job* job_of(const std::string& digest) {
    const auto found = std::ranges::find(jobs_, digest, &Job::digest);
    return digest.empty() || found == jobs_.end() || found->asked.empty() ? nullptr : &*found;
  }

  unsigned free_slot() const {
    unsigned slot = 0;
    while (std::ranges::find(jobs_, slot, &Job::slot) != jobs_.end()) ++slot;
    return slot;
  }

  void start(WaitingRequest request) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      return answer(request.asked,
                    to_answer(request.asked.id,
                              Error{fmt::format("cannot open a pipe: {}", std::strerror(errno))}));
    Fd in(ends[0]);
    const Fd out(ends[1]);
    const auto slot = free_slot();
    auto process = ChildProcess::fork(
        [&] { return write_judgement(options_.judge, request.request, slot, out.get()); });
    if (!process) return answer(request.asked, to_answer(request.asked.id, process.error()));
    jobs_.push_back({.asked = {std::move(request.asked)},
                     .digest = std::move(request.digest),
                     .verdict = request.request.verdict,
                     .is_timed = request.request.is_timed(),
                     .keeps_verdict = options_.cache && request.request.uses_cache,
                     .slot = slot,
                     .process = *std::move(process),
                     .in = std::move(in)});
  }

  // The process has closed its end: it has judged, or it died.
  void finish(std::list<Job>::iterator job) {
    const auto status = job->process.wait();
    const auto judged = status.succeeded()
                            ? from_msgpack<JudgeAnswer>(job->text)
                            : Error{"the process that judged it failed: " + describe(status)};
    if (judged && judged->is_verdict && job->keeps_verdict && !job->digest.empty())
      options_.cache->store(job->digest, judged->json);
    for (const auto& asked : job->asked) answer(asked, answer_of(*job, judged, asked));
    jobs_.erase(job);
  }

  std::string answer_of(const Job& job, const Result<JudgeAnswer>& judged,
                        const Asked& asked) const {
    if (!judged) return to_answer(asked.id, judged.error());
    const bool is_shared = !job.digest.empty();
    const auto json = is_shared ? options_.named(job.verdict, judged->json, asked.name)
                                : Result<std::string>(judged->json);
    if (!json) return to_answer(asked.id, json.error());
    return to_answer(asked.id, traits_of(job.verdict).answer, *json, judged->seconds);
  }

  // All requests of the client of that id, or, without one, all of them. A process ends when no
  // other request waits for it.
  void cancel(LineClientPlace client, const std::string* id) {
    const auto is_meant = [&](const Asked& asked) {
      return asked.client == client && (!id || asked.id == *id);
    };
    const auto drop = [&](const Asked& asked) {
      if (!is_meant(asked)) return false;
      answer(asked, to_cancelled_answer(asked.id));
      return true;
    };
    if (auto* waiting = find_waiting(client)) {
      std::erase_if(waiting->requests, [&](const WaitingRequest& each) {
        if (!is_meant(each.asked)) return false;
        waiting->bytes -= each.request.source.text.size();
        return drop(each.asked);
      });
      if (waiting->requests.empty())
        std::erase_if(waiting_, [&](const Waiting& each) { return each.client == client; });
    }
    for (auto& job : jobs_) {
      std::erase_if(job.asked, drop);
      if (job.asked.empty()) job.process.kill();
    }
  }

  const JudgeServerOptions& options_;
  const std::size_t most_jobs_ = processes_at_once(options_.jobs);
  std::list<Waiting> waiting_;  // clients with waiting requests, in the order of their turns
  std::list<Job> jobs_;
};

}  // namespace

std::optional<Error> serve_judgements(const JudgeServerOptions& options,
                                      const std::string& socket) {
  // The workers' files lie below this folder, so that those of a process that is killed go with it.
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.error();
  ::setenv("TMPDIR", folder->path().c_str(), 1);
  JudgeServer server(options);
  return socket.empty() ? serve_standard_streams(server)
                        : serve_unix_socket(server, socket, "msci-eval");
}

}  // namespace msci
