// The option --color.
#pragma once

#include <string>

#include "base/command_line/option_table.h"

namespace msci {

// Sets `choice` to "auto", "always" or "never" (colour_for()).
inline OptionRow colour_option(std::string& choice) {
  return {.names = "--color",
          .target = &choice,
          .value = "WHEN",
          .about = "colours in text output",
          .check = std::vector<std::string>{"auto", "always", "never"},
          .shows_default = true,
          .is_local = true};
}

}  // namespace msci
