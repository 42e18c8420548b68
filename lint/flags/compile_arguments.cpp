#include "lint/flags/compile_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/text.h"

namespace msci {
namespace {

// Why a word cannot stand behind "--"; none if Apple's compiler may know it as an option.
std::optional<Error> find_misplaced(std::string_view word, std::string_view program) {
  const auto shown = printable(word);
  std::error_code none;
  if (std::filesystem::exists(word, none))
    return Error{
        fmt::format("{} comes after '--', which begins compiler options; put files before it: {} "
                    "{}{} -- -DN=8",
                    shown, program, word.starts_with('-') ? "./" : "", shown)};
  if (word.starts_with("--"))
    return Error{fmt::format(
        "{} comes after '--', which begins compiler options; put options of {} before it", shown,
        program)};
  if (!word.starts_with('-') || word == "-")
    return Error{fmt::format(
        "'{}' comes after '--', but is not a compiler option; put files before '--'", shown)};
  return std::nullopt;
}

// As CLI11 writes a type with choices, which help and completions show. It is no check: prefixes
// such as "macos-" are accepted, too.
std::string versions_for_help() {
  std::vector<std::string> names;
  for (const auto& version : language_versions()) names.push_back(spelling_of(version));
  return fmt::format("VERSION:{{{}}}", fmt::join(names, ","));
}

}  // namespace

OptionGroup group_of(CompileArguments& arguments) {
  const auto list = [](const char* name, std::vector<std::string>& words, const char* value,
                       const char* about) {
    return OptionRow{name, &words, about, {.value = value, .kind = "compilation"}};
  };
  const auto maths = [&](const char* name, bool value, const char* other, const char* about) {
    return OptionRow{name,
                     [&arguments, value] { arguments.fast_math = value; },
                     about,
                     {.kind = "compilation", .excludes = {{other}}}};
  };
  return {"Compilation",
          {{"--std",
            &arguments.standard,
            "language version; msci-lint takes several, too: all, 3.0..4.1, 3.1,4.0",
            {.value = versions_for_help(), .kind = "compilation"}},
           list("-I", arguments.include_folders, "FOLDER",
                "search this folder for included files (repeatable)"),
           list("--isystem", arguments.system_folders, "FOLDER",
                "the same, without findings in them (repeatable)"),
           list("-D", arguments.defines, "NAME[=VALUE]", "define a macro (repeatable)"),
           list("-U", arguments.undefines, "NAME", "undefine a macro (repeatable)"),
           list("--include", arguments.includes, "FILE",
                "include this file before the source (repeatable)"),
           maths("--fast-math", true, "--no-fast-math", "fast math, the default of Metal"),
           maths("--no-fast-math", false, "--fast-math", "precise math")}};
}

int take_flags(int argc, char** argv, CompileArguments& arguments) {
  auto** const end = std::find_if(argv, argv + argc,
                                  [](const char* word) { return std::string_view(word) == "--"; });
  if (end != argv + argc) arguments.flags.assign(end + 1, argv + argc);
  return static_cast<int>(end - argv);
}

Result<CompileSettings> settings_from(const CompileArguments& arguments, std::string_view program) {
  CompileSettings settings{.fast_math = arguments.fast_math,
                           .include_folders = arguments.include_folders,
                           .system_folders = arguments.system_folders,
                           .includes = arguments.includes};
  if (!arguments.standard.empty())
    if (auto error = set_versions(settings, arguments.standard)) return *std::move(error);
  for (const auto& macro : arguments.defines) settings.macros.push_back({macro, false});
  for (const auto& macro : arguments.undefines) settings.macros.push_back({macro, true});
  const auto unknown = take_compiler_flags(arguments.flags, settings);
  if (!unknown) return unknown.error();
  for (const auto& flag : *unknown)
    if (auto error = find_misplaced(flag, program)) return *std::move(error);
  for (const auto& flag : *unknown)
    fmt::print(stderr, "{}: the compiler flag {} is ignored\n", program, printable(flag));
  return settings;
}

}  // namespace msci
