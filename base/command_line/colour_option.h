// The option --color.
#pragma once

#include <string>

#include "base/command_line/option_table.h"

namespace msci {

// Sets `choice` to "auto", "always" or "never" (colour_for()).
inline OptionRow colour_option(std::string& choice) {
  return option("--color", &choice, "colours in text output",
                {.value = "WHEN",
                 .check = OneOf{"auto", "always", "never"},
                 .shows_default = true,
                 .is_local = true});
}

}  // namespace msci
