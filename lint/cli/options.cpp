#include "lint/cli/options.h"

#include <fmt/format.h>

#include "base/command_line/colour_option.h"
#include "base/files/install_paths.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

constexpr const char* examples = R"(Examples:
  msci-lint kernel.metal                          findings as text
  msci-lint .                                     all .metal files in this folder and below
  msci-lint --json --task saxpy kernel.metal      pre-check of a candidate, as one JSON object
  msci-lint --host main.mm kernel.metal           also checks dispatches and buffers of the host
  msci-lint --select hazard,metal.restrict src    a family and one more rule
  msci-lint --severity slow=off src               all rules except a family
  msci-lint --statistics src                      the number of findings of each rule
  msci-lint --diff src | git apply                review and apply the safe fixes; or use --fix
  msci-lint --write-baseline known.json src       then --baseline known.json reports new findings,
                                                  and --compare-with known.json all changes
  msci-lint --format sarif src > msci.sarif       for code scanning
  cat kernel.metal | msci-lint - --stdin-name kernel.metal
  msci-lint --server --task saxpy                 for search loops: reads requests as JSON lines
                                                  from standard input (docs/reference/server.md)
  msci-lint -I include kernel.metal -- -DN=8 -std=metal3.2
                                                  flags of Apple's compiler follow --
  msci-lint --target apple7,macos14 src           also what these GPUs and systems lack
  msci-lint --explain metal.restrict              prints the page of a rule, or lists a family

Exit codes: 0 no errors, 1 findings of severity error (see --fail-on), 2 could not check.)";

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto& format : output_formats()) names.emplace_back(format.name);
  return names;
}

std::string format_list() {
  std::string text = "Formats:\n";
  for (const auto& format : output_formats())
    text += fmt::format("  {:<12}{}\n", format.name, format.description);
  return text;
}

OptionGroup files_of(Options& options) {
  return {
      "",
      {option("FILES", &options.files, "Metal sources, folders, or - for standard input"),
       option("--stdin-name", &options.stdin_name, "file name of standard input in findings",
              {.value = "NAME"}),
       option("--jobs,-j", &options.jobs,
              "number of files linted in parallel; 0: one per processor",
              {.value = "N", .check = OptionRange{0, 256}}),
       option("--time-limit", &options.time_limit, "seconds of processor time for each file",
              {.value = "SECONDS", .check = OptionRange{1, 3600}, .shows_default = true}),
       option("--memory-limit", &options.memory_limit, "MiB of memory for each file",
              {.value = "MIB", .check = OptionRange{64, 1 << 20}, .shows_default = true}),
       option("--exclude", &options.exclude,
              "in folders, skip files and folders that fit this pattern (repeatable)",
              {.value = "PATTERN", .splits_commas = true}),
       option("--force-exclude", &options.force_exclude,
              "also skip files that are named, if --exclude, a configuration or git excludes them"),
       option("--no-ignore", &options.no_ignore, "in folders, also check files that git ignores"),
       option("--watch", &options.watch,
              "lint again whenever a file changes, or one that it includes, until Ctrl-C")}};
}

OptionGroup cache_of(Options& options) {
  return {
      "Cache",
      {option("--no-cache", &options.no_cache, "neither use nor keep results of earlier runs"),
       option("--cache-info", &options.cache_info, "print where results are kept, and how many"),
       option("--cache-clear", &options.cache_clear, "remove all kept results")}};
}

OptionGroup rules_of(Options& options) {
  const auto list = [](const char* name, std::vector<std::string>& words, const char* value,
                       const char* about) {
    return option(name, &words, about, {.value = value, .splits_commas = true});
  };
  return {
      "Rules",
      {list("--select", options.select, "RULE,...", "only these rules or families"),
       list("--ignore", options.ignore, "RULE,...", "all but these rules or families"),
       list("--severity", options.severity, "RULE=SEVERITY",
            "another severity for a rule or a family: error, warning, note or off"),
       option("--generated", &options.generated,
              "for sources that a program wrote: only errors, races, bounds and limits",
              {.excludes = {{"--select"}}}),
       option("--task", &options.task,
              "require the kernels of this task: a name of msci-tasks, or a plan file "
              "(docs/reference/plan_file.md)",
              {.value = "TASK", .excludes = {{"--plan"}}}),
       option("--plan", TextTarget{[&options](const std::string& file) {
                // A path, also where it does not look like one.
                options.task = file.find('/') == file.npos ? "./" + file : file;
              }},
              "the same as --task FILE, for a plan file", {.value = "FILE"}),
       option("--kernel", &options.kernels, "require this kernel (repeatable)", {.value = "NAME"}),
       option("--host", &options.hosts,
              "the host that runs the kernels: C++ with metal-cpp or OpenCL, or Objective-C++ "
              "(repeatable, for a host of several files)",
              {.value = "FILE"}),
       option("--occupancy", &options.occupancy,
              "estimate each kernel's registers, and say how many threads a core of an Apple GPU "
              "holds (resource.occupancy); translates the kernels, which takes longer"),
       option("--config", &options.config, "the configuration, in place of the nearest .msci.json",
              {.value = "FILE", .excludes = {{"--no-config"}}}),
       option("--no-config", &options.no_config, "use no configuration")}};
}

