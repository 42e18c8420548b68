// What a source may include, and how what is not read is told.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "compiler/frontend/preamble/precompiled_preamble.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

class Includes : public testing::Test {
 protected:
  Includes() {
    fs::create_directories(project_ / "folder");
    write(project_ / "helper.h", "#pragma once\ninline float twice(float x) { return 2 * x; }\n");
    write(root_ / "outside.h", "int outside;\n");
  }
  ~Includes() override { fs::remove_all(root_); }

  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

  Unit parse_text(const std::string& text, CompileOptions options = {}) const {
    options.readable_folders.push_back(project_.string());
    auto unit = parse({(project_ / "kernel.metal").string(), text}, std::move(options));
    EXPECT_TRUE(unit) << unit.error().message;
    return *std::move(unit);
  }
  // The only diagnostic on a source that includes `name`, with its first note.
  std::string refusal(const std::string& name) const {
    const auto unit = parse_text(fmt::format("#include \"{}\"\nint x = y;\n", name));
    if (unit.diagnostics().size() != 1) return fmt::format("{}", unit.diagnostics().size());
    const auto& only = unit.diagnostics()[0];
    return only.message + (only.notes.empty() ? "" : ": " + only.notes[0].message);
  }

  fs::path root_ = fs::temp_directory_path() / fmt::format("msci_includes_{}", getpid());
  fs::path project_ = root_ / "project";
};

TEST_F(Includes, are_found_beside_the_source) {
  const auto unit = parse_text("#include \"helper.h\"\nfloat f(float x) { return twice(x); }\n");
  EXPECT_TRUE(unit.compiled()) << unit.diagnostics()[0].message;
}

TEST_F(Includes, are_found_in_folders_of_the_options) {
  write(root_ / "project/folder/other.h", "#define OTHER 1\n");
  CompileOptions options{.include_folders = {(project_ / "folder").string()}};
  EXPECT_TRUE(parse_text("#include <other.h>\nint x[OTHER];\n", options).compiled());
  options = {.macros = {{"N=3"}, {"M"}}, .includes = {"helper.h"}};
  EXPECT_TRUE(parse_text("float f() { return twice(N + M); }\n", options).compiled());
}

TEST_F(Includes, are_found_in_system_folders_with_angle_brackets_and_with_quotes) {
  write(project_ / "folder/other.h", "#define OTHER 1\n");
  const CompileOptions options{.system_folders = {(project_ / "folder").string()}};
  EXPECT_TRUE(parse_text("#include <other.h>\nint x[OTHER];\n", options).compiled());
  EXPECT_TRUE(parse_text("#include \"other.h\"\nint x[OTHER];\n", options).compiled());
}

TEST_F(Includes, of_system_folders_are_metal_text) {
  write(project_ / "folder/other.h",
        "constant float factor = 2;\n"
        "inline half2 both(device half2* x [[maybe_unused]]) { return half2(x[0].x, factor); }\n");
  const CompileOptions options{.system_folders = {(project_ / "folder").string()}};
  const auto unit = parse_text(
      "#include <metal_stdlib>\nusing namespace metal;\n#include <other.h>\n"
      "kernel void f(device half2* x [[buffer(0)]]) { x[0] = both(x) * half(factor); }\n",
      options);
  EXPECT_TRUE(unit.compiled()) << unit.diagnostics()[0].message;
}

TEST_F(Includes, come_from_the_folders_of_the_project_before_system_folders) {
  fs::create_directories(project_ / "system");
  write(project_ / "folder/other.h", "#define OTHER 1\n");
  write(project_ / "system/other.h", "#error \"the wrong file\"\n");
  const CompileOptions options{.include_folders = {(project_ / "folder").string()},
                               .system_folders = {(project_ / "system").string()}};
  EXPECT_TRUE(parse_text("#include <other.h>\nint x[OTHER];\n", options).compiled());
}

