#include "base/io/colour.h"

#include <cstdlib>

namespace msci {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

Colour colour_for(std::string_view choice, bool is_terminal) {
  if (choice != "auto") return choice == "always" ? Colour::ansi : Colour::none;
  if (!variable("NO_COLOR").empty()) return Colour::none;
  for (const auto* name : {"FORCE_COLOR", "CLICOLOR_FORCE"})
    if (!variable(name).empty() && variable(name) != "0") return Colour::ansi;
  return is_terminal && variable("TERM") != "dumb" ? Colour::ansi : Colour::none;
}

}  // namespace msci
