// The option --color.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace msci {

// Declares --color, which sets `choice` to "auto", "always" or "never" (colour_for()).
void declare_colour(CLI::App& app, std::string& choice, const std::string& group);

}  // namespace msci
