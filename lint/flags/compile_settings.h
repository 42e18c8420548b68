// How sources are compiled, as a command line, a configuration or a compilation database says it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compiler/frontend/compile_options.h"
#include "lint/target/targets.h"

namespace msci {

struct CompileSettings {
  std::optional<LanguageVersion> version;
  std::vector<LanguageVersion> versions;  // oldest first; `version` is the newest. Empty if one
  Targets targets;                        // GPUs and systems to run on
  std::optional<bool> fast_math;
  std::vector<std::string> include_folders;
  std::vector<std::string> system_folders;
  std::vector<MacroOption> macros;    // in order
  std::vector<std::string> prelude;   // parts of a joined source that stand before this one
  std::vector<std::string> includes;  // files to read before the source
  bool operator==(const CompileSettings&) const = default;
};

// Sets one version, or several (language_version_range() in lint/flags/version_range.h has their
// spellings and errors). Returns what is wrong with the text.
[[nodiscard]] std::optional<Error> set_versions(CompileSettings& settings, std::string_view text);

// The versions to lint at, if they are several: those that are set, or the newest of each system of
// the targets. Of a range, those that a system of the targets has.
std::vector<LanguageVersion> versions_of(const CompileSettings& settings);

// Adds settings that take precedence.
void add(CompileSettings& settings, const CompileSettings& more);

// Without a version, that of the newest system of the targets applies, or else the default.
CompileOptions options_from(const CompileSettings& settings);

// Adds what flags of Apple's compiler say, deployment targets too, and passes over those that say
// nothing about how a source is read. Returns the flags that are not known. Errors: a flag without
// its value; an unknown language version.
Result<std::vector<std::string>> take_compiler_flags(const std::vector<std::string>& flags,
                                                     CompileSettings& settings);

}  // namespace msci
