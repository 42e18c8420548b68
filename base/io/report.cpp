#include "base/io/report.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/io/exit_status.h"
#include "base/text.h"

namespace msci {

std::string report_text(std::string_view message) {
  std::string text;
  while (true) {
    const auto end = message.find('\n');
    text += printable(message.substr(0, end));
    if (end == std::string_view::npos || end + 1 == message.size()) return text;
    text += "\n  ";
    message.remove_prefix(end + 1);
  }
}

void report_note(std::string_view program, std::string_view message) {
  fmt::print(stderr, "{}: {}\n", program, report_text(message));
}

int report_error(std::string_view program, const Error& error) {
  report_note(program, error.message);
  return could_not_check;
}

void report_warning(std::string_view program, std::string_view message) {
  report_note(program, fmt::format("warning: {}", message));
}

}  // namespace msci
