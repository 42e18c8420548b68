#include "lint/service/lint_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "base/append.h"
#include "base/files/path_patterns.h"
#include "base/files/read_file.h"
#include "base/files/repository.h"
#include "lint/service/isolated_host.h"
#include "lint/service/serialise.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// Errors: a name in the configuration that fits no rule.
Result<std::monostate> check_names(const Config& config, std::span<const ListedRule> rules) {
  const auto check = [&](std::string_view key, LintRequest request) -> Result<std::monostate> {
    const auto known = validated(std::move(request), rules);
    if (known) return std::monostate();
    return Error{fmt::format("{}: \"{}\": {}", config.path, key, known.error().message)};
  };
  auto done = check("select", {.select = config.select});
  if (done) done = check("ignore", {.ignore = config.ignore});
  if (done) done = check("severity", {.overrides = config.severity});
  return done;
}

void set_host(LintResult& result, const std::shared_ptr<const Host>& host) {
  result.report.contract.host = host;
  if (result.fixed) result.fixed->contract.host = host;
}

// With several sources, a kernel that one of them lacks may be in another one. Rules know that
// from the number of libraries.
std::shared_ptr<const Host> host_for(std::shared_ptr<const Host> host, std::size_t sources) {
  if (!host || sources == 1) return host;
  auto shared = *host;
  shared.libraries = std::max<std::size_t>(shared.libraries, 2);
  return std::make_shared<const Host>(std::move(shared));
}

Result<Source> read(const std::string& file, const LintOptions& lint_options) {
  auto source = read_source(file);
  if (source && file == "-" && !lint_options.stdin_name.empty())
    source->name = lint_options.stdin_name;
  return source;
}

// What a file of the disk may include: what lies beside it, and what belongs to its project.
std::vector<std::string> readable_for(const std::string& file, const Config& config) {
  std::error_code error;
  const auto source = fs::absolute(file, error).lexically_normal();
  std::vector<std::string> folders{source.parent_path().string()};
  if (const auto repository = repository_of(source); !repository.empty())
    folders.push_back(repository.string());
  if (!config.path.empty())
    folders.push_back(fs::absolute(config.path, error).parent_path().string());
  return folders;
}

// Several sources may include one file: its findings are reported once.
void report_once(std::vector<Result<LintResult>>& results) {
  std::set<std::tuple<std::string, Range, std::string, std::string>> reported;
  for (auto& result : results) {
    if (!result) continue;
    auto& report = result->report;
    const auto is_included = [&](const Finding& finding) {
      return std::any_of(
          report.included.begin(), report.included.end(),
          [&](const IncludedText& each) { return each.source.name == finding.file; });
    };
    std::erase_if(report.findings, [&](const Finding& finding) {
      return is_included(finding) &&
             !reported.emplace(finding.file, finding.range, finding.rule, finding.message).second;
    });
  }
}

// A preamble is parsed ahead if at least this many sources share it.
constexpr unsigned worth_preparing = 16;

// One result for each job, in their order. Sources with the same preamble run one after the other,
// so that its headers are parsed once.
std::vector<Result<LintResult>> results_of(const std::vector<LintJob>& jobs,
                                           std::span<const ListedRule> rules,
                                           unsigned parallel_jobs, const Limits& limits) {
  std::vector<Preamble> preambles;
  std::map<Preamble, unsigned> counts;
  for (const auto& job : jobs) {
    preambles.push_back(preamble_of(job.source.text, job.request.compile));
    ++counts[preambles.back()];
  }
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return preambles[a] < preambles[b]; });
  PreambleCache preamble_cache;
  const auto work_at = [&](std::size_t turn) -> Work {
    const auto& preamble = preambles[order[turn]];
    if (counts[preamble] >= worth_preparing) preamble_cache.prepare(preamble);
    return [&, turn] { return examine_serialised(jobs[order[turn]], rules, &preamble_cache); };
  };
  const auto outcomes = run_isolated(jobs.size(), work_at, parallel_jobs, limits);
  std::vector<Result<LintResult>> results(jobs.size(), LintResult());
  for (std::size_t turn = 0; turn < order.size(); ++turn)
    results[order[turn]] = result_of(outcomes[turn], jobs[order[turn]]);
  return results;
}

}  // namespace

Result<LintRequest> request_from(const LintOptions& lint_options, const Config& config,
                                 std::span<const ListedRule> rules) {
  if (auto known = check_names(config, rules); !known) return known.error();
  LintRequest request{.contract = lint_options.contract,
                      .select = lint_options.select.empty() ? config.select : lint_options.select,
                      .ignore = config.ignore,
                      .overrides = config.severity};
  append(request.ignore, lint_options.ignore);
  append(request.overrides, lint_options.severity);
  auto compile = config.compile;
  add(compile, lint_options.compile);
  request.compile = options_from(compile);
  return validated(std::move(request), rules);
}

