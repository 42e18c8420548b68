#include "evaluator/result/finding_text.h"

#include <fmt/format.h>

#include "evaluator/result/diagnostic_fields.h"

namespace msci {

std::string line_of(const Diagnostic& diagnostic, const std::string& file) {
  return fmt::format("{}:{}:{}: {}: {} [{}]\n", file, diagnostic.range.begin.line,
                     diagnostic.range.begin.column, to_string(diagnostic.severity),
                     diagnostic.message, diagnostic.id);
}

std::string text_of(const Diagnostic& finding, const std::string& file, Paint paint) {
  const auto line = [&](const Range& range, const std::string& severity,
                        const std::string& message) {
    return fmt::format("{}:{}:{}: {}: {}\n", file, range.begin.line, range.begin.column, severity,
                       message);
  };
  const auto severity = finding.severity == Severity::error
                            ? paint("error", fmt::terminal_color::red)
                            : std::string("note");
  auto text = line(finding.range, severity, fmt::format("{} [{}]", finding.message, finding.id));
  for (const auto& note : finding.notes) text += line(note.range, "note", note.message);
  return text;
}

}  // namespace msci
