// How sources are compiled, as a command line, a configuration or a compilation database says it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compiler/frontend/compile_options.h"
#include "compiler/frontend/version.h"
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

// Sets one version, or several (language_version_range() in lint/flags/compile_settings.h has their
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

// Include folders that the files of a build hand to Apple's compiler: CMakeLists.txt, build.rs and
// Xcode's projects.

// The folders of the build files beside a source and above it, up to the top of its repository;
// none without a repository. They are found as text: the -I flags of calls of `xcrun … metal`, and
// MTL_HEADER_SEARCH_PATHS. A folder counts if it exists in the repository and its path holds no
// variable but those for the folders of the source and of the project.
class BuildFiles {
 public:
  // Nearest build file first. Each is read once.
  std::vector<std::string> include_folders_of(const std::string& file);

 private:
  const std::vector<std::string>& of_folder(const std::string& folder, const std::string& top);
  // The folder of the nearest project() of CMake, for files in a folder.
  const std::string& project_around(const std::string& folder, const std::string& top);

  // The answers of of_folder() and project_around() so far, by folder.
  std::map<std::string, std::vector<std::string>> known_;
  std::map<std::string, std::string> projects_;
};

// The paths behind -I of the calls of `metal` in a text of CMake, with its variables.
std::vector<std::string> metal_includes_of_cmake(std::string_view text);
// The same in a build script of Rust: the strings of a statement that calls xcrun.
std::vector<std::string> metal_includes_of_rust(std::string_view text);
// MTL_HEADER_SEARCH_PATHS of an Xcode project.
std::vector<std::string> metal_includes_of_xcode(std::string_view text);

// Compilation databases: compile_commands.json, as CMake and others write it.

// The settings of sources in the nearest database. Each is read once.
class CompileCommands {
 public:
  // Those of the entry that names the source, in the first compile_commands.json found in the
  // source's folder, its folder build/, and so on for the folders above; none without an entry.
  // Reports unknown flags on standard error. Errors: a malformed database or entry.
  Result<CompileSettings> of(const std::string& file);

 private:
  using Entries = std::map<std::string, CompileSettings>;  // by absolute path of the source
  Result<Entries> read(const std::string& path);
  Result<Entries> of_folder(const std::string& folder);

  std::map<std::string, Result<Entries>> known_;  // by folder
  std::set<std::string> told_;                    // unknown flags
};

// Several versions of the Metal language, as a command line or a configuration names them.

// "metal3.1", "all", "metal3.0..metal4.1", "3.0..", "metal2.4,metal4.0" → the versions, oldest
// first. Errors: an unknown spelling (lists the known ones), a range without versions.
Result<std::vector<LanguageVersion>> language_version_range(std::string_view text);

}  // namespace msci