Result<LintRequest> request_for(const std::string& file, const LintOptions& lint_options,
                                Configs& configs, std::span<const ListedRule> rules) {
  const auto config = configs.of(file);
  if (!config) return config.error();
  auto request = request_from(lint_options, *config, rules);
  if (request) request->compile.readable_folders = readable_for(file, *config);
  return request;
}

Result<LintResult> examine(const LintJob& job, std::span<const ListedRule> rules,
                           PreambleCache* preamble_cache) {
  auto request = job.request;
  if (!job.host.empty()) {
    auto host = read_host_isolated(job.host);
    if (!host) return host.error();
    request.contract.host = *std::move(host);
  }
  const OnProgress on_progress = [](const Report& so_far) { keep(serialise(LintResult{so_far})); };
  auto result = [&]() -> Result<LintResult> {
    if (job.fix)
      return lint_and_fix(job.source, rules, request, *job.fix, preamble_cache, on_progress);
    auto report = examine(job.source, rules, request, preamble_cache, on_progress);
    if (!report) return report.error();
    return LintResult{.report = *std::move(report)};
  }();
  if (const auto& host = request.contract.host; result && host && !host->failure.empty()) {
    result->report.error = fmt::format("the host could not be read: {}", host->failure);
    if (result->fixed) result->fixed->error = result->report.error;
  }
  return result;
}

std::string examine_serialised(const LintJob& job, std::span<const ListedRule> rules,
                               PreambleCache* preamble_cache) {
  auto result = examine(job, rules, preamble_cache);
  // The parent knows the host, which can be larger than all else.
  if (result && job.host.empty()) set_host(*result, nullptr);
  return serialise(result);
}

LintResult unfinished(const LintJob& job, const WorkFailure& failure) {
  LintResult result;
  if (!failure.kept.empty())
    if (auto kept = deserialise(failure.kept)) result = *std::move(kept);
  result.report.source = job.source;
  result.report.contract = job.request.contract;
  result.report.error = failure.reason;
  return result;
}

Result<LintResult> result_of(const Result<IsolatedOutcome>& outcome, const LintJob& job) {
  if (!outcome) return outcome.error();
  const auto* bytes = std::get_if<std::string>(&*outcome);
  if (!bytes) return unfinished(job, std::get<WorkFailure>(*outcome));
  auto result = deserialise(*bytes);
  if (result && job.host.empty()) set_host(*result, job.request.contract.host);
  return result;
}

Files expand_files(const std::vector<std::string>& arguments, const FileFilter& filter,
                   Configs& configs) {
  std::error_code none;
  const auto here = fs::current_path(none);
  IgnoredFiles ignored;
  return expand(arguments, [&](const std::string& path, bool is_folder) {
    if (fits_any(filter.exclude, here, path)) return true;
    if (filter.git_ignored && ignored.ignores(path, is_folder)) return true;
    const auto config = configs.of(path);
    return config && excludes(*config, path);  // lint_files() reports an invalid one
  });
}

Result<std::vector<Result<LintResult>>> lint_files(const std::vector<std::string>& files,
                                                   const LintOptions& lint_options,
                                                   Configs& configs,
                                                   std::span<const ListedRule> rules) {
  const auto host = host_for(lint_options.contract.host, files.size());
  std::vector<LintJob> jobs;
  std::vector<std::optional<Error>> errors;  // of each file
  for (const auto& file : files) {
    const bool is_stdin = file == "-";
    auto request =
        request_for(is_stdin && !lint_options.stdin_name.empty() ? lint_options.stdin_name : file,
                    lint_options, configs, rules);
    if (!request) return request.error();
    request->contract.host = host;
    if (is_stdin) request->compile.readable_folders.clear();
    auto source = read(file, lint_options);
    errors.push_back(source ? std::nullopt : std::optional(source.error()));
    if (source)
      jobs.push_back(
          {.source = *std::move(source), .request = *std::move(request), .fix = lint_options.fix});
  }
  auto linted = results_of(jobs, rules, lint_options.jobs, lint_options.limits);
  std::vector<Result<LintResult>> results;
  auto next = linted.begin();
  for (const auto& error : errors)
    results.push_back(error ? Result<LintResult>(*error) : std::move(*next++));
  report_once(results);
  return results;
}

}  // namespace msci
