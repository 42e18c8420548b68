// msci-fault-table: how many labelled faults msci-lint finds, by kind, and what it says of their
// fixed twins.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/files/read_file.h"
#include "lint/lint.h"
#include "rules/rules.h"

namespace msci {
namespace {

struct Row {
  unsigned kernels = 0, found = 0, false_findings = 0;
  double seconds = 0;  // of the processor
};

// Of this process and of those that it has started.
double cpu_seconds() {
  double all = 0;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used = {};
    getrusage(whose, &used);
    for (const auto& time : {used.ru_utime, used.ru_stime})
      all += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return all;
}

// The line at which the fixed twin begins; behind the last for a file without one.
unsigned twin_in(const std::string& text) {
  std::istringstream lines(text);
  unsigned number = 1;
  for (std::string line; std::getline(lines, line); ++number)
    if (line.find("void fixed(") != line.npos) return number;
  return number;
}

// False if the file cannot be linted.
bool add_file(const std::string& path, bool tells, std::map<std::string, Row>& table) {
  const auto source = read_source(path);
  if (!source) return fmt::print(stderr, "{}\n", source.error().message), false;
  const auto begin = cpu_seconds();
  const auto report = examine(*source, all_rules(), {});
  if (!report) return fmt::print(stderr, "{}: {}\n", path, report.error().message), false;
  const auto name = std::filesystem::path(path).stem().string();
  auto& row = table[name.substr(0, name.find('_'))];
  row.seconds += cpu_seconds() - begin;
  ++row.kernels;
  const auto twin = twin_in(source->text);
  bool is_found = false;
  for (const auto& finding : report->findings) {
    if (finding.severity == Severity::note) continue;
    const auto line = finding.place.range.begin.line;
    if (line < twin)
      is_found = true;
    else
      ++row.false_findings;
    if (!tells) continue;
    fmt::print("{}:{}: {} [{}]\n", path, line, finding.message, finding.rule);
    for (const auto& note : finding.notes)
      fmt::print("  {}: {}\n", note.place.range.begin.line, note.message);
  }
  row.found += is_found;
  std::fflush(stdout);
  return true;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  std::vector<std::string> files;
  bool tells = false;
  CLI::App app("Counts the labelled faults that msci-lint finds, by kind.", "msci-fault-table");
  app.add_option("FILE", files, "KIND_NAME.metal, with a kernel `faulty` and a kernel `fixed`")
      ->required();
  app.add_flag("--findings", tells, "print the findings, too");
  CLI11_PARSE(app, argc, argv);
  std::map<std::string, msci::Row> table;
  bool is_complete = true;
  for (const auto& file : files) is_complete &= msci::add_file(file, tells, table);
  fmt::print("{:16} {:>8} {:>6} {:>6} {:>8}\n", "kind", "kernels", "found", "false", "seconds");
  for (const auto& [kind, row] : table)
    fmt::print("{:16} {:8} {:6} {:6} {:8.2f}\n", kind, row.kernels, row.found, row.false_findings,
               row.seconds);
  return is_complete ? 0 : 2;
}
