#include "lint/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/append.h"
#include "base/files/path_patterns.h"
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

void read_version(ObjectReader& reader, CompileSettings& compile) {
  std::string text;
  if (!reader.read("std", text)) return;
  if (const auto error = set_versions(compile, text)) reader.report_error("std", error->message);
}

void read_targets(ObjectReader& reader, CompileSettings& compile) {
  std::string text;
  if (!reader.read("target", text)) return;
  auto targets = targets_from(text);
  if (targets)
    compile.targets = *std::move(targets);
  else
    reader.report_error("target", targets.error().message);
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
  read_paths(reader, "prelude", config, compile.prelude);
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
    read_rule_members(inner, settings.select, settings.ignore, settings.severity, settings.compile);
    read_compile_settings(inner, config, settings.compile);
    config.overrides.push_back(std::move(settings));
    if (auto error = inner.finish()) {
      reader.report_error("overrides", error->message);
      return;
    }
  }
}

std::string folder_of(const std::string& file) {
  std::error_code none;
  if (file == "-") return fs::current_path(none).string();
  return fs::absolute(file, none).lexically_normal().parent_path().string();
}

// Whether a pattern fits the path from the configuration's folder.
bool fits(const std::vector<std::string>& patterns, const Config& config, const std::string& path) {
  return fits_any(patterns, folder_of(config.path), path);
}

// The configuration with the settings of the one that it extends, over which its own take
// precedence.
Config extended(Config base, Config own) {
  base.path = own.path;
  if (!own.select.empty()) base.select = std::move(own.select);
  append(base.ignore, own.ignore);
  append(base.severity, own.severity);
  add(base.compile, own.compile);
  append(base.overrides, own.overrides);
  append(base.join, own.join);
  append(base.exclude, own.exclude);
  return base;
}

// Where a file stands in a list of files.
std::size_t file_number(const std::vector<std::string>& files, const std::string& file) {
  const auto is_file = [&](const std::string& each) {
    std::error_code error;
    return fs::equivalent(each, file, error);
  };
  return static_cast<std::size_t>(std::ranges::find_if(files, is_file) - files.begin());
}

// A part of a joined source has the parts before it as its prelude, and so has a file of a prelude.
void apply_join(Config& config, const std::string& file) {
  auto& prelude = config.compile.prelude;
  prelude.resize(file_number(prelude, file));
  const auto place = file_number(config.join, file);
  if (place < config.join.size())
    prelude.insert(prelude.begin(), config.join.begin(),
                   config.join.begin() + static_cast<std::ptrdiff_t>(place));
}

constexpr std::size_t most_extended = 16;

// `depth`: how many configurations extend this one.
// The files that extend each other so far.
using Chain = std::vector<std::string>;

Result<Config> read_config(const std::string& path, Chain chain);

Result<Config> parse_config(std::string_view text, const std::string& path, Chain chain) {
  const auto in_file = [&](const Error& error) {
    return Error{fmt::format("{}: {}", path, error.message)};
  };
  const auto json = parse_json<OrderedJson>(text, {.allow_comments = true});
  if (!json) return in_file(json.error());
  Config config{.path = path};
  std::string base;
  ObjectReader reader(*json, "a configuration");
  reader.read("extends", base);
  read_rule_members(reader, config.select, config.ignore, config.severity, config.compile);
  reader.read("exclude", config.exclude);
  read_compile_settings(reader, config, config.compile);
  read_paths(reader, "join", config, config.join);
  read_overrides(reader, config);
  reader.find("$schema");  // is for editors
  if (auto error = reader.finish()) return in_file(*error);
  if (base.empty()) return config;
  const auto extended_path = (fs::path(path).parent_path() / base).lexically_normal().string();
  chain.push_back(fs::path(path).lexically_normal().string());
  if (std::ranges::find(chain, extended_path) != chain.end())
    return in_file({fmt::format("\"extends\": {} extends itself", extended_path)});
  if (chain.size() > most_extended)
    return in_file(
        {fmt::format("\"extends\": more than {} configurations extend each other", most_extended)});
  auto whole = read_config((fs::path(path).parent_path() / base).string(), std::move(chain));
  if (!whole) return in_file({fmt::format("\"extends\": {}", whole.error().message)});
  return extended(*std::move(whole), std::move(config));
}

Result<Config> read_config(const std::string& path, Chain chain) {
  auto source = read_source(path);
  if (!source) return source.error();
  return parse_config(source->text, path, std::move(chain));
}

}  // namespace

void read_rule_members(ObjectReader& reader, std::vector<std::string>& select,
                       std::vector<std::string>& ignore, std::vector<Override>& severity,
                       CompileSettings& compile) {
  reader.read("select", select);
  reader.read("ignore", ignore);
  read_severity(reader, severity);
  read_version(reader, compile);
  read_targets(reader, compile);
}

Result<Config> parse_config(std::string_view text, const std::string& path) {
  return parse_config(text, path, Chain());
}

Result<Config> read_config(const std::string& path) { return read_config(path, Chain()); }

bool excludes(const Config& config, const std::string& path) {
  return fits(config.exclude, config, path);
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
  for (const auto& each : config->overrides) {
    if (!fits(each.files, *config, file)) continue;
    if (!each.select.empty()) config->select = each.select;
    append(config->ignore, each.ignore);
    append(config->severity, each.severity);
    add(settings, each.compile);
  }
  config->compile = std::move(settings);
  apply_join(*config, file);
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
