// Where the programs of msci are installed.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace msci {

// The path of the program `name`: beside the running program, as in a build, or in the folder for
// programs that users do not start (libexec/msci). Errors: it is in neither place.
Result<std::string> find_program(std::string_view name);

// The version of msci: "0.1.0".
std::string program_version();

// What changes with the running program's file: for keys of results that depend on all of its code.
std::string program_identity();

// What changes with the code of the running program alone: the same for all copies of a build, on
// all machines. For results that are kept for long.
std::string program_build();

// The folder with the documentation of the running program, as installed or in a build; empty
// without one.
std::string documentation_folder();

}  // namespace msci
