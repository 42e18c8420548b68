#include "lint/service/lint_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "base/files/read_file.h"
#include "lint/service/isolated_host.h"
#include "lint/service/serialise.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

template <typename T>
void append(std::vector<T>& list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

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

CompileOptions compile_options_of(const LintRequest& request) {
  auto options = request.compile;
  options.version = request.version;
  return options;
}

// The nearest folder above the source that holds a repository; empty without one.
fs::path repository_of(const fs::path& source) {
  std::error_code error;
  for (auto folder = source.parent_path(); folder != folder.parent_path();
       folder = folder.parent_path())
    if (fs::exists(folder / ".git", error)) return folder;
  return {};
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
    std::erase_if(report.findings, [&](const Finding& finding) {
      const bool is_included =
          std::any_of(report.included.begin(), report.included.end(),
                      [&](const Source& file) { return file.name == finding.file; });
      return is_included &&
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
    preambles.push_back(preamble_of(job.source.text, compile_options_of(job.request)));
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
  request.compile = config.compile;
  append(request.compile.include_folders, lint_options.compile.include_folders);
  append(request.compile.system_folders, lint_options.compile.system_folders);
  append(request.compile.macros, lint_options.compile.macros);
  append(request.compile.includes, lint_options.compile.includes);
  request.compile.fast_math = config.compile.fast_math && lint_options.compile.fast_math;
  if (config.version) request.version = *config.version;
  if (lint_options.version) request.version = *lint_options.version;
  return validated(std::move(request), rules);
}

Result<LintResult> examine(const LintJob& job, std::span<const ListedRule> rules,
                           PreambleCache* preamble_cache) {
  auto request = job.request;
  if (!job.host.empty()) {
    auto host = read_host_isolated(job.host);
    if (!host) return host.error();
    request.contract.host = *std::move(host);
  }
  if (job.fix) return lint_and_fix(job.source, rules, request, *job.fix, preamble_cache);
  auto report = examine(job.source, rules, request, preamble_cache);
  if (!report) return report.error();
  return LintResult{.report = *std::move(report)};
}

std::string examine_serialised(const LintJob& job, std::span<const ListedRule> rules,
                               PreambleCache* preamble_cache) {
  auto result = examine(job, rules, preamble_cache);
  // The parent knows the host, which can be larger than all else.
  if (result && job.host.empty()) set_host(*result, nullptr);
  return serialise(result);
}

LintResult refused(const LintJob& job, const WorkFailure& broken) {
  return {.report = refused(job.source, job.request, broken.reason)};
}

Result<LintResult> result_of(const Result<IsolatedOutcome>& outcome, const LintJob& job) {
  if (!outcome) return outcome.error();
  const auto* bytes = std::get_if<std::string>(&*outcome);
  if (!bytes) return refused(job, std::get<WorkFailure>(*outcome));
  auto result = deserialise(*bytes);
  if (result && job.host.empty()) set_host(*result, job.request.contract.host);
  return result;
}

Files expand_files(const std::vector<std::string>& arguments, Configs& configs) {
  return expand(arguments, [&](const std::string& path) {
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
    const auto config = configs.of(
        file == "-" && !lint_options.stdin_name.empty() ? lint_options.stdin_name : file);
    if (!config) return config.error();
    auto request = request_from(lint_options, *config, rules);
    if (!request) return request.error();
    request->contract.host = host;
    if (file != "-") request->compile.readable_folders = readable_for(file, *config);
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
