#include "lint/config.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lint/metal/read_file.h"
#include "lint/text.h"

namespace msci {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;  // of several overrides the last one holds

using Done = Result<std::monostate>;

Error wrong(std::string_view key, std::string_view why) {
  return {fmt::format("\"{}\": {}", key, why)};
}

// A string, or a list of them.
Result<std::vector<std::string>> strings(std::string_view key, const Json& value) {
  const auto is_string = [](const Json& each) { return each.is_string(); };
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_string))
    return wrong(key, "a list of strings belongs here");
  return value.get<std::vector<std::string>>();
}

Result<std::vector<Override>> overrides(std::string_view key, const Json& value) {
  if (!value.is_object()) return wrong(key, "an object of rules and severities belongs here");
  std::vector<Override> made;
  for (const auto& [rules, severity] : value.items()) {
    if (!severity.is_string()) return wrong(rules, "a severity is a string");
    auto each = override_from(fmt::format("{}={}", rules, severity.get<std::string>()));
    if (!each) return wrong(rules, each.error().message);
    made.push_back(*std::move(each));
  }
  return made;
}

template <typename T, typename U>
Done put(Result<T> value, U& place) {
  if (!value) return value.error();
  place = *std::move(value);
  return std::monostate();
}

Done put_version(std::string_view key, const Json& value, Config& config) {
  if (!value.is_string()) return wrong(key, "a language version such as \"metal3.1\" belongs here");
  auto version = language_version(value.get<std::string>());
  if (!version) return wrong(key, version.error().message);
  config.version = *version;
  return std::monostate();
}

Done put_key(const std::string& key, const Json& value, Config& config) {
  if (key == "select") return put(strings(key, value), config.select);
  if (key == "ignore") return put(strings(key, value), config.ignore);
  if (key == "exclude") return put(strings(key, value), config.exclude);
  if (key == "severity") return put(overrides(key, value), config.severity);
  if (key == "std") return put_version(key, value, config);
  constexpr std::array<std::string_view, 5> keys = {"select", "ignore", "exclude", "severity",
                                                    "std"};
  auto near = nearest(key, keys);
  return Error{fmt::format(
      "\"{}\" is no key of a configuration{}", key,
      near.empty() ? fmt::format("; they are {}", fmt::join(keys, ", ")) : did_you_mean(near))};
}

// The library's words without the number of its error.
std::string_view words_of(const Json::exception& error) {
  const std::string_view all = error.what();
  const auto end = all.find("] ");
  return end == std::string_view::npos ? all : all.substr(end + 2);
}

Result<Json> parsed(std::string_view text) {
  try {
    return Json::parse(text, nullptr, /*allow_exceptions=*/true, /*ignore_comments=*/true);
  } catch (const Json::exception& error) {  // a number beyond all is no parse_error
    return Error{std::string(words_of(error))};
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

}  // namespace

Result<Config> parse_config(std::string_view text, const std::string& path) {
  const auto fail = [&](const Error& error) {
    return Error{fmt::format("{}: {}", path, error.message)};
  };
  const auto json = parsed(text);
  if (!json) return fail(json.error());
  if (!json->is_object()) return fail({"a configuration is a JSON object"});
  Config config{.path = path};
  for (const auto& [key, value] : json->items())
    if (auto done = put_key(key, value, config); !done) return fail(done.error());
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
