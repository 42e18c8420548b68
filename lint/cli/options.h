// The command line of msci-lint.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lint/flags/compile_arguments.h"

namespace msci {

struct Options {
  std::vector<std::string> files;
  std::string stdin_name;
  unsigned jobs = 0;            // 0: as many as there are processors
  unsigned time_limit = 10;     // seconds of processor time for each file
  unsigned memory_limit = 900;  // MiB for each file

  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::vector<std::string> severity;  // "hazard=note"
  bool generated = false;
  CompileArguments compile;
  std::string target;  // "apple7,macos14"
  std::string task;
  std::vector<std::string> kernels;
  std::vector<std::string> hosts;
  bool occupancy = false;
  std::vector<std::string> exclude;
  bool force_exclude = false;
  bool no_ignore = false;
  bool watch = false;
  bool no_cache = false;
  bool cache_info = false;
  bool cache_clear = false;
  std::string config;  // empty: the nearest to each file
  bool no_config = false;
  bool no_compile_commands = false;

  bool fix = false;
  bool diff = false;
  bool unsafe_fixes = false;
  std::string baseline;
  std::string write_baseline;
  std::string compare_with;

  std::string format = "text";  // one of output_formats()
  std::string colour = "auto";  // always, never
  std::string output;           // empty: standard output
  bool quiet = false;           // no summary
  std::optional<std::string> rule_pages;
  std::string fail_on = "error";  // warning, note
  bool exit_zero = false;
  bool require_proofs = false;
  std::optional<std::size_t> max_warnings;

  bool server = false;
  std::string socket;  // empty: standard input and output
  bool lsp = false;

  std::string show_config;  // a file
  std::string explain;
  std::string explain_target;
  bool list_rules = false;
  std::string gallery;  // a file
  std::string write_rule_index;
};

// Declares the options; parsing the command line fills them in.
void declare(CLI::App& app, Options& options);

}  // namespace msci
