#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <map>

#include "base/files/standard_output.h"
#include "base/files/write_file.h"
#include "base/formats/diff.h"
#include "base/io/exit_status.h"
#include "base/io/report.h"
#include "lint/cli/options.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// Relative to the current folder, where the diff is applied.
std::string relative_name(const std::string& file) {
  std::error_code none;
  return fs::absolute(file, none)
      .lexically_normal()
      .lexically_relative(fs::current_path(none))
      .string();
}

std::string diff_of(const LintResult& result) {
  if (!result.fixed) return {};
  const auto& source = result.report.source;
  return unified_diff(relative_name(source.name), source.text, result.fixed->source.text);
}

// The findings that make the exit code 1.
std::size_t failing(const Counts& counts, const std::string& fail_on) {
  auto number = counts.errors;
  if (fail_on != "error") number += counts.warnings;
  if (fail_on == "note") number += counts.notes;
  return number;
}

// "applied 3 fixes: 2 of metal.restrict, 1 of metal.vector"
std::string applied_fixes(const std::map<std::string, std::size_t>& by_rule) {
  std::size_t all = 0;
  std::vector<std::string> parts;
  for (const auto& [rule, number] : by_rule) {
    all += number;
    parts.push_back(fmt::format("{} of {}", number, rule));
  }
  return fmt::format("applied {} fix{}: {}", all, all == 1 ? "" : "es", fmt::join(parts, ", "));
}

FileUpdate update_of(const std::string& file, const std::string& before) {
  return {.path = file, .before = before, .program = "msci-lint", .done = "fixed"};
}

bool writes_at_once(const Options& options, const OutputFormat& format) {
  return (options.diff || format.is_streamed) && options.write_baseline.empty() &&
         options.compare_with.empty();
}

// The end of the message about a new baseline: how many of its findings later runs hide with it.
std::string effect_of_baseline(const std::string& path, std::size_t findings, std::size_t hidden) {
  if (findings == 0) return "";
  const auto command = fmt::format("; --baseline {} hides", path);
  if (hidden == findings) return command + (findings == 1 ? " it" : " all of them");
  const auto what = hidden == 0 ? std::string("nothing") : fmt::format("{} of them", hidden);
  return fmt::format("{} {}: errors of Apple's compiler are always reported", command, what);
}

}  // namespace

int report_lint_error(const Error& error) { return report_error("msci-lint", error); }

Emitter::Emitter(const Options& options, FormatContext context, Baseline baseline,
                 std::size_t files)
    : options_(options),
      context_(std::move(context)),
      format_(format_of(options.format)),
      baseline_(std::move(baseline)),
      is_streamed_(writes_at_once(options, format_)),
      progress_(options.quiet ? 0 : files) {
  context_.said = &said_;
}

bool Emitter::add(Result<LintResult> result) {
  progress_.advance();
  // Fixed files are reported right before they are written: they may change until then.
  if (options_.fix)
    waiting_.push_back(std::move(result));
  else
    report(std::move(result));
  return !is_broken_;
}

void Emitter::report(Result<LintResult> result) {
  if (options_.diff && result) write(diff_of(*result));
  if (options_.fix && result && result->fixed) keep_fixed(*result);
  if (result)
    add(std::move(result->report));
  else
    add(result.error());
}

void Emitter::add(const Error& error) {
  progress_.erase();
  report_lint_error(error);
  has_problem_ = true;
  if (is_streamed_ && !options_.diff)
    write(format_.write({.errors = {error}}, without_summary(context_)));
  else
    run_.errors.push_back(error);
}

void Emitter::add(FileReport report) {
  if (options_.write_baseline.empty() && !options_.baseline.empty())
    for (const auto& known : remove_known(report, baseline_))
      hidden_ += hidden_before_.is_new(known);
  totals_ += report;
  RunResult one;
  one.reports.push_back(std::move(report));
  for (const auto& problem : problems_of(one)) {
    progress_.erase();
    report_lint_error(problem);
    has_problem_ = true;
  }
  for (const auto& warning : warnings_of(one)) {
    progress_.erase();
    report_warning("msci-lint", warning);
  }
  if (options_.diff) return;
  if (is_streamed_)
    write(format_.write(one, without_summary(context_)));
  else
    run_.reports.push_back(std::move(one.reports.front()));
}

