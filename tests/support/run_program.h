// Runs the programs under test as a shell does.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/folder.h"

namespace msci {

// The program of that name, which the build puts beside the tests.
inline std::string program_path(const std::string& name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
}

struct ProgramResult {
  int status = -1;  // of the exit; -1 after a signal
  std::string out;
  std::string err;
};

// Runs a command line in a shell; its output goes through files in the folder.
inline ProgramResult run_command(const std::string& command, const Folder& folder) {
  const auto line = command + " >" + folder / "out" + " 2>" + folder / "err";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.contents("out"),
          folder.contents("err")};
}

}  // namespace msci
