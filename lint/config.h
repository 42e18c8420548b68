// A project's settings for msci-lint: .msci.json (docs/guide/linting.md).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/flags/compile_settings.h"
#include "lint/selection.h"

namespace msci {

class ObjectReader;

constexpr std::string_view config_name = ".msci.json";

// Settings of the files that fit one of the patterns (base/files/path_patterns.h).
struct FileSettings {
  std::vector<std::string> files;
  std::vector<std::string> select;  // replaces the configuration's
  std::vector<std::string> ignore;  // this and the rest add to the configuration's
  std::vector<Override> severity;
  CompileSettings compile;
};

struct Config {
  std::string path;  // empty: the defaults
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::vector<Override> severity;
  CompileSettings compile;              // folders and files as paths
  std::vector<FileSettings> overrides;  // by order; the later take precedence
  std::vector<std::string> join;        // parts of a source that a host joins, in order
  std::vector<std::string> exclude;     // patterns
};

// Reads the members that configurations and requests share: "select", "ignore", "severity", "std",
// "target".
void read_rule_members(ObjectReader& reader, std::vector<std::string>& select,
                       std::vector<std::string>& ignore, std::vector<Override>& severity,
                       CompileSettings& compile);

// With the settings of the configuration that it extends. Errors: invalid JSON, an unknown key, a
// value of the wrong type, more than 16 configurations that extend each other; they name the file
// and the key.
Result<Config> parse_config(std::string_view text, const std::string& path);

Result<Config> read_config(const std::string& path);

// Whether the configuration excludes a file or folder: a pattern fits its path from the
// configuration's folder.
bool excludes(const Config& config, const std::string& path);

// Finds the configuration of a file: the nearest one in its folder or above.
class Configs {
 public:
  // Uses the given one for all files.
  static Configs always(Config config);
  static Configs nearest() { return Configs(); }
  // From now on, uses the given one for all files.
  void use(Config config) { always_ = std::move(config); }

  // From now on, settings of a compilation database apply, too; the configuration's take
  // precedence.
  void read_compile_commands() {
    commands_.emplace();
    build_files_.emplace();
  }

  // Folders that the build of a source searches for included files, beside those of its settings.
  std::vector<std::string> build_folders_of(const std::string& file) {
    return build_files_ ? build_files_->include_folders_of(file) : std::vector<std::string>();
  }

  // The configuration for a source of this name, with all settings for it in `compile`. Errors: as
  // for parse_config and CompileCommands.
  Result<Config> of(const std::string& file);

 private:
  Result<Config> of_folder(const std::string& folder);

  std::optional<Config> always_;
  std::optional<CompileCommands> commands_;
  std::optional<BuildFiles> build_files_;
  std::map<std::string, Config> known_;  // by folder
};

}  // namespace msci
