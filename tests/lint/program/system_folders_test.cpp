// Headers of system folders, however a user names such a folder.
#include "tests/lint/program/lint_program.h"

namespace msci {
namespace {

class SystemFolders : public LintProgram {
 protected:
  // The header has an unused variable, which would be a finding in the user's own file.
  SystemFolders() {
    write("sys/Foo/foo.h", "constant int foo = 1;\ninline int odd() { int a; return a; }\n");
  }
  const std::string kernel_ =
      write("src/k.metal", "#include <Foo/foo.h>\nkernel void f(device int* x) { x[0] = foo; }\n");
  const std::string found_ = "1 file: nothing found\n";
};

TEST_F(SystemFolders, are_given_by_an_option) {
  EXPECT_TRUE(has(lint(kernel_).out, "'Foo/foo.h' file not found"));
  EXPECT_EQ(lint("--isystem " + (folder_ / "sys") + " " + kernel_).out, found_);
}

TEST_F(SystemFolders, have_no_findings) {
  EXPECT_TRUE(has(lint("-I " + (folder_ / "sys") + " " + kernel_).out, "foo.h:2:"));
}

TEST_F(SystemFolders, are_given_by_a_compiler_flag) {
  EXPECT_EQ(lint(kernel_ + " -- -isystem " + (folder_ / "sys")).out, found_);
}

TEST_F(SystemFolders, are_given_by_the_configuration) {
  write(".msci.json", R"({"system_folders": ["sys"]})");
  EXPECT_EQ(lint(kernel_).out, found_);
}

TEST_F(SystemFolders, are_given_by_the_compilation_database) {
  write("compile_commands.json",
        R"([{"directory": ".", "file": "src/k.metal",
             "command": "xcrun metal -isystem sys -c src/k.metal"}])");
  EXPECT_EQ(lint(kernel_).out, found_);
}

}  // namespace
}  // namespace msci
