#include "base/command_line/colour_option.h"

namespace msci {

void declare_colour(CLI::App& app, std::string& choice, const std::string& group) {
  app.add_option("--color", choice, "colours in text output")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str()
      ->group(group);
}

}  // namespace msci
