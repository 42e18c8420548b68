#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lint/rule.h"

namespace msci {

extern constinit const Rule limit{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit&, const Diagnostic& diagnostic, Finding& finding) {
          constexpr std::array reached = {"bracket nesting level exceeded",
                                          "recursive template instantiation exceeded",
                                          "#include nested too deeply"};
          const auto is_said = [&](std::string_view start) {
            return diagnostic.message.starts_with(start);
          };
          // A calculation without end is told in a note of the constant that it is for.
          const auto& notes = diagnostic.notes;
          const bool is_endless = std::any_of(notes.begin(), notes.end(), [](const auto& note) {
            return note.message.starts_with("constexpr evaluation hit maximum step limit") ||
                   note.message.starts_with("constexpr evaluation exceeded maximum depth");
          });
          if (is_endless) return DiagnosticMatch::finding;
          if (std::none_of(reached.begin(), reached.end(), is_said)) return DiagnosticMatch::none;
          finding.notes.clear();  // Clang's command-line options are no help here
          return DiagnosticMatch::finding;
        },
    .check =
        [](const Unit&, Reporter& report) {
          constexpr Range start_of_host{{1, 1}, {1, 1}};
          const auto* host = report.contract().host.get();
          if (host && !host->failure.empty())
            report.in_host(start_of_host,
                           fmt::format("msci-lint gave up on this host: {}", host->failure));
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
