// The command lines of Apple's `metal` and `xcrun`, for builds where there is no Xcode.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lint/flags/compile_settings.h"

namespace msci {

// What a call of `metal` asks for.
struct MetalCommand {
  enum class Kind { check, preprocess, version, help };
  Kind kind = Kind::check;
  CompileSettings compile;
  std::vector<std::string> files;  // "-": standard input
  std::string output;              // of -o; empty without it
  bool syntax_only = false;
  bool says_version = false;  // -v
  bool hides_warnings = false;
  std::vector<std::string> ignored;  // flags of code generation that are not known: to be told

  // Whether it names a file that would hold code: /dev/null holds none.
  bool wants_code() const;
};

// Errors, for "metal: error: ": no source; a file that is not Metal source, such as k.air; a flag
// that makes code, is not known or lacks its value; an unknown language version.
Result<MetalCommand> metal_command_from(const std::vector<std::string>& words);

std::string_view metal_help();

// What is written in place of code where MSCI_METAL is "check".
std::string metal_marker(const MetalCommand& command);

// What a call of `xcrun` asks for.
struct XcrunCommand {
  enum class Kind { run_metal, find_metal, version, help, refused };
  Kind kind = Kind::run_metal;
  std::vector<std::string> arguments;  // of metal
  std::string why;                     // refused, for "xcrun: error: "
  int status = 1;                      // refused: as xcrun ends
};

XcrunCommand xcrun_command_from(const std::vector<std::string>& words);

std::string_view xcrun_help();

}  // namespace msci
