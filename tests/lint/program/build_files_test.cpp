// Include folders that the files of a build name.
#include <filesystem>

#include "tests/lint/program/lint_program.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

class Build : public LintProgram {
 protected:
  Build() {
    for (const auto* each : {".git", "include", "src/deep"}) fs::create_directories(folder_ / each);
    write("include/pair.h", "struct Pair { float a, b; };\n");
    kernel_ = write("src/deep/k.metal",
                    "#include \"pair.h\"\nkernel void f(device Pair* x) { x[0].a = x[0].b; }\n");
  }
  bool finds() const { return lint("--select metal,security " + kernel_).status == 0; }

  std::string kernel_;
};

TEST_F(Build, without_a_file_nothing_is_found) { EXPECT_FALSE(finds()); }

TEST_F(Build, cmake_names_folders) {
  write("CMakeLists.txt", "project(p)\n");
  write("src/CMakeLists.txt",
        "add_custom_command(OUTPUT k.air # xcrun metal -I${CMAKE_SOURCE_DIR}\n"
        "  COMMAND xcrun -sdk macosx metal \"-I${PROJECT_SOURCE_DIR}/include\" -c k.metal -o "
        "k.air)\n");
  EXPECT_TRUE(finds());
  EXPECT_FALSE(lint("--no-compile-commands --select metal,security " + kernel_).status == 0);
  EXPECT_TRUE(has(lint("--show-config " + kernel_).out, "/include\""));
  EXPECT_EQ(run_command("cat " + kernel_ + " | " + program_path("msci-lint") +
                            " --select metal,security - --stdin-name " + kernel_,
                        folder_)
                .status,
            1)
      << "standard input reads nothing of the disk";
}

TEST_F(Build, other_variables_are_not_guessed) {
  write("CMakeLists.txt",
        "COMMAND xcrun metal -I${ROOT}/include -c k.metal\n"
        "COMMAND clang -Iinclude k.cpp\n");
  EXPECT_FALSE(finds());
}

TEST_F(Build, rust_builds_name_folders) {
  write("build.rs",
        "fn main() {\n  Command::new(\"xcrun\").args([\"-sdk\", \"macosx\", \"metal\", \"-c\", "
        "\"k.metal\"])\n"
        "    .arg(\"-I\").arg(\"include\").status().unwrap();\n}\n");
  EXPECT_TRUE(finds());
}

TEST_F(Build, xcode_projects_name_folders) {
  fs::create_directories(folder_ / "App.xcodeproj");
  write("App.xcodeproj/project.pbxproj",
        "MTL_HEADER_SEARCH_PATHS = (\n  \"$(inherited)\",\n  \"$(SRCROOT)/include/**\",\n);\n");
  EXPECT_TRUE(finds());
}

TEST_F(Build, many_flags_take_little_time) {
  write("CMakeLists.txt", "project(p)\n");
  std::string flags = "COMMAND xcrun metal -I${PROJECT_SOURCE_DIR}/include";
  for (int i = 0; i < 20'000; ++i) flags += " -I${PROJECT_SOURCE_DIR}/" + std::string(140, 'x');
  write("src/CMakeLists.txt", flags);
  std::string keys = "MTL_HEADER_SEARCH_PATHS = include;\n";
  for (int i = 0; i < 150'000; ++i) keys += "MTL_HEADER_SEARCH_PATHS\n";
  fs::create_directories(folder_ / "src/App.xcodeproj");
  write("src/App.xcodeproj/project.pbxproj", keys);
  EXPECT_EQ(
      run_command("timeout 8 " + program_path("msci-lint") + " --select metal,security " + kernel_,
                  folder_)
          .status,
      0);
}

TEST_F(Build, folders_outside_of_the_repository_do_not_count) {
  fs::create_directories(folder_ / "src/.git");
  write("src/CMakeLists.txt", "COMMAND xcrun metal -I${CMAKE_CURRENT_SOURCE_DIR}/../include\n");
  EXPECT_FALSE(finds());
}

}  // namespace
}  // namespace msci
