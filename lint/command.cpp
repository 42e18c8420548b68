#include "lint/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "evaluator/task.h"
#include "lint/metal/read_file.h"
#include "rules/rules.h"

namespace msci {

Result<Expectation> expectation_from(const std::string& name, std::vector<std::string> kernels,
                                     std::string from) {
  Expectation expectation{.kernels = std::move(kernels), .from = std::move(from)};
  if (name.empty()) return expectation;
  const auto task = find_task(name);
  if (!task) return task.error();
  for (const auto& kernel : (*task)->kernels) {
    expectation.kernels.emplace_back(kernel.name);
    for (const auto& argument : kernel.arguments)
      expectation.promises.push_back(
          {std::string(kernel.name), argument.index, std::string(argument.type)});
  }
  expectation.from = fmt::format("the task {}", (*task)->name);
  return expectation;
}

namespace {

// As a server of either kind.
Result<std::monostate> sensible_server(const Options& options) {
  const auto wrong = [&](std::string_view why) {
    return Error{fmt::format("{} {}", options.lsp ? "--lsp" : "--server", why)};
  };
  if (!options.files.empty()) return wrong("lints what it is asked about; give it no files");
  if (options.fix || options.diff || !options.baseline.empty() || !options.write_baseline.empty())
    return wrong("answers with findings; --fix, --diff and baselines do not go with it");
  if (options.format != "text" && options.format != "json")
    return wrong(fmt::format("answers in JSON, not in {}", options.format));
  return std::monostate();
}

}  // namespace

Result<std::monostate> sensible(const Options& options) {
  if (options.server || options.lsp) return sensible_server(options);
  if (options.unsafe_fixes && !options.fix && !options.diff)
    return Error{"--unsafe-fixes says how to --fix or --diff; give one of them, too"};
  if (options.diff && options.format != "text")
    return Error{fmt::format("--diff excludes --format {}: it prints a patch", options.format)};
  if (options.write_baseline == "-")
    return Error{"--write-baseline wants the name of a file; standard output is for the findings"};
  if (options.files.empty()) return Error{"no file given; see --help"};
  for (const auto& file : options.files)
    if (options.fix && file == "-")
      return Error{"--fix cannot write to standard input; use --diff"};
  return std::monostate();
}

Result<Wishes> wishes_from(const Options& options) {
  Wishes wishes{
      .select = options.select,
      .ignore = options.ignore,
      .stdin_name = options.stdin_name,
      .at_once = options.jobs ? options.jobs : std::max(std::thread::hardware_concurrency(), 1u)};
  for (const auto& text : options.severity) {
    auto severity = override_from(text);
    if (!severity) return severity.error();
    wishes.severity.push_back(*std::move(severity));
  }
  if (!options.standard.empty()) {
    const auto version = language_version(options.standard);
    if (!version) return version.error();
    wishes.version = *version;
  }
  auto expectation = expectation_from(options.task, options.kernels, "the command line");
  if (!expectation) return expectation.error();
  wishes.expectation = *std::move(expectation);
  for (const auto& file : options.hosts) {
    auto host = read_source(file);
    if (!host) return host.error();
    wishes.host.push_back(*std::move(host));
  }
  if (options.fix || options.diff) wishes.mend = options.unsafe_fixes ? Fixes::all : Fixes::safe;
  if (auto known = request_from(wishes, {}, all_rules()); !known) return known.error();
  return wishes;
}

Result<Configs> configs_from(const Options& options) {
  if (options.no_config) return Configs::always({});
  if (options.config.empty()) return Configs::nearest();
  auto config = read_config(options.config);
  if (!config) return config.error();
  return Configs::always(*std::move(config));
}

Colour colour_from(const Options& options) {
  if (options.colour != "auto") return options.colour == "always" ? Colour::ansi : Colour::none;
  const char* refusal = std::getenv("NO_COLOR");
  const bool refused = refusal && *refusal;
  return !refused && isatty(STDOUT_FILENO) ? Colour::ansi : Colour::none;
}

}  // namespace msci
