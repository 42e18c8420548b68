// What a compiler's command line says about how a source is read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/frontend/version.h"

namespace msci {

// -D NAME, -D NAME=VALUE, or -U NAME.
struct MacroOption {
  std::string text;
  bool undefines = false;
  bool operator==(const MacroOption&) const = default;
};

struct CompileOptions {
  LanguageVersion version;
  bool fast_math = true;
  std::vector<std::string> include_folders;  // -I
  std::vector<std::string> system_folders;   // -isystem
  std::vector<MacroOption> macros;           // in order
  // Parts of a source that a host joins, which stand before this one: read once, whether the source
  // includes them or not.
  std::vector<std::string> prelude;
  std::vector<std::string> includes;  // -include: read before the source
  // Files below these folders, and below those of -I and -isystem, and those of -include can be
  // included. Without any, a source reads nothing but Metal's own headers.
  std::vector<std::string> readable_folders;
  // Texts that stand for files of the disk, by absolute path, as long as the files may be included
  // and exist: what an editor has not saved yet.
  std::map<std::string, std::string> unsaved;
  bool operator==(const CompileOptions&) const = default;

  bool reads_files() const {
    return !readable_folders.empty() || !include_folders.empty() || !system_folders.empty() ||
           !prelude.empty() || !includes.empty();
  }
};

}  // namespace msci
