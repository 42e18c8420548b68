// What msci-lint says to a user, and when.
#include <set>
#include <sstream>

#include "tests/lint/program/lint_program.h"

namespace msci {
namespace {

using Json = nlohmann::json;

class Messages : public LintProgram {
 protected:
  std::string bad_ = write("bad.metal",
                           "kernel void f(device float* restrict x [[buffer(0)]],\n"
                           "              uint i [[thread_position_in_grid]]) {\n"
                           "  x[i] = 0.0f;\n"
                           "}\n");
};

// A format that shows only the message shows all that a reader needs.
TEST_F(Messages, say_what_to_do_in_every_format) {
  for (const std::string format :
       {"text", "json", "sarif", "github", "gitlab", "junit", "checkstyle"}) {
    auto out = lint("--format " + format + " " + bad_).out;
    for (auto at = out.find("&#39;"); at != out.npos; at = out.find("&#39;"))
      out.replace(at, 5, "'");
    EXPECT_TRUE(has(out, "'restrict' is a C keyword; use '__restrict' (expected ')')")) << format;
  }
}

TEST_F(Messages, name_the_rules_of_fixes) {
  const auto result = lint("--fix " + bad_);
  EXPECT_EQ(result.err, "msci-lint: applied 1 fix: 1 of metal.restrict\n");
  EXPECT_EQ(
      lint("--quiet --fix " + write("other.metal", "kernel void f(device int* restrict x) {}")).err,
      "");
}

TEST_F(Messages, say_how_many_findings_a_baseline_has) {
  const auto file =
      write("k.metal",
            "#include <metal_stdlib>\nusing namespace metal;\n"
            "kernel void f(device uint* x, uint i [[thread_index_in_threadgroup]]) {\n"
            "  if (i < 9) threadgroup_barrier(mem_flags::mem_device);\n  x[i] = i;\n}\n");
  const auto known = folder_ / "known.json";
  const auto rules = "--select hazard.barrier_divergence " + file;
  EXPECT_EQ(lint("--write-baseline " + known + " " + rules).err,
            "msci-lint: wrote 1 finding to " + known + "; --baseline " + known + " hides it\n");
  const auto later = lint("--baseline " + known + " " + rules);
  EXPECT_EQ(later.out, "1 file: nothing found\n");
  EXPECT_EQ(later.err, "msci-lint: " + known + " hides 1 finding\n");
  EXPECT_EQ(lint("-q --baseline " + known + " " + rules).err, "");
  const auto refused = write("e.metal", "int f() { return x; }");
  EXPECT_EQ(lint("--write-baseline " + known + " " + refused).err,
            "msci-lint: wrote 1 finding to " + known + "; --baseline " + known +
                " hides nothing: errors of Apple's compiler are always reported\n");
  EXPECT_EQ(lint("--write-baseline " + known + " " + rules + " " + refused).err,
            "msci-lint: wrote 2 findings to " + known + "; --baseline " + known +
                " hides 1 of them: errors of Apple's compiler are always reported\n");
  EXPECT_EQ(lint("--write-baseline " + known + " " + write("n.metal", "kernel void f() {}\n")).err,
            "msci-lint: wrote 0 findings to " + known + "\n");
}

TEST_F(Messages, name_the_encoding_of_a_source_in_utf16) {
  const auto refusal = [&](const std::string& text) { return lint(write("u.metal", text)).err; };
  const auto file = folder_ / "u.metal";
  EXPECT_EQ(refusal(std::string("\xff\xfei\0n\0t\0", 8)),
            "msci-lint: " + file +
                " is UTF-16 text; convert it to UTF-8: iconv -f UTF-16 -t UTF-8 '" + file + "'\n");
  EXPECT_TRUE(has(refusal(std::string("i\0n\0t\0 \0", 8)), "iconv -f UTF-16LE -t UTF-8"));
  EXPECT_TRUE(has(refusal(std::string("\0i\0n\0t\0 ", 8)), "iconv -f UTF-16BE -t UTF-8"));
  EXPECT_TRUE(has(refusal(std::string("MTLB\0\1\2\3\4\5", 10)), "is not text but binary"));
}

TEST_F(Messages, name_a_file_that_begins_with_dashes_as_a_file) {
  write("--fix", "kernel void f() {}\n");
  EXPECT_TRUE(has(lint_here("-- --fix").err, "put files before it: msci-lint ./--fix -- -DN=8"));
}

TEST_F(Messages, say_what_excludes_all_sources) {
  write(".msci.json", R"({"exclude": ["*.gen.metal"]})");
  const auto generated = write("src/a.gen.metal", "kernel void f() {}\n");
  EXPECT_TRUE(has(lint_here("src").err, ": its only .metal file is excluded by "));
  EXPECT_TRUE(has(lint_here("src").err, ".msci.json\n"));
  EXPECT_TRUE(has(lint_here("--exclude src/a.gen.metal src").err, "is excluded by --exclude\n"));
}

TEST_F(Messages, are_none_on_excluded_files_that_a_tool_names) {
  write(".msci.json", R"({"exclude": ["*.gen.metal", "third_party/"]})");
  write("a.gen.metal", "not metal\n");
  write("third_party/deep/b.metal", "not metal\n");
  const std::string names = "a.gen.metal third_party/deep/b.metal";
  EXPECT_EQ(lint_here(names).status, 1);
  const auto forced = lint_here("--force-exclude " + names);
  EXPECT_EQ(forced.status, 0) << forced.err;
  EXPECT_EQ(forced.out + forced.err, "");
  EXPECT_EQ(lint_here("--force-exclude " + names + " " + bad_).status, 1);
}

TEST_F(Messages, list_rules_in_columns_that_no_family_changes) {
  const auto all = lint("--list-rules").out;
  const auto family = lint("--explain metal").out;
  EXPECT_TRUE(has(all, family));
  EXPECT_TRUE(has(family, "metal.restrict                       error    safe fix    Finds C's"));
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(line.substr(35, 2), "  ") << line;
    EXPECT_EQ(line.find("Finds") == line.npos || line.find("Finds") >= 58, true) << line;
  }
}

TEST_F(Messages, of_help_name_the_values_and_hide_what_developers_need) {
  const auto help = lint("--help-all").out;
  EXPECT_TRUE(has(help, "--exclude PATTERN"));
  EXPECT_TRUE(has(help, "--std VERSION"));
  EXPECT_TRUE(has(help, "metal3.2, metal4.0,"));
  EXPECT_EQ(help.find("TEXT"), help.npos);
  EXPECT_EQ(help.find("--write-rule-index"), help.npos);
  const auto completions = lint("--print bash").out;
  EXPECT_TRUE(has(completions, "--std) mapfile -t COMPREPLY < <(compgen -W \"metal1.0 "));
  EXPECT_EQ(lint("--std macos-metal3.1 " + bad_).status, 1);  // a spelling that help leaves out
}

TEST_F(Messages, on_settings_list_a_folder_once) {
  write(".msci.json", "{}");
  const auto settings = Json::parse(lint_here("--show-config " + bad_).out);
  const auto& folders = settings["readable_folders"];
  EXPECT_EQ(std::set<std::string>(folders.begin(), folders.end()).size(), folders.size());
}

TEST_F(Messages, of_the_prebuilder_are_its_usage) {
  const auto help = run_command(program_path("msci-prebuild") + " --help", folder_);
  EXPECT_EQ(help.status, 0);
  EXPECT_TRUE(help.out.starts_with("Usage: msci-prebuild FOLDER"));
  const auto absent = run_command(program_path("msci-prebuild") + " absent", folder_);
  EXPECT_EQ(absent.status, 2);
  EXPECT_TRUE(has(absent.err, "name a folder that exists"));
}

}  // namespace
}  // namespace msci
