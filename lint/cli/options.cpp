#include "lint/cli/options.h"

#include <fmt/format.h>

#include "base/command_line/colour_option.h"
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
  msci-lint --write-baseline known.json src       then --baseline known.json reports new findings
  msci-lint --format sarif src > msci.sarif       for code scanning
  cat kernel.metal | msci-lint - --stdin-name kernel.metal
  msci-lint --server --task saxpy                 for search loops: reads requests as JSON lines
                                                  from standard input (docs/server.md)
  msci-lint -I include kernel.metal -- -DN=8 -std=metal3.2
                                                  flags of Apple's compiler follow --
  msci-lint --explain metal.restrict              prints the page of a rule, or lists a family

Exit codes: 0 no errors, 1 findings of severity error (see --fail-on), 2 could not check.)";

void declare_rules(CLI::App& app, Options& options) {
  const auto list = [&](const char* name, std::vector<std::string>& words, const char* value,
                        const char* text) {
    app.add_option(name, words, text)
        ->type_name(value)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->group("Rules");
  };
  list("--select", options.select, "RULE,...", "only these rules or families");
  list("--ignore", options.ignore, "RULE,...", "all but these rules or families");
  list("--severity", options.severity, "RULE=SEVERITY",
       "another severity for a rule or a family: error, warning, note or off");
  auto* task = app.add_option("--task", options.task,
                              "require the kernels of this task: a name of msci-tasks, or a plan "
                              "file (docs/plan_file.md)");
  task->type_name("TASK")->group("Rules");
  app.add_option_function<std::string>(
         "--plan",
         [&options](const std::string& file) {
           // A path, also where it does not look like one.
           options.task = file.find('/') == file.npos ? "./" + file : file;
         },
         "the same as --task FILE, for a plan file")
      ->type_name("FILE")
      ->excludes(task)
      ->group("Rules");
  app.add_option("--kernel", options.kernels, "require this kernel (repeatable)")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group("Rules");
  app.add_option("--host", options.hosts,
                 "the host that runs the kernels: C++ with metal-cpp or OpenCL, or Objective-C++ "
                 "(repeatable, for a host of several files)")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group("Rules");
  app.add_flag("--occupancy", options.occupancy,
               "estimate each kernel's registers, and say how many threads a core of an Apple GPU "
               "holds (resource.occupancy); translates the kernels, which takes longer")
      ->group("Rules");
  auto* config = app.add_option("--config", options.config,
                                "the configuration, in place of the nearest .msci.json");
  auto* none = app.add_flag("--no-config", options.no_config, "use no configuration");
  config->type_name("FILE")->excludes(none)->group("Rules");
  none->group("Rules");
}

void declare_fixes(CLI::App& app, Options& options) {
  auto* fix = app.add_flag("--fix", options.fix, "apply the safe fixes to the files");
  auto* diff = app.add_flag("--diff", options.diff, "print what --fix would do, as a unified diff");
  fix->excludes(diff)->group("Fixes");
  diff->group("Fixes");
  app.add_flag("--unsafe-fixes", options.unsafe_fixes,
               "with --fix or --diff: also fixes that need review")
      ->group("Fixes");
}

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

void declare_output(CLI::App& app, Options& options) {
  auto* format = app.add_option("--format", options.format, "output format")
                     ->type_name("FORMAT")
                     ->check(CLI::IsMember(format_names()))
                     ->capture_default_str()
                     ->group("Output");
  app.add_flag_callback(
         "--json", [&options] { options.format = "json"; }, "--format json: one object a line")
      ->excludes(format)
      ->group("Output");
  app.add_flag_callback(
         "--statistics", [&options] { options.format = "statistics"; },
         "--format statistics: the number of findings of each rule")
      ->excludes(format)
      ->group("Output");
  app.add_option("--output,-o", options.output, "write the findings to this file")
      ->type_name("FILE")
      ->group("Output");
  app.add_flag("--quiet,-q", options.quiet, "no summary and no count of applied fixes")
      ->group("Output");
  declare(app, {{"Output", {colour_option(options.colour)}}});
  app.add_option("--rule-pages", options.rule_pages,
                 "the folder or URL of the rules' pages, to which findings link (docs/linting.md); "
                 "\"\": no links; by default the installed pages")
      ->type_name("URL")
      ->group("Output");
  app.add_option("--baseline", options.baseline, "report only findings that are not in this file")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--write-baseline", options.write_baseline,
                 "write all findings to this file instead of reporting them")
      ->type_name("FILE")
      ->group("Output");
}

