// msci-lint: lints Metal sources.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "analysis/solver/z3.h"
#include "base/command_line/parse.h"
#include "base/command_line/self_description.h"
#include "base/command_line/short_help.h"
#include "base/files/cache.h"
#include "base/files/standard_output.h"
#include "base/files/write_file.h"
#include "base/io/exit_status.h"
#include "driver/tools.h"
#include "evaluator/find_kernel_resources.h"
#include "lint/baseline.h"
#include "lint/cli/options.h"
#include "lint/ide/language_server.h"
#include "lint/output/formats.h"
#include "lint/output/rule_gallery.h"
#include "lint/output/rule_pages.h"
#include "lint/run/lint_files.h"
#include "lint/service/server.h"
#include "lint/target/targets.h"
#include "rules/rules.h"
#include "tasks/plan/task.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// Writes to standard output; returns `code` unless that fails.
int print(std::string_view text, int code) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (const auto problem = flush_standard_output()) return report_lint_error(*problem);
  return code;
}

// Prints the page of a rule, or the rules of a family.
int explain(const std::string& word) {
  if (const auto* rule = find_rule(all_rules(), word)) return print(page_of(*rule), all_right);
  if (auto known = validated({.select = {word}}, all_rules()); !known)
    return report_lint_error(known.error());
  return print(rule_list(family_of(all_rules(), word)), all_right);
}

int explain_target(const std::string& names) {
  const auto page = target_explanation(names);
  return page ? print(*page, all_right) : report_lint_error(page.error());
}

int write_gallery(const std::string& file) {
  if (auto error = write_file(file, rule_gallery(all_rules()))) return report_lint_error(*error);
  return all_right;
}

int write_rule_index(const std::string& file) {
  if (auto error = write_file(file, index_of(all_rules()))) return report_lint_error(*error);
  return all_right;
}

// The findings of an earlier run; none without --baseline and --compare-with.
Result<Baseline> baseline_from(const Options& options) {
  const auto& path = options.baseline.empty() ? options.compare_with : options.baseline;
  if (!options.write_baseline.empty() || path.empty()) return Baseline();
  return read_baseline(path);
}

std::optional<fs::path> cache_folder(const Options& options) {
  return options.no_cache ? std::nullopt : user_cache_folder();
}

int print_cache_info() {
  const auto folder = user_cache_folder();
  const auto [entries, bytes] = ResultCache(folder).usage();
  return print(fmt::format("{}: {} results, {:.1f} of at most {} MiB\n",
                           folder ? (*folder / ResultCache::folder).string() : "no folder", entries,
                           static_cast<double>(bytes) / (1 << 20), ResultCache::most_bytes >> 20),
               all_right);
}

int clear_cache() {
  ResultCache(user_cache_folder()).clear();
  return all_right;
}

std::vector<TaskContract> task_contracts() {
  std::vector<TaskContract> contracts;
  for (const auto* task : all_tasks())
    contracts.push_back({std::string(task->name), task->kernels});
  return contracts;
}

int serve(const ServerOptions& options, const std::string& socket, bool as_language_server) {
  if (as_language_server) {
    const auto status = serve_editor(options);
    return status ? *status : report_lint_error(status.error());
  }
  const auto error = socket.empty() ? serve_standard_input(options) : serve_socket(options, socket);
  return error ? report_lint_error(*error) : all_right;
}

void add_lookups(FileWatch& watch, const FileReport& report) {
  for (const auto& file : report.lookups) watch.add(file.path);
}

