// msci-lint: lints Metal sources.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/command_line/parse.h"
#include "base/command_line/self_description.h"
#include "base/diff.h"
#include "base/files/standard_output.h"
#include "base/files/write_file.h"
#include "base/text.h"
#include "driver/tools.h"
#include "evaluator/find_kernel_resources.h"
#include "evaluator/plan/task.h"
#include "lint/baseline.h"
#include "lint/cli/command.h"
#include "lint/cli/show_config.h"
#include "lint/ide/language_server.h"
#include "lint/line_directives.h"
#include "lint/output/formats.h"
#include "lint/output/rule_pages.h"
#include "lint/service/lint_files.h"
#include "lint/service/server.h"
#include "rules/rules.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

enum ExitCode { valid = 0, invalid = 1, could_not_check = 2 };

int report_error(const Error& error) {
  fmt::print(stderr, "msci-lint: {}\n", printable(error.message));
  return could_not_check;
}

// Writes to standard output; returns `code` unless that fails.
int print(std::string_view text, int code) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (const auto problem = flush_standard_output()) return report_error(*problem);
  return code;
}

Result<std::vector<KernelContract>> find_task_contract(std::string_view name) {
  const auto task = find_task(name);
  if (!task) return task.error();
  return (*task)->kernels;
}

// Prints the page of a rule, or the rules of a family.
int explain(const std::string& word) {
  if (const auto* rule = find_rule(all_rules(), word)) return print(page_of(*rule), valid);
  if (auto known = validated({.select = {word}}, all_rules()); !known)
    return report_error(known.error());
  return print(rule_list(family_of(all_rules(), word)), valid);
}

int write_rule_index(const std::string& file) {
  if (auto done = write_file(file, index_of(all_rules())); !done) return report_error(done.error());
  return valid;
}

// Relative to the current folder, where the diff is applied.
std::string relative_name(const std::string& file) {
  std::error_code none;
  return fs::absolute(file, none)
      .lexically_normal()
      .lexically_relative(fs::current_path(none))
      .string();
}

std::string diffs_of(const std::vector<Result<LintResult>>& results) {
  std::string text;
  for (const auto& each : results)
    if (each && each->fixed)
      text += unified_diff(relative_name(each->report.source.name), each->report.source.text,
                           each->fixed->source.text);
  return text;
}

// Writes the fixed sources, and replaces their reports by those after the fixes.
void write_fixes(std::vector<Result<LintResult>>& results, bool quiet) {
  std::size_t fixes = 0;
  for (auto& each : results) {
    if (!each || !each->fixed) continue;
    if (auto done = write_file(each->report.source.name, each->fixed->source.text); !done) {
      each = done.error();
      continue;
    }
    fixes += each->fixes;
    each->report = *std::move(each->fixed);
  }
  if (fixes > 0 && !quiet)
    fmt::print(stderr, "msci-lint: applied {} fix{}\n", fixes, fixes == 1 ? "" : "es");
}

Linting linting_of(std::vector<Result<LintResult>> results) {
  Linting linting;
  for (auto& each : results)
    if (each) {
      linting.reports.push_back(std::move(each->report));
      apply_line_directives(linting.reports.back());
    } else {
      linting.errors.push_back(each.error());
    }
  return linting;
}

// Writes the baseline if requested, and removes known findings.
Result<std::monostate> apply_baseline(const Options& options, Linting& linting) {
  const auto& fresh = options.write_baseline;
  if (!fresh.empty() && !problems_of(linting).empty())
    return Error{fmt::format("{} is not written, because some files could not be checked", fresh)};
  if (!fresh.empty()) {
    const auto text = to_json(baseline_of(linting.reports, fresh));
    if (auto done = write_file(fresh, text); !done) return done.error();
  }
  const auto& path = fresh.empty() ? options.baseline : fresh;
  if (path.empty()) return std::monostate();
  auto baseline = read_baseline(path);
  if (!baseline) return baseline.error();
  for (auto& report : linting.reports) remove_known(report, *baseline, path);
  return std::monostate();
}