// Replaces the report by that after the fixes, unless the file has changed; the source is written
// at the end.
void Emitter::keep_fixed(LintResult& result) {
  const auto& source = result.report.source;
  if (const auto error = changed_meanwhile(update_of(source.name, source.text))) {
    progress_.erase();
    report_lint_error(*error);
    has_problem_ = true;
    return;
  }
  auto before = std::move(result.report.source.text);
  result.report = *std::move(result.fixed);
  fixed_.push_back({.source = result.report.source,
                    .before = std::move(before),
                    .fixes = std::move(result.fixes)});
}

// The sources change last: what failed before leaves them as they are.
void Emitter::write_fixed() {
  std::map<std::string, std::size_t> by_rule;
  for (const auto& [source, before, fixes] : fixed_) {
    if (auto error = update_file(update_of(source.name, before), source.text)) {
      error->message += "; its findings are those after the fixes";
      report_lint_error(*error);
      has_problem_ = true;
      continue;
    }
    for (const auto& rule : fixes) ++by_rule[rule];
  }
  if (!by_rule.empty() && !options_.quiet)
    fmt::print(stderr, "msci-lint: {}\n", applied_fixes(by_rule));
}

void Emitter::write(std::string_view text) {
  if (text.empty() || is_broken_) return;
  progress_.erase();
  if (!options_.output.empty() && options_.output != "-") {
    text_ += text;
    return;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (const auto problem = flush_standard_output()) {
    report_lint_error(*problem);
    is_broken_ = true;
  }
}

void Emitter::compare_run() {
  run_.comparison = compare(baseline_, run_.reports, format_.keep);
  run_.comparison->path = options_.compare_with;
  totals_ = totals_of(run_);
}

std::optional<Error> Emitter::write_baseline() {
  const auto& path = options_.write_baseline;
  if (has_problem_)
    return Error{fmt::format("{} is not written, because some files could not be checked", path)};
  const auto baseline = baseline_of(run_.reports);
  const FileUpdate update{.path = path, .before = baseline_before_, .program = "msci-lint"};
  if (auto error = update_file(update, to_json(baseline, path))) return error;
  std::size_t hidden = 0, findings = 0;
  for (auto& report : run_.reports)
    for (const auto& known : remove_known(report, baseline)) hidden += hidden_before_.is_new(known);
  for (const auto& [entry, known] : baseline) findings += known.count;
  totals_ = totals_of(run_);
  if (options_.quiet) return std::nullopt;
  report_note("msci-lint", fmt::format("wrote {} to {}{}", counted(findings, "finding"), path,
                                       effect_of_baseline(path, findings, hidden)));
  return std::nullopt;
}

int Emitter::finish() {
  progress_.erase();
  for (auto& result : waiting_) report(std::move(result));
  if (!options_.compare_with.empty()) compare_run();
  if (!options_.write_baseline.empty())
    if (const auto error = write_baseline()) return report_lint_error(*error);
  write(ending());
  if (!options_.output.empty() && options_.output != "-")
    if (auto error = write_file(options_.output, text_)) return report_lint_error(*error);
  if (hidden_ > 0 && !options_.quiet)
    report_note("msci-lint",
                fmt::format("{} hides {}", options_.baseline, counted(hidden_, "finding")));
  if (is_broken_) return could_not_check;
  write_fixed();
  return code();
}

std::string Emitter::ending() const {
  if (options_.diff) return {};
  if (!is_streamed_) return format_.write(run_, context_);
  return format_.ends_with_summary ? summary_line(totals_, context_) : std::string();
}

int Emitter::code() const {
  if (has_problem_) return could_not_check;
  if (options_.require_proofs && totals_.unproved > 0)
    return report_lint_error({unproved_text(totals_)});
  if (options_.exit_zero) return all_right;
  const auto& counts = totals_.counts;
  if (options_.max_warnings && counts.warnings > *options_.max_warnings) {
    report_note("msci-lint", fmt::format("more warnings ({}) than --max-warnings {}",
                                         counts.warnings, *options_.max_warnings));
    return not_right;
  }
  return failing(counts, options_.fail_on) > 0 ? not_right : all_right;
}

}  // namespace msci
