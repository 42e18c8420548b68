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
};

}  // namespace msci