// The findings that make the exit code 1.
std::size_t failing(const Counts& counts, const std::string& fail_on) {
  auto number = counts.errors;
  if (fail_on != "error") number += counts.warnings;
  if (fail_on == "note") number += counts.notes;
  return number;
}

int code_for(const Linting& linting, const Options& options) {
  if (!problems_of(linting).empty()) return could_not_check;
  if (options.exit_zero) return valid;
  const auto counts = counts_of(linting);
  if (options.max_warnings && counts.warnings > *options.max_warnings) {
    fmt::print(stderr, "msci-lint: more warnings ({}) than --max-warnings {}\n", counts.warnings,
               *options.max_warnings);
    return invalid;
  }
  return failing(counts, options.fail_on) > 0 ? invalid : valid;
}

// Writes to --output, or else to standard output; returns `code` unless that fails.
int put(const std::string& text, const Options& options, int code) {
  if (options.output.empty() || options.output == "-") return print(text, code);
  if (auto done = write_file(options.output, text); !done) return report_error(done.error());
  return code;
}

int serve(const ServerOptions& options, const std::string& socket, bool as_language_server) {
  if (as_language_server) {
    const auto status = serve_editor(options);
    return status ? *status : report_error(status.error());
  }
  const auto done = socket.empty() ? serve_standard_input(options) : serve_socket(options, socket);
  return done ? valid : report_error(done.error());
}

int run(const Options& options) {
  if (auto valid = validate(options); !valid) return report_error(valid.error());
  const auto lint_options = lint_options_from(options, all_rules(), find_task_contract);
  if (!lint_options) return report_error(lint_options.error());
  if (options.occupancy) set_kernel_resources(find_kernel_resources);
  auto configs = configs_from(options);
  if (!configs) return report_error(configs.error());
  if (!options.show_config.empty()) {
    const auto settings = settings_of(options.show_config, *lint_options, *configs, all_rules());
    return settings ? print(*settings, valid) : report_error(settings.error());
  }
  if (options.server || options.lsp)
    return serve(
        {all_rules(), find_task_contract, *lint_options, *configs, rule_pages_from(options)},
        options.socket, options.lsp);
  const FileFilter filter{.exclude = options.exclude, .git_ignored = !options.no_ignore};
  const auto files = expand_files(options.files, filter, *configs);
  auto results = lint_files(files.names, *lint_options, *configs, all_rules());
  if (!results) return report_error(results.error());

  const auto diffs = options.diff ? diffs_of(*results) : std::string();
  if (options.fix) write_fixes(*results, options.quiet);
  auto linting = linting_of(*std::move(results));
  linting.errors.insert(linting.errors.end(), files.errors.begin(), files.errors.end());
  for (const auto& problem : problems_of(linting)) report_error(problem);
  if (auto known = apply_baseline(options, linting); !known) return report_error(known.error());
  const FormatContext context{.colour = colour_from(options),
                              .summary = !options.quiet,
                              .rules = all_rules(),
                              .rule_pages = rule_pages_from(options)};
  return put(options.diff ? diffs : formatted(linting, options.format, context), options,
             code_for(linting, options));
}

}  // namespace

int lint_main(int argc, char** argv) {
  Options options;
  CLI::App app("Lints Metal compute kernels.", "msci-lint");
  declare(app, options);
  describe_itself(app);
  const auto parsed = parse_command_line(app, take_flags(argc, argv, options.compile), argv);
  if (!parsed) return report_error(parsed.error());
  if (*parsed == Parsed::answered) return valid;
  if (options.list_rules) return print(rule_list(all_rules()), valid);
  if (!options.explain.empty()) return explain(options.explain);
  if (!options.write_rule_index.empty()) return write_rule_index(options.write_rule_index);
  return run(options);
}

}  // namespace msci
