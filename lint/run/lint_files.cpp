#include "lint/run/lint_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/append.h"
#include "base/files/path_patterns.h"
#include "base/files/read_file.h"
#include "base/files/repository.h"
#include "lint/host/embedded/embedded_sources.h"
#include "lint/run/serialise.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// Errors: a name in the configuration that fits no rule.
std::optional<Error> check_names(const Config& config, std::span<const ListedRule> rules) {
  const auto check = [&](std::string_view key, LintRequest request) -> std::optional<Error> {
    const auto known = validated(std::move(request), rules);
    if (known) return std::nullopt;
    return Error{fmt::format("{}: \"{}\": {}", config.path, key, known.error().message)};
  };
  auto error = check("select", {.select = config.select});
  if (!error) error = check("ignore", {.ignore = config.ignore});
  if (!error) error = check("severity", {.overrides = config.severity});
  return error;
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

// Whether a file in Python makes libraries of torch, and no others: it is the host of its kernels.
bool calls_its_shaders(const Source& source) {
  const auto holds = [&](std::string_view word) {
    return source.text.find(word) != std::string::npos;
  };
  return host::language_of(source.name) == host::HostLanguage::python && holds("compile_shader(") &&
         !holds("newLibrary") && !holds("new_library");
}

// What was found in the host was found in the source, which is the same file.
void set_own_host(FileReport& report) {
  report.contract.host = nullptr;
  for (auto& finding : report.findings)
    if (finding.place.file == report.source.name) finding.place.file.clear();
}

// What a file of the disk may include: what lies beside it, what belongs to its project, and what
// the folders hold that are linted.
std::vector<std::string> readable_for(const std::string& file, const Config& config,
                                      const std::vector<std::string>& linted_folders) {
  std::error_code error;
  const auto source = fs::absolute(file, error).lexically_normal();
  std::vector<std::string> folders;
  const auto add = [&](const fs::path& folder) {
    if (std::find(folders.begin(), folders.end(), folder.string()) == folders.end())
      folders.push_back(folder.string());
  };
  add(source.parent_path());
  if (const auto repository = repository_of(source); !repository.empty()) add(repository);
  if (!config.path.empty()) add(fs::absolute(config.path, error).lexically_normal().parent_path());
  for (const auto& each : linted_folders) {
    const auto folder = fs::absolute(fs::path(each) / "", error).lexically_normal().parent_path();
    if (is_below(source, folder)) add(folder);
  }
  return folders;
}

// Files of folders that are larger than this are not searched for Metal.
constexpr std::size_t most_searched = std::size_t{4} << 20;

bool has_metal_in_strings(const std::string& path) {
  const auto language = host::language_of(path);
  if (!language) return false;
  const auto text = read_text(path, most_searched);
  return text && has_embedded_source(*text, *language);
}

// Whether it cannot be Metal itself and holds none. Not for files that cannot be read.
bool lacks_metal(const std::string& path) {
  if (!holds_metal_in_strings_only(path)) return false;
  const auto text = read_text(path, most_searched);
  return text && !has_embedded_source(*text, *host::language_of(path));
}

// The headers of a preamble are read ahead from this source on that shares it.
constexpr unsigned worth_preparing = 16;
// Sources with these preambles can alternate.
constexpr std::size_t most_preambles = 4;
// No further source is read while more bytes of results wait for an earlier file.
constexpr std::size_t most_waiting_bytes = std::size_t{256} << 20;

// Lints the files of a run side by side; their results leave in order.
class Run {
 public:
  Run(const std::vector<std::string>& files, std::vector<LintRequest> requests,
      const LintOptions& lint_options, std::span<const ListedRule> rules, ResultCache* cache,
      const OnResult& on_result)
      : files_(files),
        requests_(std::move(requests)),
        lint_options_(lint_options),
        rules_(rules),
        cache_(cache),
        on_result_(on_result) {}

  void go() {
    while (passed_ < files_.size()) {
      while (next_ < files_.size() && pool_.running() < lint_options_.jobs &&
             waiting_bytes_ < most_waiting_bytes) {
        begin(next_++);
        if (!pass_on()) return;
      }
      pool_.wait([&](std::size_t number, Result<IsolatedOutcome> outcome) {
        finish(number, std::move(outcome));
      });
      if (!pass_on()) return;
    }
  }

 private:
  void begin(std::size_t number) {
    auto source = read(files_[number], lint_options_);
    if (!source) return keep_waiting(number, source.error());
    LintJob job{.source = *std::move(source),
                .request = std::move(requests_[number]),
                .fix = lint_options_.fix};
    if (cache_)
      if (auto known = cache_->load(job)) return keep_waiting(number, *std::move(known));
    const auto preamble = preamble_of(job.source.text, job.request.compile);
    if (++uses_[preamble] >= worth_preparing) preambles_.prepare(preamble);
    const auto& kept = jobs_[number] = std::move(job);
    const auto work = [&] { return examine_serialised(kept, rules_, &preambles_); };
    if (auto error = pool_.start(number, work, lint_options_.limits)) keep_waiting(number, *error);
  }

  void finish(std::size_t number, Result<IsolatedOutcome> outcome) {
    const auto job = jobs_.extract(number);
    auto result = result_of(outcome, job.mapped());
    if (cache_ && result) cache_->store(job.mapped(), *result);
    keep_waiting(number, std::move(result));
  }

  static std::size_t size_of(const Result<LintResult>& result) {
    if (!result) return 0;
    auto bytes = result->report.source.text.size();
    for (const auto& each : result->report.included) bytes += each.text.size();
    return bytes;
  }

  void keep_waiting(std::size_t number, Result<LintResult> result) {
    waiting_bytes_ += size_of(result);
    waiting_.emplace(number, std::move(result));
  }

  // Passes on the results that no earlier file holds up; false if the receiver wants no more.
  bool pass_on() {
    for (; !waiting_.empty() && waiting_.begin()->first == passed_; ++passed_) {
      auto result = std::move(waiting_.extract(waiting_.begin()).mapped());
      waiting_bytes_ -= size_of(result);
      if (result) hint_at_fragment(result->report, definitions_);
      if (!on_result_(std::move(result))) return false;
    }
    return true;
  }

  const std::vector<std::string>& files_;
  std::vector<LintRequest> requests_;
  const LintOptions& lint_options_;
  std::span<const ListedRule> rules_;
  ResultCache* cache_;
  const OnResult& on_result_;
  PreambleCache preambles_{most_preambles};
  std::map<Preamble, unsigned> uses_;
  std::map<std::size_t, LintJob> jobs_;  // of running processes
  std::map<std::size_t, Result<LintResult>> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::size_t next_ = 0;    // to begin
  std::size_t passed_ = 0;  // results passed on
  Definitions definitions_;
  IsolatedPool pool_;  // last: its processes use the rest
};

}  // namespace

