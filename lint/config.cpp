#include "lint/config.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>

#include "base/files/read_file.h"
#include "base/json.h"

namespace msci {
namespace {

namespace fs = std::filesystem;
void read_severity(ObjectReader& reader, std::vector<Override>& overrides) {
  const auto* value = reader.find("severity");
  if (!value) return;
  if (!value->is_object()) {
    reader.report_kind("severity", "an object of rules and severities");
    return;
  }
  for (const auto& [rules, severity] : value->items()) {
    if (!severity.is_string()) {
      reader.report_kind(rules, "a string: error, warning, note or off");
      return;
    }
    auto each = override_from(fmt::format("{}={}", rules, severity.get<std::string>()));
    if (!each) {
      reader.report_error(rules, each.error().message);
      return;
    }
    overrides.push_back(*std::move(each));
  }
}

void read_version(ObjectReader& reader, std::optional<LanguageVersion>& version) {
  std::string text;
  if (!reader.read("std", text)) return;
  auto known = language_version(text);
  if (known)
    version = *known;
  else
    reader.report_error("std", known.error().message);
}

// Paths are relative to the configuration's folder.
void read_paths(ObjectReader& reader, std::string_view key, const Config& config,
                std::vector<std::string>& paths) {
  reader.read(key, paths);
  for (auto& path : paths) path = (fs::path(config.path).parent_path() / path).string();
}

// The members about compilation, of a configuration or of its settings for some files.
void read_compile_settings(ObjectReader& reader, const Config& config, CompileSettings& compile) {
  read_paths(reader, "include_folders", config, compile.include_folders);
  read_paths(reader, "system_folders", config, compile.system_folders);
  read_paths(reader, "include", config, compile.includes);
  for (const bool undefines : {false, true}) {
    std::vector<std::string> macros;
    reader.read(undefines ? "undefine" : "define", macros);
    for (auto& macro : macros) compile.macros.push_back({std::move(macro), undefines});
  }
  if (bool fast_math = true; reader.read("fast_math", fast_math)) compile.fast_math = fast_math;
}

void read_overrides(ObjectReader& reader, Config& config) {
  const auto* list = reader.find("overrides");
  if (!list) return;
  if (!list->is_array()) {
    reader.report_kind("overrides", "a list of objects");
    return;
  }
  for (const auto& each : *list) {
    ObjectReader inner(each, "an entry of \"overrides\"");
    FileSettings settings;
    inner.require("files", settings.files);
    read_version(inner, settings.compile.version);
    read_compile_settings(inner, config, settings.compile);
    config.overrides.push_back(std::move(settings));
    if (auto done = inner.finish(); !done) {
      reader.report_error("overrides", done.error().message);
      return;
    }
  }
}

std::string folder_of(const std::string& file) {
  std::error_code none;
  if (file == "-") return fs::current_path(none).string();
  return fs::absolute(file, none).lexically_normal().parent_path().string();
}

bool matches(const std::string& pattern, const std::string& text, int flags = 0) {
  return ::fnmatch(pattern.c_str(), text.c_str(), FNM_PATHNAME | flags) == 0;
}

bool fits(std::string pattern, const fs::path& path) {
  while (pattern.ends_with('/')) pattern.pop_back();
  if (pattern.find('/') != std::string::npos)
    return matches(pattern.substr(pattern.starts_with('/')), path.string(), FNM_LEADING_DIR);
  return std::any_of(path.begin(), path.end(),
                     [&](const fs::path& name) { return matches(pattern, name.string()); });
}

// Whether a pattern fits a path below the configuration's folder.
bool fits_any(const std::vector<std::string>& patterns, const Config& config,
              const std::string& path) {
  if (patterns.empty()) return false;
  std::error_code none;
  const auto inner =
      fs::absolute(path, none).lexically_normal().lexically_relative(folder_of(config.path));
  if (inner.empty() || *inner.begin() == "..") return false;
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return fits(pattern, inner); });
}

}  // namespace

void read_rule_members(ObjectReader& reader, std::vector<std::string>& select,
                       std::vector<std::string>& ignore, std::vector<Override>& severity,
                       std::optional<LanguageVersion>& version) {
  reader.read("select", select);
  reader.read("ignore", ignore);
  read_severity(reader, severity);
  read_version(reader, version);
}

Result<Config> parse_config(std::string_view text, const std::string& path) {
  const auto in_file = [&](const Error& error) {
    return Error{fmt::format("{}: {}", path, error.message)};
  };
  const auto json = parse_json<OrderedJson>(text, {.allow_comments = true});
  if (!json) return in_file(json.error());
  Config config{.path = path};
  ObjectReader reader(*json, "a configuration");
  read_rule_members(reader, config.select, config.ignore, config.severity, config.compile.version);
  reader.read("exclude", config.exclude);
  read_compile_settings(reader, config, config.compile);
  read_overrides(reader, config);
  if (auto done = reader.finish(); !done) return in_file(done.error());
  return config;
}

Result<Config> read_config(const std::string& path) {
  auto source = read_source(path);
  if (!source) return source.error();
  return parse_config(source->text, path);
}

bool excludes(const Config& config, const std::string& path) {
  return fits_any(config.exclude, config, path);
}

Configs Configs::always(Config config) {
  Configs configs;
  configs.always_ = std::move(config);
  return configs;
}

Result<Config> Configs::of(const std::string& file) {
  auto config = always_ ? Result<Config>(*always_) : of_folder(folder_of(file));
  if (!config) return config;
  CompileSettings settings;
  if (commands_) {
    auto of_command = commands_->of(file);
    if (!of_command) return of_command.error();
    settings = *std::move(of_command);
  }
  add(settings, config->compile);
  for (const auto& each : config->overrides)
    if (fits_any(each.files, *config, file)) add(settings, each.compile);
  config->compile = std::move(settings);
  return config;
}

Result<Config> Configs::of_folder(const std::string& folder) {
  if (const auto known = known_.find(folder); known != known_.end()) return known->second;
  const auto path = (fs::path(folder) / config_name).string();
  const auto parent = fs::path(folder).parent_path().string();
  std::error_code none;
  auto config = fs::exists(path, none) ? read_config(path)
                : parent == folder     ? Result<Config>(Config())
                                       : of_folder(parent);
  if (config) known_[folder] = *config;
  return config;
}

}  // namespace msci