OptionGroup compilation_of(Options& options) {
  auto group = group_of(options.compile);
  group.rows.push_back(option("--target", &options.target,
                              "GPU families, chips and systems to run on, such as apple7,macos14; "
                              "without --std, the versions of these systems apply",
                              {.value = "NAME,..."}));
  group.rows.push_back(option("--no-compile-commands", &options.no_compile_commands,
                              "ignore compile_commands.json, whose flags for a source apply "
                              "otherwise, and include folders of CMakeLists.txt, build.rs and "
                              "Xcode"));
  return group;
}

OptionGroup fixes_of(Options& options) {
  return {"Fixes",
          {option("--fix", &options.fix, "apply the safe fixes to the files",
                  {.excludes = {{"--diff"}}}),
           option("--diff", &options.diff, "print what --fix would do, as a unified diff"),
           option("--unsafe-fixes", &options.unsafe_fixes,
                  "with --fix or --diff: also fixes that need review")}};
}

OptionGroup output_of(Options& options) {
  return {
      "Output",
      {option("--format", &options.format, "output format",
              {.value = "FORMAT",
               .check = format_names(),
               .shows_default = true,
               .excludes = {{"--json"}, {"--statistics"}}}),
       option(
           "--json", [&options] { options.format = "json"; }, "--format json: one object a line"),
       option(
           "--statistics", [&options] { options.format = "statistics"; },
           "--format statistics: the number of findings of each rule"),
       option("--output,-o", &options.output, "write the findings to this file", {.value = "FILE"}),
       option("--quiet,-q", &options.quiet, "no summary and no count of applied fixes"),
       colour_option(options.colour),
       option(
           "--rule-pages", &options.rule_pages,
           "the folder or URL of the rules' pages, to which findings link (docs/guide/linting.md); "
           "\"\": no links; by default the installed pages",
           {.value = "URL"}),
       option("--baseline", &options.baseline, "report only findings that are not in this file",
              {.value = "FILE"}),
       option("--write-baseline", &options.write_baseline,
              "write all findings to this file instead of reporting them", {.value = "FILE"}),
       option("--compare-with", &options.compare_with,
              "report what has changed since --write-baseline wrote this file; exit with 1 only "
              "for new errors",
              {.value = "FILE",
               .excludes = {{"--baseline"},
                            {"--write-baseline"},
                            {"--fix"},
                            {"--diff"},
                            {"--watch"},
                            {"--server"},
                            {"--lsp"}}})}};
}

OptionGroup exit_of(Options& options) {
  return {"Exit code",
          {option("--fail-on", &options.fail_on,
                  "exit with 1 if a finding has this severity or a higher one",
                  {.value = "SEVERITY",
                   .check = OneOf{"error", "warning", "note"},
                   .shows_default = true,
                   .excludes = {{"--exit-zero"}}}),
           option("--max-warnings", &options.max_warnings, "exit with 1 if there are more warnings",
                  {.value = "N", .check = OptionRange{}, .excludes = {{"--exit-zero"}}}),
           option("--require-proofs", &options.require_proofs,
                  "exit with 2 if a kernel is not proved (docs/guide/linting.md#proofs)"),
           option("--exit-zero", &options.exit_zero, "exit with 0 whatever the findings are")}};
}

OptionGroup server_of(Options& options) {
  return {"Server",
          {option("--server", &options.server,
                  "answer requests on standard input, one JSON object per line; the other options "
                  "are the defaults of a request",
                  {.excludes = {{"--lsp"}}}),
           option("--socket", &options.socket,
                  "with --server: serve many clients on a Unix socket at this path",
                  {.value = "PATH", .needs = "--server"}),
           option("--lsp", &options.lsp,
                  "run as a language server for an editor (docs/guide/editors.md)")}};
}

OptionGroup questions_of(Options& options) {
  return {
      "",
      {option("--show-config", &options.show_config,
              "print the settings that apply to this file, as JSON", {.value = "FILE"}),
       option("--explain", &options.explain, "print the page of a rule, or list a family's",
              {.value = "RULE"}),
       option("--explain-target", &options.explain_target,
              "print what GPUs and systems have: versions, limits, features",
              {.value = "NAME,..."}),
       option("--list-rules", &options.list_rules, "print all rules"),
       option("--gallery", &options.gallery,
              "write one HTML page of all rules: sources, findings, and what fixes make of them",
              {.value = "FILE"})}};
}

}  // namespace

void declare(CLI::App& app, Options& options) {
  declare(app, {files_of(options), cache_of(options), rules_of(options), compilation_of(options),
                fixes_of(options), output_of(options), exit_of(options), server_of(options),
                questions_of(options)});
  app.add_option("--write-rule-index", options.write_rule_index,
                 "write the Markdown index of all rules to this file")
      ->group("");  // hidden: for developers of msci
  app.set_version_flag("--version", "msci-lint " + program_version());
  app.footer(format_list() + "\n" + examples);
}

}  // namespace msci
