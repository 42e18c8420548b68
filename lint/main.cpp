// msci-lint: lints Metal sources.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "lint/baseline.h"
#include "lint/check.h"
#include "lint/command.h"
#include "lint/command_line/pages.h"
#include "lint/command_line/parse.h"
#include "lint/diff.h"
#include "lint/format.h"
#include "lint/gitlab.h"
#include "lint/junit.h"
#include "lint/language_server.h"
#include "lint/pages.h"
#include "lint/sarif.h"
#include "lint/server.h"
#include "lint/standard_output.h"
#include "lint/text.h"
#include "lint/write_file.h"
#include "rules/rules.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

enum ExitCode { valid = 0, invalid = 1, could_not_check = 2 };

int fail(const Error& error) {
  fmt::print(stderr, "msci-lint: {}\n", printable(error.message));
  return could_not_check;
}

// Writes to standard output, and ends with `code` where that went well.
int put(std::string_view text, int code) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (const auto problem = flush_standard_output()) return fail(*problem);
  return code;
}

// The page of a rule, or the list of a family's.
int explain(const std::string& word) {
  if (const auto* rule = find_rule(all_rules(), word)) return put(page_of(*rule), valid);
  if (auto known = checked({.select = {word}}, all_rules()); !known) return fail(known.error());
  return put(rule_list(family_of(all_rules(), word)), valid);
}

int write_docs(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail({fmt::format("cannot create {}: {}", folder, error.message())});
  for (const auto& [name, text] : pages_of(all_rules()))
    if (auto done = write_file((fs::path(folder) / name).string(), text); !done)
      return fail(done.error());
  return valid;
}

// Seen from here, so that the diff can be applied here.
std::string relative_name(const std::string& file) {
  std::error_code none;
  return fs::absolute(file, none)
      .lexically_normal()
      .lexically_relative(fs::current_path(none))
      .string();
}

std::string diffs_of(const std::vector<Result<Examination>>& examinations) {
  std::string text;
  for (const auto& each : examinations)
    if (each && each->mended)
      text += unified_diff(relative_name(each->report.source.name), each->report.source.text,
                           each->mended->source.text);
  return text;
}

// Writes what was mended, and takes the new report for the old one.
void carry_out(std::vector<Result<Examination>>& examinations) {
  std::size_t fixes = 0;
  for (auto& each : examinations) {
    if (!each || !each->mended) continue;
    if (auto done = write_file(each->report.source.name, each->mended->source.text); !done) {
      each = done.error();
      continue;
    }
    fixes += each->fixes;
    each->report = *std::move(each->mended);
  }
  if (fixes > 0) fmt::print(stderr, "msci-lint: {} fix{} made\n", fixes, fixes == 1 ? "" : "es");
}

Linting linting_of(std::vector<Result<Examination>> examinations) {
  Linting linting;
  for (auto& each : examinations)
    if (each)
      linting.reports.push_back(std::move(each->report));
    else
      linting.errors.push_back(each.error());
  return linting;
}

// Leaves out what is known, or is so from now on.
Result<std::monostate> apply_baseline(const Options& options, Linting& linting) {
  const auto& fresh = options.write_baseline;
  if (!fresh.empty() && !linting.errors.empty())
    return Error{fmt::format("{} is not written, since not every file could be checked", fresh)};
  if (!fresh.empty()) {
    const auto text = to_json(baseline_of(linting.reports, fresh));
    if (auto done = write_file(fresh, text); !done) return done.error();
  }
  const auto& path = fresh.empty() ? options.baseline : fresh;
  if (path.empty()) return std::monostate();
  auto baseline = read_baseline(path);
  if (!baseline) return baseline.error();
  for (auto& report : linting.reports) leave_out_known(report, *baseline, path);
  return std::monostate();
}

std::string formatted(const Linting& linting, const Options& options) {
  if (options.format == "sarif") return to_sarif(linting, all_rules());
  if (options.format == "gitlab") return to_gitlab(linting);
  if (options.format == "junit") return to_junit(linting);
  std::string text;
  for (const auto& report : linting.reports) {
    if (options.format == "json") text += to_json(report) + "\n";
    if (options.format == "github") text += to_github(report);
    if (options.format == "text") text += to_text(report, colour_from(options));
  }
  if (options.format == "text" && !linting.reports.empty())
    text += summary(counts_of(linting), linting.reports.size());
  return text;
}

int code_for(const Linting& linting, const Options& options) {
  if (!linting.errors.empty()) return could_not_check;
  const auto counts = counts_of(linting);
  if (options.max_warnings && counts.warnings > *options.max_warnings) {
    fmt::print(stderr, "msci-lint: more warnings ({}) than --max-warnings {}\n", counts.warnings,
               *options.max_warnings);
    return invalid;
  }
  return counts.errors > 0 ? invalid : valid;
}

int serve(const Service& service, const std::string& socket, bool is_editors) {
  if (is_editors) {
    const auto status = serve_editor(service);
    return status ? *status : fail(status.error());
  }
  const auto done = socket.empty() ? serve_standard_input(service) : serve_socket(service, socket);
  return done ? valid : fail(done.error());
}

int run(const Options& options) {
  if (auto checked = sensible(options); !checked) return fail(checked.error());
  const auto wishes = wishes_from(options);
  if (!wishes) return fail(wishes.error());
  auto configs = configs_from(options);
  if (!configs) return fail(configs.error());
  if (options.server || options.lsp) return serve({*wishes, *configs}, options.socket, options.lsp);
  const auto files = files_of(options.files, *configs);
  auto examinations = check(files.names, *wishes, *configs, all_rules());
  if (!examinations) return fail(examinations.error());

  const auto diffs = options.diff ? diffs_of(*examinations) : std::string();
  if (options.fix) carry_out(*examinations);
  auto linting = linting_of(*std::move(examinations));
  linting.errors.insert(linting.errors.end(), files.errors.begin(), files.errors.end());
  for (const auto& error : linting.errors) fail(error);
  if (auto known = apply_baseline(options, linting); !known) return fail(known.error());
  return put(options.diff ? diffs : formatted(linting, options), code_for(linting, options));
}

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Lints Metal compute kernels.", "msci-lint");
  declare(app, options);
  describe_itself(app);
  const auto parsed = parse_command_line(app, argc, argv);
  if (!parsed) return fail(parsed.error());
  if (*parsed == Parsed::answered) return valid;
  if (options.list_rules) return put(rule_list(all_rules()), valid);
  if (!options.explain.empty()) return explain(options.explain);
  if (!options.write_docs.empty()) return write_docs(options.write_docs);
  return run(options);
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  const int status = msci::main(argc, argv);
  std::fflush(nullptr);
  std::_Exit(status);  // to take Clang's thousands of options apart would take a millisecond
}
