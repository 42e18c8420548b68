// The options of msci-lint and msci-eval that say how sources are compiled.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/command_line/option_table.h"
#include "lint/flags/compile_settings.h"

namespace msci {

struct CompileArguments {
  std::string standard;  // empty: the configuration's, or metal3.1
  std::optional<bool> fast_math;
  std::vector<std::string> include_folders;
  std::vector<std::string> system_folders;
  std::vector<std::string> defines;
  std::vector<std::string> undefines;
  std::vector<std::string> includes;
  std::vector<std::string> flags;  // of Apple's compiler, behind "--"
};

// The group "Compilation" of a program's options.
OptionGroup group_of(CompileArguments& arguments);

// The number of words up to "--"; the words behind it, which a parser would take for files, go to
// `flags`.
int take_flags(int argc, char** argv, CompileArguments& arguments);

// Reports unknown flags on standard error, as `program`. Errors: an unknown language version, a
// flag without its value; behind "--", a file, an option of the program or another word that is not
// an option.
Result<CompileSettings> settings_from(const CompileArguments& arguments, std::string_view program);

}  // namespace msci
