#include "lint/options.h"

namespace msci {
namespace {

constexpr const char* examples = R"(Examples:
  msci-lint kernel.metal                          findings as text
  msci-lint .                                     all .metal files in this folder and below
  msci-lint --json --task saxpy kernel.metal      the pre-check of a candidate, one JSON object
  msci-lint --host main.mm kernel.metal           is it dispatched, and with the right buffers?
  msci-lint --select hazard,metal.restrict src    a family and one more rule
  msci-lint --severity slow=off src               without a family
  msci-lint --diff src | git apply                see, then take, the safe fixes; or --fix
  msci-lint --write-baseline known.json src       from now on, --baseline known.json tells only news
  msci-lint --format sarif src > msci.sarif       for code scanning
  cat kernel.metal | msci-lint - --stdin-name kernel.metal
  msci-lint --server --task saxpy                 for search loops: requests as JSON lines on standard
                                                  input, answers on standard output (docs/server.md)
  msci-lint --explain metal.restrict              the page of a rule; of a family, its rules

Exit codes: 0 no errors, 1 findings of severity error, 2 could not check.)";

void declare_rules(CLI::App& app, Options& options) {
  const auto list = [&](const char* name, std::vector<std::string>& words, const char* text) {
    app.add_option(name, words, text)->delimiter(',')->allow_extra_args(false)->group("Rules");
  };
  list("--select", options.select, "only these rules or families");
  list("--ignore", options.ignore, "all but these rules or families");
  list("--severity", options.severity,
       "RULE=error|warning|note|off: another severity for a rule or a family");
  app.add_option("--std", options.standard, "language version, such as metal3.2")->group("Rules");
  app.add_option("--task", options.task, "the source must hold the kernels of this task")
      ->group("Rules");
  app.add_option("--kernel", options.kernels, "the source must hold this kernel (repeatable)")
      ->allow_extra_args(false)
      ->group("Rules");
  app.add_option("--host", options.hosts,
                 "the host that runs it: C++ with metal-cpp or OpenCL, or Objective-C++ "
                 "(repeatable, for a host of several files)")
      ->allow_extra_args(false)
      ->group("Rules");
  auto* config = app.add_option("--config", options.config,
                                "the configuration, in place of the nearest .msci.json");
  auto* none = app.add_flag("--no-config", options.no_config, "use no configuration");
  config->excludes(none)->group("Rules");
  none->group("Rules");
}

void declare_fixes(CLI::App& app, Options& options) {
  auto* fix = app.add_flag("--fix", options.fix, "mend the files where that is safe");
  auto* diff = app.add_flag("--diff", options.diff, "print what --fix would do, as a unified diff");
  fix->excludes(diff)->group("Fixes");
  diff->group("Fixes");
  app.add_flag("--unsafe-fixes", options.unsafe_fixes,
               "with --fix or --diff: proposals that want to be read, too")
      ->group("Fixes");
}

void declare_output(CLI::App& app, Options& options) {
  auto* format = app.add_option("--format", options.format, "how findings are written")
                     ->check(CLI::IsMember({"text", "json", "sarif", "github", "gitlab", "junit"}))
                     ->capture_default_str()
                     ->group("Output");
  app.add_flag_callback(
         "--json", [&options] { options.format = "json"; }, "--format json: one object a line")
      ->excludes(format)
      ->group("Output");
  app.add_option("--color", options.colour, "colours in text")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str()
      ->group("Output");
  app.add_option("--baseline", options.baseline, "leave out the findings that this file knows")
      ->group("Output");
  app.add_option("--write-baseline", options.write_baseline,
                 "write the findings to this file, and leave them out")
      ->group("Output");
  app.add_option("--max-warnings", options.max_warnings, "exit with 1 where there are more")
      ->check(CLI::NonNegativeNumber)
      ->group("Output");
}

void declare_server(CLI::App& app, Options& options) {
  auto* server = app.add_flag("--server", options.server,
                              "answer requests, one JSON object a line, until there are no more; "
                              "the other options hold where a request says nothing");
  server->group("Server");
  app.add_option("--socket", options.socket,
                 "with --server: for many clients, on a Unix socket at this path")
      ->needs(server)
      ->group("Server");
  app.add_flag("--lsp", options.lsp, "be a language server for an editor (docs/editors.md)")
      ->excludes(server)
      ->group("Server");
}

}  // namespace

void declare(CLI::App& app, Options& options) {
  app.add_option("FILES", options.files, "Metal sources, folders of them, - for standard input");
  app.add_option("--stdin-name", options.stdin_name, "what findings call standard input");
  app.add_option("--jobs,-j", options.jobs, "how many files at a time; 0: one a processor")
      ->check(CLI::Range(0, 256));
  declare_rules(app, options);
  declare_fixes(app, options);
  declare_output(app, options);
  declare_server(app, options);
  app.add_option("--explain", options.explain, "print the page of a rule, or list a family's");
  app.add_flag("--list-rules", options.list_rules, "print all rules");
  app.add_option("--write-docs", options.write_docs, "write the pages of all rules to this folder");
  app.set_version_flag("--version", "msci-lint " MSCI_VERSION);
  app.footer(examples);
}

}  // namespace msci