void declare_exit(CLI::App& app, Options& options) {
  auto* fail_on = app.add_option("--fail-on", options.fail_on,
                                 "exit with 1 if a finding has this severity or a higher one")
                      ->type_name("SEVERITY")
                      ->check(CLI::IsMember({"error", "warning", "note"}))
                      ->capture_default_str()
                      ->group("Exit code");
  auto* most = app.add_option("--max-warnings", options.max_warnings,
                              "exit with 1 if there are more warnings")
                   ->type_name("N")
                   ->check(CLI::NonNegativeNumber)
                   ->group("Exit code");
  app.add_flag("--exit-zero", options.exit_zero, "exit with 0 whatever the findings are")
      ->excludes(fail_on)
      ->excludes(most)
      ->group("Exit code");
}

void declare_server(CLI::App& app, Options& options) {
  auto* server =
      app.add_flag("--server", options.server,
                   "answer requests on standard input, one JSON object per line; the other "
                   "options are the defaults of a request");
  server->group("Server");
  app.add_option("--socket", options.socket,
                 "with --server: serve many clients on a Unix socket at this path")
      ->type_name("PATH")
      ->needs(server)
      ->group("Server");
  app.add_flag("--lsp", options.lsp, "run as a language server for an editor (docs/editors.md)")
      ->excludes(server)
      ->group("Server");
}

}  // namespace

void declare(CLI::App& app, Options& options) {
  app.add_option("FILES", options.files, "Metal sources, folders, or - for standard input");
  app.add_option("--stdin-name", options.stdin_name, "file name of standard input in findings")
      ->type_name("NAME");
  app.add_option("--jobs,-j", options.jobs,
                 "number of files linted in parallel; 0: one per processor")
      ->type_name("N")
      ->check(CLI::Range(0, 256));
  app.add_option("--time-limit", options.time_limit, "seconds of processor time for each file")
      ->type_name("SECONDS")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  app.add_option("--memory-limit", options.memory_limit, "MiB of memory for each file")
      ->type_name("MIB")
      ->check(CLI::Range(64, 1 << 20))
      ->capture_default_str();
  app.add_option("--exclude", options.exclude,
                 "in folders, skip files and folders that fit this pattern (repeatable)")
      ->type_name("PATTERN")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag(
      "--force-exclude", options.force_exclude,
      "also skip files that are named, if --exclude, a configuration or git excludes them");
  app.add_flag("--no-ignore", options.no_ignore, "in folders, also check files that git ignores");
  app.add_flag("--watch", options.watch,
               "lint again whenever a file changes, or one that it includes, until Ctrl-C");
  app.add_flag("--no-cache", options.no_cache, "neither use nor keep results of earlier runs")
      ->group("Cache");
  app.add_flag("--cache-info", options.cache_info, "print where results are kept, and how many")
      ->group("Cache");
  app.add_flag("--cache-clear", options.cache_clear, "remove all kept results")->group("Cache");
  declare_rules(app, options);
  declare(app, {group_of(options.compile)});
  app.add_flag("--no-compile-commands", options.no_compile_commands,
               "ignore compile_commands.json, whose flags for a source apply otherwise")
      ->group("Compilation");
  declare_fixes(app, options);
  declare_output(app, options);
  declare_exit(app, options);
  declare_server(app, options);
  app.add_option("--show-config", options.show_config,
                 "print the settings that apply to this file, as JSON")
      ->type_name("FILE");
  app.add_option("--explain", options.explain, "print the page of a rule, or list a family's")
      ->type_name("RULE");
  app.add_flag("--list-rules", options.list_rules, "print all rules");
  app.add_option("--write-rule-index", options.write_rule_index,
                 "write the Markdown index of all rules to this file")
      ->group("");  // hidden: for developers of msci
  app.set_version_flag("--version", "msci-lint " MSCI_VERSION);
  app.footer(format_list() + "\n" + examples);
}

}  // namespace msci