// One run over the files. Adds to `watch`, unless it is null, what the results depend on.
int lint_once(const Options& options, LintOptions lint_options, Configs configs, FileWatch* watch) {
  const FileFilter filter{.exclude = options.exclude,
                          .git_ignored = !options.no_ignore,
                          .force = options.force_exclude};
  const auto files = expand_files(options.files, filter, configs);
  for (const auto& argument : options.files)
    if (std::error_code none; fs::is_directory(argument, none))
      lint_options.linted_folders.push_back(argument);
  if (watch)
    for (const auto& name : files.names) watch->add(name);
  auto baseline = baseline_from(options);
  if (!baseline) return report_lint_error(baseline.error());
  if (lint_options.fix && !baseline->empty())
    lint_options.fix->hide_known = [known = *baseline](FileReport& report) {
      remove_known(report, known);
    };
  FormatContext context{.colour = colour_from(options),
                        .summary = !options.quiet,
                        .rules = all_rules(),
                        .rule_pages = rule_pages_from(options)};
  Emitter emitter(options, std::move(context), *std::move(baseline), files.names.size());
  if (!options.write_baseline.empty()) {
    auto before = text_before_update(options.write_baseline);
    if (!before) return report_lint_error(before.error());
    emitter.replace_baseline(*std::move(before));
  }
  auto folder = cache_folder(options);
  const auto z3 = folder ? prover::Z3::version() : Error{};  // results depend on it
  auto tools = z3 ? "Z3 " + *z3 : "";
  if (!options.task.empty()) {
    const auto task = find_task(options.task);
    if (!task) return report_lint_error(task.error());
    lint_options.contract.task = *task;
    const auto version = task_version(**task);
    tools += version.value_or("");
    if (!version) folder.reset();  // the files that the plan depends on are unknown
  }
  ResultCache cache(std::move(folder), std::move(tools));
  const auto error = lint_files(files.names, lint_options, configs, all_rules(), &cache,
                                [&](Result<LintResult> result) {
                                  if (watch && result) add_lookups(*watch, result->report);
                                  return emitter.add(std::move(result));
                                });
  if (error) return report_lint_error(*error);
  for (const auto& error : files.errors) emitter.add(error);
  return emitter.finish();
}

// The time and, on a terminal, the empty line tell one run from the next.
void say_waiting() {
  fmt::print(stderr, "msci-lint: {:%H:%M:%S}: waiting for changes; Ctrl-C ends{}\n",
             fmt::localtime(std::time(nullptr)), ::isatty(STDERR_FILENO) ? "\n" : "");
}

// Lints whenever a file changes, until Ctrl-C.
int lint_and_watch(const Options& options, const LintOptions& lint_options) {
  auto watch = FileWatch::open();
  if (!watch) return report_lint_error(watch.error());
  for (const auto& argument : options.files) watch->add(argument);
  do {
    auto configs = configs_from(options);  // they may have changed
    if (configs)
      lint_once(options, lint_options, *std::move(configs), &*watch);
    else
      report_lint_error(configs.error());
  } while (watch->wait(say_waiting));
  return all_right;
}

int run(const Options& options) {
  // First, because it tells of a file behind "--", which is missing among the files.
  auto lint_options = lint_options_from(options, all_rules(), find_task_contract);
  if (!lint_options) return report_lint_error(lint_options.error());
  if (auto error = validate(options)) return report_lint_error(*error);
  if (options.occupancy) lint_options->find_resources = find_kernel_resources;
  auto configs = configs_from(options);
  if (!configs) return report_lint_error(configs.error());
  if (!options.show_config.empty()) {
    const auto settings = settings_of(options.show_config, *lint_options, *configs, all_rules());
    return settings ? print(*settings, all_right) : report_lint_error(settings.error());
  }
  if (options.server || options.lsp)
    return serve({all_rules(), find_task_contract, *lint_options, *configs,
                  rule_pages_from(options), task_contracts()},
                 options.socket, options.lsp);
  if (options.watch) return lint_and_watch(options, *lint_options);
  return lint_once(options, *lint_options, *std::move(configs), nullptr);
}

}  // namespace

int lint_main(int argc, char** argv) {
  Options options;
  CLI::App app("Lints Metal compute kernels.", "msci-lint");
  declare(app, options);
  describe_itself(app);
  shorten_help(
      app, {.page = "docs/guide/linting.md",
            .options = {"--select", "--ignore", "--severity", "--task", "--host", "--fix", "--diff",
                        "--json", "--watch", "--lsp", "--explain", "--list-rules", "--version"}});
  const auto parsed = parse_command_line(app, take_flags(argc, argv, options.compile), argv);
  if (!parsed) return report_lint_error(parsed.error());
  if (*parsed == Parsed::answered) return all_right;
  if (options.list_rules) {
    const auto z3 = prover::Z3::version();
    return print(rule_list(all_rules(), z3 ? "" : z3.error().message), all_right);
  }
  if (options.cache_info) return print_cache_info();
  if (options.cache_clear) return clear_cache();
  if (!options.explain.empty()) return explain(options.explain);
  if (!options.explain_target.empty()) return explain_target(options.explain_target);
  if (!options.gallery.empty()) return write_gallery(options.gallery);
  if (!options.write_rule_index.empty()) return write_rule_index(options.write_rule_index);
  return run(options);
}

}  // namespace msci
