// Whether text output has colours.
#pragma once

#include <string_view>

namespace msci {

enum class Colour { none, ansi };

// By --color ("auto", "always" or "never"); for "auto" by the environment, as no-color.org,
// force-color.org and bixense.com/clicolors say: NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE.
// Otherwise colours are for terminals, unless TERM is "dumb".
Colour colour_for(std::string_view choice, bool is_terminal);

}  // namespace msci
