// Compilation databases: compile_commands.json, as CMake and others write it.
#pragma once

#include <map>
#include <set>
#include <string>

#include "lint/flags/compile_settings.h"

namespace msci {

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

}  // namespace msci
