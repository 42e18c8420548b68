// What a project wants of msci-lint, written down once: .msci.json (docs/linting.md).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/selection.h"

namespace msci {

constexpr std::string_view config_name = ".msci.json";

struct Config {
  std::string path;  // empty: nobody wrote one
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::vector<Override> severity;
  std::optional<LanguageVersion> version;
  std::vector<std::string> exclude;  // patterns; see excludes()
};

// Errors name the file and the key: no JSON, an unknown key, a value of the wrong kind.
Result<Config> parse_config(std::string_view text, const std::string& path);

Result<Config> read_config(const std::string& path);

// Whether what a folder holds is left out. A pattern without '/' speaks of a name anywhere below
// the configuration's folder, one with '/' of a path from there; `*`, `?` and `[a-z]` stand for
// characters within a name.
bool excludes(const Config& config, const std::string& path);

// The configurations that hold for files: the nearest one in a file's folder or above it.
class Configs {
 public:
  // Looks for none: the one given holds everywhere.
  static Configs always(Config config);
  static Configs nearest() { return Configs(); }

  // The configuration for a source of this name. Errors: as for parse_config.
  Result<Config> of(const std::string& file);

 private:
  Result<Config> of_folder(const std::string& folder);

  std::optional<Config> always_;
  std::map<std::string, Config> known_;  // by folder
};

}  // namespace msci
