#include "lint/service/server.h"

#include <csignal>
#include <list>
#include <set>

#include "base/io/acceptor.h"
#include "base/io/line_server.h"
#include "base/process/isolated_process.h"

namespace msci {
namespace {

// Sources of a search have few different preambles. Each precompiled one costs some MB, and some
// time whenever this process is copied.
constexpr std::size_t most_precompiled = 8;
constexpr std::size_t most_seen = 4096;

// The preamble of most kernels, precompiled before the first request.
constexpr std::string_view usual_preamble = "#include <metal_stdlib>\n";

// A request that an isolated process works on.
struct PendingRequest {
  LineClientPlace client;
  std::string id;
  LintJob job;
  IsolatedProcess process;
};

class Server : public LineService {
 public:
  explicit Server(const ServerOptions& options) : options_(options), preambles_(most_precompiled) {
    const auto version = options.lint_options.compile.version.value_or(LanguageVersion());
    const auto usual = preamble_of(usual_preamble, version);
    seen_.insert(usual);
    preambles_.prepare(usual);
  }

  // A request starts as soon as its line is read.
  bool takes_line_of(LineClientPlace) override { return pending_.size() < most_pending_; }

  void watch(PollLoop& loop) override {
    for (auto each = pending_.begin(); each != pending_.end(); ++each)
      loop.watch(each->process.descriptor(), POLLIN, [this, each] {
        if (each->process.read_available()) finish(each);
      });
  }

  void serve(LineClientPlace client, const Result<std::string>& line) override {
    if (!line) return client->out.append(to_response("null", line.error(), options_.rule_pages));
    if (line->find_first_not_of(" \t\r") == std::string::npos) return;
    auto [id, job] = parse_request(*line, options_);
    if (!job) return client->out.append(to_response(id, job.error(), options_.rule_pages));
    auto process = start(id, *job);
    if (!process) return client->out.append(to_response(id, process.error(), options_.rule_pages));
    ++client->pending;
    pending_.push_back({client, std::move(id), *std::move(job), *std::move(process)});
  }

 private:
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
  const std::size_t most_pending_ = processes_at_once(options_.lint_options.jobs);
  PreambleCache preambles_;
  std::set<Preamble> seen_;
  std::list<PendingRequest> pending_;
};

}  // namespace

std::optional<Error> serve_standard_input(const ServerOptions& options) {
  Server server(options);
  return serve_standard_streams(server);
}

std::optional<Error> serve_socket(const ServerOptions& options, const std::string& path) {
  Server server(options);
  return serve_unix_socket(server, path, "msci-lint");
}

}  // namespace msci
