#include "lint/flags/compile_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/append.h"

namespace msci {
namespace {

// Flags about output, debugging, warnings and the target: they do not change what a source means.
constexpr std::array<std::string_view, 17> harmless = {"-c",
                                                       "-g",
                                                       "-O",
                                                       "-W",
                                                       "-w",
                                                       "-m",
                                                       "-M",
                                                       "-v",
                                                       "-frecord-sources",
                                                       "-fmodules",
                                                       "-fno-strict-aliasing",
                                                       "-fpreserve-invariance",
                                                       "-fdiagnostics",
                                                       "-fcolor-diagnostics",
                                                       "-ftracepoints",
                                                       "--target=",
                                                       "--sysroot="};
// The same, with a value that follows as a word of its own.
constexpr std::array<std::string_view, 12> harmless_with_value = {
    "-o",  "-target", "-arch", "-sdk", "-x", "-isysroot",
    "-MF", "-MT",     "-MQ",   "-L",   "-l", "-serialize-diagnostics"};

// Deployment targets.
constexpr std::array<std::pair<std::string_view, bool>, 4> oldest_system = {
    {{"-mmacosx-version-min=", true},
     {"-mmacos-version-min=", true},
     {"-miphoneos-version-min=", false},
     {"-mios-version-min=", false}}};

bool contains(const auto& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}
bool is_harmless(std::string_view flag) {
  return std::any_of(harmless.begin(), harmless.end(),
                     [&](std::string_view start) { return flag.starts_with(start); });
}

std::optional<SystemTarget> system_of_flag(std::string_view flag) {
  for (const auto& [start, is_mac] : oldest_system)
    if (flag.starts_with(start)) return system_target(is_mac, flag.substr(start.size()));
  return std::nullopt;
}

// "air64-apple-macos14.0", "air64-apple-ios17.0-simulator".
std::optional<SystemTarget> system_of_triple(std::string_view triple) {
  for (const std::string_view start : {"-macosx", "-macos", "-ios"}) {
    const auto at = triple.find(start);
    if (at == std::string_view::npos) continue;
    const auto version = triple.substr(at + start.size());
    return system_target(start != "-ios", version.substr(0, version.find('-')));
  }
  return std::nullopt;
}

LanguageVersion newest_of(const CompileSettings& settings) {
  if (settings.version) return *settings.version;
  const auto versions = versions_on(settings.targets.systems);
  return versions.empty() ? LanguageVersion() : versions.back();
}

}  // namespace

std::vector<LanguageVersion> versions_of(const CompileSettings& settings) {
  const auto of_systems = versions_on(settings.targets.systems);
  auto versions = settings.version ? settings.versions : of_systems;
  if (settings.version && !of_systems.empty() && versions.size() > 1 &&
      versions.front().number <= of_systems.back().number)
    std::erase_if(versions,
                  [&](LanguageVersion each) { return each.number > of_systems.back().number; });
  return versions.size() > 1 ? versions : std::vector<LanguageVersion>();
}

std::optional<Error> set_versions(CompileSettings& settings, std::string_view text) {
  const auto versions = language_version_range(text);
  if (!versions) return versions.error();
  settings.version = versions->back();
  settings.versions = versions->size() > 1 ? *versions : std::vector<LanguageVersion>();
  return std::nullopt;
}

void add(CompileSettings& settings, const CompileSettings& more) {
  if (more.version) {
    settings.version = more.version;
    settings.versions = more.versions;
  }
  if (!more.targets.gpus.empty()) settings.targets.gpus = more.targets.gpus;
  if (!more.targets.systems.empty()) settings.targets.systems = more.targets.systems;
  if (more.fast_math) settings.fast_math = more.fast_math;
  append(settings.include_folders, more.include_folders);
  append(settings.system_folders, more.system_folders);
  append(settings.macros, more.macros);
  append(settings.prelude, more.prelude);
  append(settings.includes, more.includes);
}

CompileOptions options_from(const CompileSettings& settings) {
  return {.version = newest_of(settings),
          .fast_math = settings.fast_math.value_or(true),
          .include_folders = settings.include_folders,
          .system_folders = settings.system_folders,
          .macros = settings.macros,
          .prelude = settings.prelude,
          .includes = settings.includes};
}

Result<std::vector<std::string>> take_compiler_flags(const std::vector<std::string>& flags,
                                                     CompileSettings& settings) {
  std::vector<std::string> unknown;
  for (auto flag = flags.begin(); flag != flags.end(); ++flag) {
    const std::string_view text = *flag;
    // -I DIR, or -IDIR.
    std::optional<std::string> value;
    bool lacks_value = false;
    const auto takes_value = [&](std::string_view name) {
      if (!text.starts_with(name)) return false;
      if (text.size() > name.size())
        value = std::string(text.substr(name.size()));
      else if (flag + 1 != flags.end())
        value = *++flag;
      lacks_value = !value;
      return true;
    };
    const auto take_system = [&](const std::optional<SystemTarget>& system) {
      if (system) settings.targets.systems = {*system};
    };
    if (const auto system = system_of_flag(text)) {
      take_system(system);
    } else if (text == "-target" && flag + 1 != flags.end()) {
      take_system(system_of_triple(*++flag));
    } else if (constexpr std::string_view target = "--target="; text.starts_with(target)) {
      take_system(system_of_triple(text.substr(target.size())));
    } else if (contains(harmless_with_value, text)) {
      if (flag + 1 != flags.end()) ++flag;
    } else if (text == "-ffast-math" || text == "-fmetal-math-mode=fast") {
      settings.fast_math = true;
    } else if (text == "-fno-fast-math" || text == "-fmetal-math-mode=safe" ||
               text == "-fmetal-math-mode=relaxed") {
      settings.fast_math = false;
    } else if (text.starts_with("-std=")) {
      const auto known = language_version(text.substr(5));
      if (!known) return known.error();
      settings.version = *known;
      settings.versions.clear();
    } else if (takes_value("-isystem")) {
      if (value) settings.system_folders.push_back(*value);
    } else if (takes_value("-include")) {
      if (value) settings.includes.push_back(*value);
    } else if (takes_value("-I")) {
      if (value) settings.include_folders.push_back(*value);
    } else if (takes_value("-D")) {
      if (value) settings.macros.push_back({*value, false});
    } else if (takes_value("-U")) {
      if (value) settings.macros.push_back({*value, true});
    } else if (!is_harmless(text)) {
      unknown.emplace_back(text);
    }
    if (lacks_value) return Error{fmt::format("the compiler flag {} needs a value", text)};
  }
  return unknown;
}

}  // namespace msci