TEST_F(Includes, are_rewritten_as_the_source_is) {
  write(project_ / "vectors.h",
        "typedef half2 Two;\ninline Two two(float x) { return Two(x, 1); }\n");
  EXPECT_TRUE(
      parse_text("#include <metal_stdlib>\n#include \"vectors.h\"\n"
                 "kernel void f(device Two* x [[buffer(0)]]) { x[0] = Two(two(1).x, 2); }\n")
          .compiled());
}

TEST_F(Includes, have_what_is_wrong_with_them_at_its_place) {
  write(project_ / "wrong.h", "\nint wrong = unknown;\n");
  const auto unit = parse_text("#include \"wrong.h\"\n");
  EXPECT_FALSE(unit.compiled());
  const auto file = (project_ / "wrong.h").string();
  ASSERT_EQ(unit.included_files().size(), 1u);
  EXPECT_EQ(unit.included_files()[0]->name, file);
  ASSERT_EQ(unit.diagnostics().size(), 1u);
  const auto& place = unit.diagnostics()[0].place;
  EXPECT_EQ(place, (Place{file, {{2, 13}, {2, 20}}}));
  EXPECT_EQ(unit.text(place), "unknown");
  EXPECT_EQ(&unit.source_of(place), unit.included_files()[0]);
}

TEST_F(Includes, have_notes_at_their_places_in_other_files) {
  write(project_ / "one.h", "constant int same = 1;\n");
  write(project_ / "two.h", "constant int same = 2;\n");
  const auto unit = parse_text("#include \"one.h\"\n#include \"two.h\"\n");
  ASSERT_EQ(unit.diagnostics().size(), 1u);
  const auto& diagnostic = unit.diagnostics()[0];
  EXPECT_EQ(diagnostic.place.file, (project_ / "two.h").string());
  ASSERT_EQ(diagnostic.notes.size(), 1u);
  EXPECT_EQ(diagnostic.notes[0].place, (Place{(project_ / "one.h").string(), {{1, 14}, {1, 18}}}));
  EXPECT_EQ(diagnostic.notes[0].message, "previous definition is here");
}

TEST_F(Includes, are_regular_files_of_the_project) {
  fs::create_symlink(root_ / "outside.h", project_ / "link.h");
  fs::create_symlink("/dev/zero", project_ / "zero.h");
  ASSERT_EQ(mkfifo((project_ / "pipe.h").c_str(), 0600), 0);
  write(project_ / "large.h", "");
  fs::resize_file(project_ / "large.h", 1ul << 30);
  const std::string outside = ": it was not read: it lies outside of the source's folders";
  EXPECT_EQ(refusal("/etc/passwd"), "'/etc/passwd' file not found" + outside);
  EXPECT_EQ(refusal("/dev/zero"), "'/dev/zero' file not found" + outside);
  EXPECT_EQ(refusal("../outside.h"), "'../outside.h' file not found" + outside);
  EXPECT_EQ(refusal("../../../etc/passwd"), "'../../../etc/passwd' file not found");
  EXPECT_EQ(refusal("link.h"), "'link.h' file not found" + outside);
  EXPECT_EQ(refusal("zero.h"), "'zero.h' file not found" + outside);
  EXPECT_EQ(refusal("pipe.h"),
            "'pipe.h' file not found: it was not read: it is not a regular file");
  EXPECT_EQ(refusal("folder"), "'folder' file not found: it was not read: it is a folder");
  EXPECT_EQ(refusal("large.h"),
            "'large.h' file not found: it was not read: it is larger than 16 MiB");
}

TEST_F(Includes, of_themselves_come_to_an_end) {
  write(project_ / "self.h", "#include \"self.h\"\n#include \"self.h\"\n");
  const auto unit = parse_text("#include \"self.h\"\n");
  EXPECT_FALSE(unit.compiled());
}

TEST_F(Includes, are_none_where_nothing_is_allowed) {
  const auto unit = parse({(project_ / "kernel.metal").string(), "#include \"helper.h\"\n"});
  ASSERT_TRUE(unit);
  EXPECT_FALSE(unit->compiled());
}

}  // namespace
}  // namespace msci
