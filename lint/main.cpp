// msci-lint: lints Metal sources.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "evaluator/task.h"
#include "lint/apart.h"
#include "lint/format.h"
#include "lint/lint.h"
#include "lint/metal/read_file.h"
#include "rules/rules.h"

namespace msci {
namespace {

enum ExitCode { valid = 0, invalid = 1, could_not_check = 2 };

struct Options {
  std::vector<std::string> files;
  bool json = false;
  std::string task;
  std::string host;
  std::vector<std::string> kernels;
  std::string standard = "metal3.1";
  std::string explain;
  bool list_rules = false;
  std::vector<std::string> select;
  std::vector<std::string> ignore;
};

constexpr std::string_view examples = R"(Examples:
  msci-lint kernel.metal                        findings as text
  msci-lint --json --task saxpy kernel.metal    the pre-check of a candidate, one JSON object
  cat kernel.metal | msci-lint -                from standard input
  msci-lint --explain metal.restrict            the page of a rule

Exit codes: 0 no errors, 1 findings of severity error, 2 could not check.)";

void declare(CLI::App& app, Options& options) {
  app.add_option("FILES", options.files, "Metal sources; - for standard input");
  app.add_flag("--json", options.json, "one JSON object per file, one per line");
  app.add_option("--task", options.task, "the source must hold the kernels of this task");
  app.add_option("--host", options.host,
                 "the host that runs it: C++ with metal-cpp or OpenCL, or Objective-C++");
  app.add_option("--kernel", options.kernels, "the source must hold this kernel (repeatable)")
      ->allow_extra_args(false);
  app.add_option("--std", options.standard, "language version")->capture_default_str();
  app.add_option("--select", options.select, "only these rules or families")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--ignore", options.ignore, "all but these rules or families")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--explain", options.explain, "print the page of a rule");
  app.add_flag("--list-rules", options.list_rules, "print all rules");
  app.footer(std::string(examples));
}

int fail(const Error& error) {
  fmt::print(stderr, "msci-lint: {}\n", error.message);
  return could_not_check;
}

int explain(const std::string& id) {
  for (const auto& rule : all_rules())
    if (rule.id == id) {
      fmt::print("{}", rule.page);
      return valid;
    }
  return fail({fmt::format("no rule is called \"{}\"; see --list-rules", id)});
}

Result<Request> request_from(const Options& options) {
  Request request{.select = options.select, .ignore = options.ignore};
  auto version = language_version(options.standard);
  if (!version) return version.error();
  request.version = *version;
  request.expectation = {.kernels = options.kernels, .from = "the command line"};
  if (!options.host.empty()) {
    auto host = read_source(options.host);
    if (!host) return host.error();
    request.host = std::move(*host);
  }
  if (options.task.empty()) return checked(std::move(request), all_rules());
  auto task = find_task(options.task);
  if (!task) return task.error();
  for (const auto& kernel : (*task)->kernels) {
    request.expectation.kernels.emplace_back(kernel.name);
    for (const auto& argument : kernel.arguments)
      request.expectation.promises.push_back(
          {std::string(kernel.name), argument.index, std::string(argument.type)});
  }
  request.expectation.from = fmt::format("the task {}", (*task)->name);
  return checked(std::move(request), all_rules());
}

// What one file comes to, in a form that crosses from one process to another.
struct Answer {
  int code = could_not_check;
  Counts counts;
  std::string text;  // to be printed, or, where the code is could_not_check, the error
};

std::string packed(const Answer& answer) {
  return fmt::format("{} {} {} {}\n{}", answer.code, answer.counts.errors, answer.counts.warnings,
                     answer.counts.notes, answer.text);
}

Answer unpacked(const std::string& text) {
  const auto end = text.find('\n');
  std::istringstream head(text.substr(0, end));
  Answer answer{.text = text.substr(end + 1)};
  head >> answer.code >> answer.counts.errors >> answer.counts.warnings >> answer.counts.notes;
  return answer;
}

Answer answer_from(const Report& report, const Options& options) {
  const auto colour = isatty(STDOUT_FILENO) ? Colour::ansi : Colour::none;
  return {.code = report.valid() ? valid : invalid,
          .counts = counts_of(report),
          .text = options.json ? to_json(report) + "\n" : to_text(report, colour)};
}

Answer answer_for(const Source& source, const Request& request, const Options& options) {
  auto result = run_apart([&] {
    const auto report = examine(source, all_rules(), request);
    return packed(report ? answer_from(*report, options) : Answer{.text = report.error().message});
  });
  if (!result) return {.text = result.error().message};
  if (const auto* text = std::get_if<std::string>(&*result)) return unpacked(*text);
  const auto& broken = std::get<Broken>(*result);
  return answer_from(refused(source, request, broken.reason), options);
}

int run(const Options& options) {
  const auto request = request_from(options);
  if (!request) return fail(request.error());
  Counts counts;
  std::size_t files = 0;
  int code = valid;
  for (const auto& file : options.files) {
    const auto source = read_source(file);
    const auto answer =
        source ? answer_for(*source, *request, options) : Answer{.text = source.error().message};
    code = std::max(code, answer.code);
    if (answer.code == could_not_check) {
      fail({answer.text});
      continue;
    }
    fmt::print("{}", answer.text);
    std::fflush(stdout);  // in order with what goes to stderr, and only once
    counts += answer.counts;
    ++files;
  }
  if (!options.json && files > 0) fmt::print("{}", summary(counts, files));
  return code;
}

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Lints Metal compute kernels.", "msci-lint");
  declare(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? valid : could_not_check;
  }
  if (options.list_rules) {
    fmt::print("{}", rule_list(all_rules()));
    return valid;
  }
  if (!options.explain.empty()) return explain(options.explain);
  if (options.files.empty()) return fail({"no file given; see --help"});
  return run(options);
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) { return msci::main(argc, argv); }
