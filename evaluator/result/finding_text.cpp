#include "evaluator/result/finding_text.h"

#include <fmt/format.h>

#include "base/text.h"

namespace msci {

std::string line_of(const Diagnostic& diagnostic, const std::string& file) {
  return fmt::format("{}: {}: {} [{}]\n", printable(to_string(diagnostic.place, file)),
                     to_string(diagnostic.severity), printable(diagnostic.message), diagnostic.id);
}

std::string text_of(const Diagnostic& finding, const std::string& file, Paint paint) {
  const auto line = [&](const Place& place, const std::string& severity,
                        const std::string& message) {
    const auto where = place.is_known() ? to_string(place, file) : file;
    return fmt::format("{}: {}: {}\n", printable(where), severity, printable(message));
  };
  const auto severity = finding.severity == Severity::error
                            ? paint("error", fmt::terminal_color::red)
                            : std::string("note");
  auto text = line(finding.place, severity, fmt::format("{} [{}]", finding.message, finding.id));
  for (const auto& note : finding.notes) text += line(note.place, "note", note.message);
  return text;
}

}  // namespace msci
