// msci-lint as its users run it, in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/json.h"
#include "tests/support/run_program.h"

namespace msci {

class LintProgram : public testing::Test {
 protected:
  // Runs msci-lint in a shell.
  ProgramResult lint(const std::string& arguments) const {
    return run_command(program_path("msci-lint") + " " + arguments, folder_);
  }

  // The same with the folder as the current one.
  ProgramResult lint_here(const std::string& arguments) const {
    return run_command(
        "cd " + (folder_ / "") + " && " + program_path("msci-lint") + " " + arguments, folder_);
  }

  std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }

  Folder folder_;
};

// Whether the text has this part.
inline testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << part << "\" is not in:\n" << text;
}

}  // namespace msci
