// msci-report: summarises results as Markdown, JSON or pages.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/command_line/option_table.h"
#include "base/command_line/parse.h"
#include "base/command_line/self_description.h"
#include "base/command_line/short_help.h"
#include "base/files/install_paths.h"
#include "base/files/read_file.h"
#include "base/files/standard_output.h"
#include "base/files/write_file.h"
#include "base/io/exit_status.h"
#include "base/io/report.h"
#include "base/process/redacted_command.h"
#include "base/process/run_command.h"
#include "search/report/summary.h"

namespace msci {
namespace {

constexpr const char* examples = R"(
RESULT is a file that msci-eval --json or msci-lint --json wrote, the folder of a search, or a
folder with several of either.

Examples:
  msci-eval --task all --held-out --json > seeds.jsonl
  msci-eval *.metal --task nbody --held-out --json > mine.jsonl
  msci-report seeds.jsonl mine.jsonl                       Markdown on standard output
  msci-report seeds.jsonl mine.jsonl --html report.html    one page, with charts
  msci-report runs/ --html report.html --json report.json  all searches below a folder
  msci-report runs/ --json                                 JSON on standard output
  msci-report runs/ --pages report                         and a page for each candidate
  msci-report runs/ --pass-at 5                            pass@5 beside pass@1

Exit status: 0 the report is written, 2 something could not be read or written.
)";

struct Options {
  std::vector<std::string> results;
  std::string markdown;
  std::string json;
  std::string html;
  std::string pages;
  std::string title = "msci report";
  std::optional<unsigned> k;
};

// To the file, or to standard output for "-".
std::optional<Error> put(const std::string& path, const std::string& text) {
  if (path != "-") return write_file(path, text);
  std::fputs(text.c_str(), stdout);
  if (const auto error = flush_standard_output()) return *error;
  return std::nullopt;
}

// `--json FILE RESULT` has a file behind --json, which other programs take for a flag.
std::optional<Error> refuse_to_replace(const std::string& path) {
  if (path.empty() || path == "-") return std::nullopt;
  const auto source = read_source(path);
  if (!source || !records_in(source->text, path)) return std::nullopt;
  return Error{
      fmt::format("--json would replace {}, which holds results; write --json behind all results, "
                  "or name another file",
                  path)};
}

std::optional<Error> write_pages(const Options& options, const Summary& summary) {
  const std::filesystem::path folder = options.pages;
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return Error{fmt::format("{}: {}", options.pages, problem.message())};
  for (const auto& page : pages_of(summary, options.title))
    if (auto error = write_file((folder / page.file).string(), page.text, Sync::no)) return error;
  return std::nullopt;
}

// When and how a report was made. SOURCE_DATE_EPOCH, of reproducible builds, replaces the clock.
std::string origin_of(int argc, char** argv) {
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  const auto seconds =
      epoch ? static_cast<std::time_t>(std::strtoll(epoch, nullptr, 10)) : std::time(nullptr);
  std::string command = "msci-report";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool is_plain = word.find_first_of(" '\"\\$`&;|<>()*?[]{}\n") == word.npos;
    command += ' ' + (is_plain ? std::string(word) : shell_quoted(word));
  }
  return fmt::format("Made {:%Y-%m-%d %H:%M} UTC by msci-report {}: {}", fmt::gmtime(seconds),
                     msci::program_version(), redact_command(command).text);
}

int report(Options options, std::string origin) {
  auto records = read_records(options.results);
  if (!records) return report_error("msci-report", records.error());
  auto summary = summarise(*std::move(records), options.k);
  summary.origin = std::move(origin);
  if (options.markdown.empty() && options.json.empty() && options.html.empty() &&
      options.pages.empty())
    options.markdown = "-";
  const std::pair<std::string, std::function<std::string()>> outputs[] = {
      {options.markdown, [&] { return to_markdown(summary); }},
      {options.json, [&] { return to_json(summary); }},
      {options.html, [&] { return to_html(summary, options.title); }}};
  for (const auto& [path, text] : outputs) {
    if (path.empty()) continue;
    if (const auto error = put(path, text())) return report_error("msci-report", *error);
  }
  if (!options.pages.empty())
    if (const auto error = write_pages(options, summary))
      return report_error("msci-report", *error);
  return all_right;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("Summarises results as Markdown, JSON or HTML.", "msci-report");
  app.footer(msci::examples);
  app.add_option("RESULT", options.results, "files and folders with results")->required();
  app.add_option("--markdown", options.markdown,
                 "write Markdown to this file; - is standard output")
      ->type_name("FILE");
  const auto* json =
      app.add_option("--json", options.json,
                     "write JSON to this file; without a file, or with -, to standard output")
          ->type_name("FILE")
          ->expected(0, 1);
  app.add_option("--html", options.html, "write an HTML page to this file; - is standard output")
      ->type_name("FILE");
  app.add_option("--pages", options.pages,
                 "write HTML pages to this folder: index.html, and one for each candidate with its "
                 "source, which is read from the candidate's file")
      ->type_name("FOLDER");
  app.add_option("--title", options.title, "title of the page")
      ->type_name("TEXT")
      ->capture_default_str();
  msci::declare(app, {{"",
                       {msci::option("--pass-at", &options.k,
                                     "also report pass@K, for tasks with at least K candidates",
                                     {.value = "K", .check = msci::OptionRange{1, 1e6}})}}});
  msci::describe_itself(app);
  msci::shorten_help(app, {.page = "docs/reference/measuring.md"});
  const auto parsed = msci::parse_command_line(app, argc, argv);
  if (!parsed) return msci::report_error("msci-report", parsed.error());
  if (*parsed == msci::Parsed::answered) return msci::all_right;
  if (json->count() > 0 && options.json.empty()) options.json = "-";
  if (const auto refusal = msci::refuse_to_replace(options.json))
    return msci::report_error("msci-report", *refusal);
  return msci::report(std::move(options), msci::origin_of(argc, argv));
}
