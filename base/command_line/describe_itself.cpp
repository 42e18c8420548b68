#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/command_line/self_description.h"
#include "base/files/install_paths.h"
#include "base/files/standard_output.h"
#include "base/io/report.h"

namespace msci {
namespace {

struct Form {
  std::string_view name;
  std::string (*text)(const ProgramText&);
};
constexpr std::array forms = {Form{"man", to_man}, Form{"bash", to_bash}, Form{"zsh", to_zsh},
                              Form{"fish", to_fish}};

// Ends the program like --help, before required options are checked.
[[noreturn]] void print(const CLI::App& app, const std::string& name) {
  for (const auto& form : forms)
    if (form.name == name) {
      std::fputs(form.text(text_of(app)).c_str(), stdout);
      const auto problem = flush_standard_output();
      std::exit(problem ? report_error(app.get_name(), *problem) : 0);
    }
  std::exit(report_error(app.get_name(), {"--print takes man, bash, zsh or fish"}));
}

}  // namespace

void describe_itself(CLI::App& app) {
  if (!app.get_option_no_throw("--version"))
    app.set_version_flag("--version", app.get_name() + " " + program_version());
  app.add_option_function<std::string>("--print",
                                       [&app](const std::string& name) { print(app, name); })
      ->group("");  // hidden
}

}  // namespace msci
