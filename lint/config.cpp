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

void read_compile_options(ObjectReader& reader, Config& config) {
  auto& compile = config.compile;
  read_paths(reader, "include_folders", config, compile.include_folders);
  read_paths(reader, "system_folders", config, compile.system_folders);
  read_paths(reader, "include", config, compile.includes);
  for (const bool undefines : {false, true}) {
    std::vector<std::string> macros;
    reader.read(undefines ? "undefine" : "define", macros);
    for (auto& macro : macros) compile.macros.push_back({std::move(macro), undefines});
  }
  reader.read("fast_math", compile.fast_math);
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
  read_rule_members(reader, config.select, config.ignore, config.severity, config.version);
  reader.read("exclude", config.exclude);
  read_compile_options(reader, config);
  if (auto done = reader.finish(); !done) return in_file(done.error());
  return config;
}

Result<Config> read_config(const std::string& path) {
  auto source = read_source(path);
  if (!source) return source.error();
  return parse_config(source->text, path);
}

bool excludes(const Config& config, const std::string& path) {
  if (config.exclude.empty()) return false;
  std::error_code none;
  const auto inner =
      fs::absolute(path, none).lexically_normal().lexically_relative(folder_of(config.path));
  if (inner.empty() || *inner.begin() == "..") return false;
  return std::any_of(config.exclude.begin(), config.exclude.end(),
                     [&](const std::string& pattern) { return fits(pattern, inner); });
}

Configs Configs::always(Config config) {
  Configs configs;
  configs.always_ = std::move(config);
  return configs;
}

Result<Config> Configs::of(const std::string& file) {
  if (always_) return *always_;
  return of_folder(folder_of(file));
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
