// The output formats of msci-lint. A format is a function in a file of its own and a line of the
// table at the end.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/io/terminal.h"
#include "lint/finding.h"
#include "lint/lint.h"
#include "lint/output/rule_pages.h"
#include "lint/output/run_result.h"
#include "lint/rule.h"

namespace msci {

// What a format may need beyond the results.
struct FormatContext {
  Colour colour = Colour::none;
  bool summary = true;  // whether formats for people end with a line that counts the findings
  std::span<const ListedRule> rules = {};
  RulePages rule_pages = {};
  SharedFindings* said = nullptr;  // what a streamed format has said before; null: nothing
};

// As compilers print: place, severity, message and rule; the line with a caret; fixes. Findings
// that reports share come once. The last line counts the findings.
std::string to_text(const RunResult& run, const FormatContext& context);
std::string to_text(const FileReport& report, const FormatContext& context = {});
// "1 finding", "2 findings".
std::string counted(std::size_t number, std::string_view noun);
// The last line: "3 files: 2 errors, 1 warning, 0 notes; not proved: 2 of 9 kernels: budget".
std::string summary(const Totals& totals);
// "not proved: 2 of 9 kernels: budget", or "proofs are off: libz3.so.4 is missing"; empty where all
// are proved.
std::string unproved_text(const Totals& totals);
// The last line of a run; empty without files, or if the context excludes it.
std::string summary_line(const Totals& totals, const FormatContext& context);

// One JSON object on a line for each report, with the fields of the pre-check
// (docs/reference/json.md). Always valid UTF-8. One report comes without its line feed.
std::string to_json(const RunResult& run, const FormatContext& context);
std::string to_json(const FileReport& report, const RulePages& rule_pages = {});

// SARIF 2.1.0, the format of code scanning services: one run, with the rules of the findings and
// their pages. Findings that a comment allows are results with a suppression. Columns count
// characters.
std::string to_sarif(const RunResult& run, const FormatContext& context);

// Workflow commands, one for each finding, which GitHub shows at the lines of a change, and one for
// each file that could not be checked. Findings that reports share come once: GitHub shows about
// ten of a step.
std::string to_github(const RunResult& run, const FormatContext& context);

// GitLab's Code Quality: a JSON list with an object for each finding. An error is "major", a
// warning "minor", a note "info". Files that could not be checked are left out.
std::string to_gitlab(const RunResult& run, const FormatContext& context);

// JUnit's XML, which most CI systems show: a suite for each file and a case for each finding. An
// error is a failure; any other finding is a passing case with a message. A file without findings
// is one passing case; a file that could not be checked is one case in error.
std::string to_junit(const RunResult& run, const FormatContext& context);

// The number of findings of each rule, the most frequent rule first, and how many of them have a
// safe fix, and each kernel that is not proved. Findings that reports share count once.
std::string to_statistics(const RunResult& run, const FormatContext& context);

// Checkstyle's XML, which many CI systems and editors read: a file element for each file, an error
// element for each finding; those that reports share come once. A note is "info". A file that could
// not be checked has an error element of the source "msci-lint".
std::string to_checkstyle(const RunResult& run, const FormatContext& context);

struct OutputFormat {
  std::string_view name;         // of --format
  std::string_view description;  // a line of --help
  std::string (*write)(const RunResult& run, const FormatContext& context);
  // Whether the text of many reports is that of each, one after the other, so that each can be
  // written when it is there.
  bool is_streamed = false;
  bool ends_with_summary = false;   // behind them: summary_line()
  Keep keep = Keep::new_and_moved;  // the findings that reports hold after a comparison
};

// One row for each format: --format, its help, its completions and the manual page follow.
inline constexpr auto formats = std::to_array<OutputFormat>({
    {"text", "for people: position, source line, caret, fixes", to_text, true, true,
     Keep::only_new},
    {"json", "for programs: one object per file, one per line", to_json, true, false, Keep::all},
    {"sarif", "for code scanning: SARIF 2.1.0 with rule pages, fixes and suppressed findings",
     to_sarif},
    {"github", "workflow commands, which GitHub shows at the lines of a pull request", to_github,
     true},
    {"gitlab", "Code Quality, which GitLab shows in merge requests", to_gitlab},
    {"junit", "for CI systems: an error is a failed case, other findings are passing cases",
     to_junit},
    {"checkstyle", "for tools that read Checkstyle's XML", to_checkstyle},
    {"statistics", "for people: the number of findings of each rule", to_statistics},
});

inline std::span<const OutputFormat> output_formats() { return formats; }

// The format of this name, which must be one of output_formats().
const OutputFormat& format_of(std::string_view name);

inline FormatContext without_summary(FormatContext context) {
  context.summary = false;
  return context;
}

// Identifies findings from one run to the next, for services that track them.

// The fingerprints of a report, which do not depend on other reports: a finding that several hold
// has one fingerprint. They do not change when lines move: each is made of the file, the rule, the
// message, the text of the line, and the number of equal findings before it.
class Fingerprints {
 public:
  // 16 hexadecimal digits.
  std::string of(const FileReport& report, const Finding& finding);

 private:
  std::map<std::string, unsigned> seen_;
};

// Edits in words, for text, JSON and editors.

// "line 3: replace 'restrict' with '__restrict'". The line is that of the edited words, not of the
// white space before them.
std::string edit_text(const Edit& edit, const Source& source);

// All edits of a fix, without lines: "replace 'restrict' with '__restrict', remove 'inline'".
std::string title_of(const Fix& fix, const Source& source);

}  // namespace msci