Result<LintRequest> request_from(const LintOptions& lint_options, const Config& config,
                                 std::span<const ListedRule> rules) {
  if (auto error = check_names(config, rules)) return *error;
  LintRequest request{.contract = lint_options.contract,
                      .select = lint_options.select.empty() ? config.select : lint_options.select,
                      .ignore = config.ignore,
                      .overrides = config.severity,
                      .find_resources = lint_options.find_resources};
  append(request.ignore, lint_options.ignore);
  append(request.overrides, lint_options.severity);
  auto compile = config.compile;
  add(compile, lint_options.compile);
  request.compile = options_from(compile);
  request.versions = versions_of(compile);
  request.contract.targets = compile.targets;
  return validated(std::move(request), rules);
}

Result<LintRequest> request_for(const std::string& file, const LintOptions& lint_options,
                                Configs& configs, std::span<const ListedRule> rules,
                                bool is_on_disk) {
  const auto config = configs.of(file);
  if (!config) return config.error();
  auto request = request_from(lint_options, *config, rules);
  if (!request || !is_on_disk) return request;
  request->compile.readable_folders = readable_for(file, *config, lint_options.linted_folders);
  append(request->compile.include_folders, configs.build_folders_of(file));
  return request;
}

Result<LintResult> examine(const LintJob& job, std::span<const ListedRule> rules,
                           PreambleCache* preamble_cache) {
  auto request = job.request;
  const bool is_own_host =
      job.host.empty() && !request.contract.host && calls_its_shaders(job.source);
  if (!job.host.empty()) {
    auto host = read_host_isolated(job.host);
    if (!host) return host.error();
    request.contract.host = *std::move(host);
  } else if (is_own_host) {
    request.contract.host = std::make_shared<const Host>(read_host({job.source}));
  }
  const OnProgress on_progress = [](const FileReport& so_far) {
    keep(serialise(LintResult{so_far}));
  };
  auto result = [&]() -> Result<LintResult> {
    if (is_host_of_strings(job.source))
      return lint_embedded(job.source, rules, request, job.fix, preamble_cache, on_progress);
    if (job.fix)
      return lint_and_fix(job.source, rules, request, *job.fix, preamble_cache, on_progress);
    auto report = examine(job.source, rules, request, preamble_cache, on_progress);
    if (!report) return report.error();
    return LintResult{.report = *std::move(report)};
  }();
  if (result && is_own_host) set_own_host(result->report);
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
  const auto excluder_of = [&](const std::string& path, bool is_folder) -> std::string {
    if (fits_any(filter.exclude, here, path)) return "--exclude";
    if (filter.git_ignored && ignored.ignores(path, is_folder)) return "git (see --no-ignore)";
    const auto config = configs.of(path);  // lint_files() reports an invalid one
    return config && excludes(*config, path) ? config->path : "";
  };
  std::vector<std::string> bare;  // hosts without Metal
  auto files = expand(arguments, excluder_of, filter.force, [&](const std::string& path) {
    const bool holds_metal = has_metal_in_strings(path);
    if (!holds_metal && holds_metal_in_strings_only(path) && excluder_of(path, false).empty())
      bare.push_back(path);
    return holds_metal;
  });
  // A folder of them is no error: the note on one says that there is no Metal in it.
  if (files.names.empty() && !bare.empty() && files.errors.size() == 1 &&
      files.errors[0].message.ends_with("holds no .metal file"))
    files = {.names = {*std::ranges::min_element(bare)}};
  // Tools pass the names of all files that have changed.
  if (files.names.size() > 1) std::erase_if(files.names, lacks_metal);
  return files;
}

std::optional<Error> lint_files(const std::vector<std::string>& files,
                                const LintOptions& lint_options, Configs& configs,
                                std::span<const ListedRule> rules, ResultCache* cache,
                                const OnResult& on_result) {
  const auto host = host_for(lint_options.contract.host, files.size());
  std::vector<LintRequest> requests;
  for (const auto& file : files) {
    const bool is_stdin = file == "-";
    auto request =
        request_for(is_stdin && !lint_options.stdin_name.empty() ? lint_options.stdin_name : file,
                    lint_options, configs, rules, !is_stdin);
    if (!request) return request.error();
    request->contract.host = host;
    requests.push_back(*std::move(request));
  }
  Run(files, std::move(requests), lint_options, rules, cache, on_result).go();
  return std::nullopt;
}

}  // namespace msci
