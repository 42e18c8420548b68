#include <fmt/format.h>
#include <unistd.h>

#include <thread>

#include "base/files/read_file.h"
#include "lint/cli/options.h"
#include "lint/run/lint_files.h"

namespace msci {

namespace {

// What the host in these files does; null without any.
Result<std::shared_ptr<const Host>> host_from(const std::vector<std::string>& files) {
  std::vector<Source> sources;
  for (const auto& file : files) {
    auto source = read_source(file);
    if (!source) return source.error();
    sources.push_back(*std::move(source));
  }
  if (sources.empty()) return std::shared_ptr<const Host>();
  return read_host_isolated(std::move(sources));
}

// For --server and --lsp.
std::optional<Error> validate_server(const Options& options) {
  const auto wrong = [&](std::string_view why) {
    return Error{fmt::format("{} {}", options.lsp ? "--lsp" : "--server", why)};
  };
  if (!options.files.empty()) return wrong("takes no files; they come with the requests");
  if (options.fix || options.diff || !options.baseline.empty() || !options.write_baseline.empty())
    return wrong("only reports findings; it excludes --fix, --diff and baselines");
  if (!options.output.empty()) return wrong("answers on its streams; it excludes --output");
  if (options.format != "text" && options.format != "json")
    return wrong(fmt::format("answers in JSON; it excludes --format {}", options.format));
  return std::nullopt;
}

}  // namespace

std::optional<Error> validate(const Options& options) {
  if (!options.show_config.empty()) {
    if (!options.files.empty()) return Error{"--show-config takes one file, and no other"};
    return std::nullopt;
  }
  if (options.server || options.lsp) return validate_server(options);
  if (options.unsafe_fixes && !options.fix && !options.diff)
    return Error{"--unsafe-fixes needs --fix or --diff"};
  if (options.diff && options.format != "text")
    return Error{fmt::format("--diff excludes --format {}: it prints a patch", options.format)};
  if (options.write_baseline == "-")
    return Error{"--write-baseline needs a file name; standard output is for the findings"};
  if (options.watch && (!options.write_baseline.empty() || !options.output.empty()))
    return Error{"--watch excludes --write-baseline and --output"};
  if (options.files.empty()) return Error{"no file given; see --help"};
  for (const auto& file : options.files)
    if (options.fix && file == "-")
      return Error{"--fix cannot write to standard input; use --diff"};
    else if (options.watch && file == "-")
      return Error{"--watch cannot watch standard input"};
  return std::nullopt;
}

// Rules that find faults. Those about what an author could do better are left out.
void select_for_generated(LintOptions& lint_options) {
  lint_options.select = {
      "binding", "hazard", "lint", "metal", "resource.thread_limit", "resource.threadgroup_memory",
      "security"};
  for (const auto* guess : {"hazard.missing_guard", "hazard.nan_test_under_fast_math",
                            "hazard.tile_assumes_threadgroup"})
    lint_options.ignore.emplace_back(guess);
}

Result<LintOptions> lint_options_from(const Options& options, std::span<const ListedRule> rules,
                                      FindTask find_task) {
  LintOptions lint_options{
      .select = options.select,
      .ignore = options.ignore,
      .stdin_name = options.stdin_name,
      .jobs = options.jobs ? options.jobs : std::max(std::thread::hardware_concurrency(), 1u)};
  if (options.generated) select_for_generated(lint_options);
  for (const auto& text : options.severity) {
    auto severity = override_from(text);
    if (!severity) return severity.error();
    lint_options.severity.push_back(*std::move(severity));
  }
  lint_options.limits = {.seconds = options.time_limit,
                         .memory_bytes = std::size_t{options.memory_limit} << 20};
  auto compile = settings_from(options.compile, "msci-lint");
  if (!compile) return compile.error();
  lint_options.compile = *std::move(compile);
  if (!options.target.empty()) {
    auto targets = targets_from(options.target);
    if (!targets) return targets.error();
    add(lint_options.compile, {.targets = *std::move(targets)});
  }
  auto contract = contract_from(options.task, options.kernels, "the command line", find_task);
  if (!contract) return contract.error();
  lint_options.contract = *std::move(contract);
  auto host = host_from(options.hosts);
  if (!host) return host.error();
  lint_options.contract.host = *std::move(host);
  if (options.fix || options.diff)
    lint_options.fix = {.which = options.unsafe_fixes ? Fixes::all : Fixes::safe};
  if (auto known = request_from(lint_options, {}, rules); !known) return known.error();
  return lint_options;
}

Result<Configs> configs_from(const Options& options) {
  auto configs = options.no_config ? Configs::always({}) : Configs::nearest();
  if (!options.config.empty()) {
    auto config = read_config(options.config);
    if (!config) return config.error();
    configs = Configs::always(*std::move(config));
  }
  if (!options.no_compile_commands) configs.read_compile_commands();
  return configs;
}

RulePages rule_pages_from(const Options& options) {
  return options.rule_pages ? RulePages(*options.rule_pages) : RulePages::installed();
}

Colour colour_from(const Options& options) {
  return colour_for(options.colour, options.output.empty() && isatty(STDOUT_FILENO));
}

}  // namespace msci
