// Metal in the strings of hosts.
#include <filesystem>

#include "tests/lint/program/lint_program.h"

namespace msci {
namespace {

using Json = nlohmann::json;

const std::string good_kernel =
    "#include <metal_stdlib>\n"
    "kernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; "
    "}\n";
// The fault is at line 2, column 39 of the text.
const std::string bad_kernel =
    "#include <metal_stdlib>\n"
    "kernel void f(device float * restrict x [[buffer(0)]], uint i [[thread_position_in_grid]]) { "
    "x[i] = 1; }\n";

class Embedded : public LintProgram {
 protected:
  // The place and the message of the only finding.
  std::string only_finding(const std::string& file) const {
    const auto run = lint("--json --select metal " + file);
    const auto json = Json::parse(run.out, nullptr, false);
    if (json.is_discarded() || json["diagnostics"].size() != 1) return run.out + run.err;
    const auto& found = json["diagnostics"][0];
    return std::to_string(found["line"].get<int>()) + ":" +
           std::to_string(found["column"].get<int>()) + " " + found["rule"].get<std::string>();
  }
};

TEST_F(Embedded, findings_have_the_places_of_the_host) {
  const std::string found = "6:39 metal.restrict";
  const std::string lines = "\n\n\n\n";
  EXPECT_EQ(only_finding(write("a.metal", lines + bad_kernel)), found);
  EXPECT_EQ(only_finding(write("a.mm", lines + "NSString* s = @R\"(" + bad_kernel + ")\";\n")),
            found);
  EXPECT_EQ(only_finding(write("a.hpp", lines + "auto s = R\"metal(" + bad_kernel + ")metal\";\n")),
            found);
  EXPECT_EQ(only_finding(write("a.rs", lines + "const S: &str = r##\"" + bad_kernel + "\"##;\n")),
            found);
  EXPECT_EQ(only_finding(write("a.swift", lines + "let s = \"\"\"" + bad_kernel + "\"\"\"\n")),
            found);
  EXPECT_EQ(only_finding(write("a.py", lines + "s = '''" + bad_kernel + "'''\n")), found);
}

TEST_F(Embedded, the_line_of_the_host_is_shown) {
  const auto file =
      write("a.py", "x = \"it's\"  # '''\nsource = r\"\"\"" + bad_kernel + "\"\"\"\n");
  const auto run = lint("--select metal " + file);
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(has(run.out, "a.py:3:39: error: 'restrict' is a C keyword"));
  EXPECT_TRUE(has(run.out, "    kernel void f(device float * restrict x"));
}

TEST_F(Embedded, each_string_is_a_source_of_its_own) {
  const auto file = write("two.rs", "const A: &str = r#\"" + good_kernel +
                                        "\"#;\nconst B: &str = r#\"" + bad_kernel + "\"#;\n");
  const auto json = Json::parse(lint("--json --select metal " + file).out);
  EXPECT_EQ(json["diagnostics"].size(), 1u);
  EXPECT_EQ(json["diagnostics"][0]["line"], 5);
  EXPECT_EQ(json["checks"]["kernel_exists"]["kernels"], Json({"f", "f"}));
  EXPECT_EQ(lint("--kernel f " + file).status, 1);
  EXPECT_FALSE(has(lint("--kernel f " + file).out, "missing_kernel"));
}

TEST_F(Embedded, a_kernel_that_all_strings_lack_is_missing) {
  const auto file =
      write("two.py", "a = '''" + good_kernel + "'''\nb = '''" + good_kernel + "'''\n");
  EXPECT_EQ(lint("--kernel f " + file).status, 0);
  const auto run = lint("--kernel g " + file);
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(has(run.out, "1 file: 1 error"));
  EXPECT_TRUE(has(run.out, "degenerate.missing_kernel"));
}

TEST_F(Embedded, fixes_change_the_string_alone) {
  const std::string before = "// 'restrict' stays\nauto a = R\"(",
                    after = ")\";\nint restrict = 1;\n";
  const auto file = write("fix.cpp", before + bad_kernel + after);
  const auto twice = write("fix.swift", "let a = \"\"\"" + bad_kernel + "\"\"\"\nlet b = #\"\"\"" +
                                            bad_kernel + "\"\"\"#\n");
  EXPECT_EQ(lint("--fix --select metal " + file + " " + twice).status, 0);
  auto fixed = bad_kernel;
  fixed.replace(fixed.find("restrict"), 8, "__restrict");
  EXPECT_EQ(folder_.contents("fix.cpp"), before + fixed + after);
  EXPECT_EQ(folder_.contents("fix.swift"),
            "let a = \"\"\"" + fixed + "\"\"\"\nlet b = #\"\"\"" + fixed + "\"\"\"#\n");
}

TEST_F(Embedded, sarif_has_the_region_of_the_host) {
  const auto file = write("a.py", "\n\ns = '''" + bad_kernel + "'''\n");
  const auto sarif = Json::parse(lint("--format sarif --select metal " + file).out);
  const auto& result = sarif["runs"][0]["results"][0];
  const auto& region = result["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startLine"], 4);
  EXPECT_EQ(region["startColumn"], 39);
  const auto& replaced = result["fixes"][0]["artifactChanges"][0]["replacements"][0];
  EXPECT_EQ(replaced["deletedRegion"]["startLine"], 4);
}

TEST_F(Embedded, folders_find_hosts_with_metal) {
  std::filesystem::create_directories(folder_ / "src");
  write("src/a.swift", "let a = \"\"\"\n" + good_kernel + "\"\"\"\n");
  write("src/b.cpp", "int main() { return 0; }  // #include <metal_stdlib>\n");
  write("src/c.h", good_kernel);  // Metal itself, and no string
  write("src/d.metal", good_kernel);
  EXPECT_TRUE(has(lint("--select metal " + (folder_ / "src")).out, "2 files: nothing found"));
}

TEST_F(Embedded, a_host_without_metal_gets_a_note) {
  const auto run = lint(write("a.py", "print('''kernel''')\n"));
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(has(run.out, "no Metal in it"));
  // Tools pass the names of all files that have changed.
  EXPECT_EQ(lint_here("--select metal a.py " + write("k.metal", good_kernel)).out,
            "1 file: nothing found\n");
  EXPECT_EQ(lint_here("--select metal none.py k.metal").status, 2);
  // C++ and its headers may be Metal themselves.
  EXPECT_EQ(lint("--select metal " + write("k.h", good_kernel)).status, 0);
}

TEST_F(Embedded, baselines_know_the_lines_of_the_host) {
  const auto file = write(
      "a.rs", "const A: &str = r#\"" + good_kernel +
                  "kernel void g(device float* x [[buffer(0)]]) { x[0] = x[1] / 3.0; }\n\"#;\n");
  EXPECT_EQ(lint("--write-baseline " + (folder_ / "known.json") + " " + file).status, 0);
  EXPECT_TRUE(
      has(lint("--baseline " + (folder_ / "known.json") + " " + file).out, "nothing found"));
}

// Errors of a text that the host does not compile as it stands would be errors of msci-lint.
TEST_F(Embedded, texts_that_a_host_changes_get_a_note) {
  const std::string part =
      "#include <metal_stdlib>\nkernel void f(device T* x [[buffer(0)]]) { helper(x); }\n";
  const std::string raw = "R\"(" + part + ")\"", triple = "\"\"\"" + part + "\"\"\"",
                    rust = "r#\"" + part + "\"#";
  const std::vector<std::pair<std::string, std::string>> hosts = {
      {"a.cpp", "auto s = std::string(" + raw + ") + helper;\n"},
      {"b.cpp", "void f() { stream << " + raw + " << n; }\n"},
      {"c.cpp", "auto s = fmt::format(" + raw + ", n);\n"},
      {"d.mm", "id s = [NSString stringWithFormat:@" + raw + ", n];\n"},
      {"e.cpp", "auto s = header + " + raw + ";\n"},
      {"f.cpp", "const char* s = " + raw + " MORE;\n"},
      {"g.py", "s = " + triple + " % n\n"},
      {"h.py", "s = textwrap.dedent(" + triple + ").format(n)\n"},
      {"i.py", "S = " + triple + "\nt = header + S\n"},
      {"j.py", "S = " + triple + "\nt = f'{S}{n}'\n"},
      {"k.py", "s = Template(" + triple + ")\n"},
      {"l.rs", "let s = format!(" + rust + ", n);\n"},
      {"m.rs", "const S: &str = " + rust + ";\nfn f() { S.replace(\"T\", \"float\"); }\n"},
      {"n.rs", "let s = concat!(" + rust + ", \"x\");\n"},
      {"o.swift", "let s = " + triple + "\nlet t = \"\\(s)\\(n)\"\n"},
      {"p.swift", "let s = " + triple + ".replacingOccurrences(of: \"T\", with: \"float\")\n"},
  };
  for (const auto& [name, text] : hosts) {
    const auto run = lint("--select metal,lint " + write(name, text));
    EXPECT_EQ(run.status, 0) << name << "\n" << run.out << run.err;
    EXPECT_TRUE(has(run.out, "1 file: 0 errors, 0 warnings, 1 note")) << name;
  }
}

const std::string macro_kernel =
    "#include <metal_stdlib>\n#define SIZE \\\n64\\\n\n#define DOUBLED(T) \\\n"
    "kernel void doubled_##T(device T* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\\\n"
    "  x[i] = SIZE * x[i];\\\n}\nDOUBLED(float)\nstatic_assert(SIZE == 64, \"as in the text\");\n";

TEST_F(Embedded, lines_of_macros_go_on_in_raw_strings) {
  EXPECT_EQ(lint("--select metal " + write("a.metal", macro_kernel)).status, 0);
  EXPECT_EQ(lint("--select metal " + write("a.cpp", "auto s = R\"(" + macro_kernel + ")\";\n")).out,
            "1 file: nothing found\n");
  EXPECT_EQ(
      lint("--select metal " + write("a.swift", "let s = #\"\"\"\n" + macro_kernel + "\"\"\"#\n"))
          .out,
      "1 file: nothing found\n");
}

// Swift measures the indentation of each line.
TEST_F(Embedded, fixes_add_lines_where_the_host_takes_them) {
  const std::string misplaced =
      "\n  #include <metal_stdlib>\n  kernel void f(device float* x [[buffer(0)]], uint i "
      "[[thread_position_in_grid]]) [[max_total_threads_per_threadgroup(256)]] { x[i] = 1; }\n  ";
  const auto fix = "--fix --select metal ";
  const auto swift = "let s = \"\"\"" + misplaced + "\"\"\"\n";
  lint(fix + write("a.swift", swift));
  EXPECT_EQ(folder_.contents("a.swift"), swift);
  auto lines = "auto s = R\"(" + misplaced + ")\";\n";
  EXPECT_EQ(lint(fix + write("a.cpp", lines)).status, 0);
  EXPECT_TRUE(has(folder_.contents("a.cpp"), "[[max_total_threads_per_threadgroup(256)]]\nkernel"));
  for (std::size_t at = 0; (at = lines.find('\n', at)) != lines.npos; at += 2)
    lines.insert(at, "\r");
  lint(fix + write("crlf.cpp", lines));
  EXPECT_EQ(folder_.contents("crlf.cpp"), lines);
}

TEST_F(Embedded, docstrings_are_no_sources) {
  const auto docstring = "\"\"\"Kernels.\n\n" + bad_kernel + "\"\"\"\n";
  std::filesystem::create_directories(folder_ / "src");
  write("src/k.metal", good_kernel);
  write("src/a.py", docstring + "def f():\n  " + docstring + "  return g(\n'x')\n");
  EXPECT_EQ(lint("--select metal " + (folder_ / "src")).out, "1 file: nothing found\n");
  // An argument can begin a line, too.
  EXPECT_EQ(only_finding(write("b.py", "f(\n'''" + bad_kernel + "'''\n)\n")),
            "3:39 metal.restrict");
}

// A macro can come from another file of the host.
TEST_F(Embedded, unknown_names_are_errors_where_the_whole_source_is_known) {
  const std::string tile =
      "\"\"\"\n#include <metal_stdlib>\nkernel void f(device float* x [[buffer(0)]]) { x[0] = "
      "TILE; "
      "}\n\"\"\"";
  const auto found = [&](const std::string& name, const std::string& text) {
    return lint("--select metal,lint " + write(name, text)).out;
  };
  EXPECT_TRUE(has(found("a.swift", "let s = " + tile + "\n"),
                  "this Metal source is not checked: it needs 'TILE', which the host may define"));
  const auto made = [&](const std::string& options) {
    return "let s = " + tile + "\nlet l = d.makeLibrary(source: s, options: " + options + ")\n";
  };
  EXPECT_TRUE(has(found("b.swift", made("options")), "which the host may define"));
  EXPECT_TRUE(has(found("c.swift", made("nil")), "error: use of undeclared identifier 'TILE'"));
  EXPECT_TRUE(has(found("d.py", "l = torch.mps.compile_shader(" + tile + ")\n"),
                  "error: use of undeclared identifier 'TILE'"));
}

// A string that is not checked may have what the others lack.
TEST_F(Embedded, a_kernel_may_be_in_a_string_that_is_not_checked) {
  const auto file =
      write("part.swift", "let a = \"\"\"\n" + good_kernel + "\"\"\"\nlet b = \"\"\"\n" +
                              good_kernel + "\\(more)\n\"\"\"\n");
  EXPECT_FALSE(has(lint("--kernel g " + file).out, "missing_kernel"));
}

TEST_F(Embedded, long_runs_of_signs_take_little_time) {
  std::filesystem::create_directories(folder_ / "src");
  write("src/k.metal", good_kernel);
  write("src/a.swift", "// <metal_\n" + std::string(3'000'000, '#'));
  std::string quotes = "// <metal_\n";
  for (int i = 0; i < 700'000; ++i) quotes += "R\"x\"\n";
  write("src/b.cpp", quotes);
  const auto run = run_command("cd " + (folder_ / "src") + " && timeout 60 " +
                                   program_path("msci-lint") + " --select metal .",
                               folder_);
  EXPECT_EQ(run.out, "1 file: nothing found\n");
}

TEST_F(Embedded, hostile_hosts_do_no_harm) {
  const std::string start =
      "#include <metal_stdlib>\nkernel void f(device float* x [[buffer(0)]]) {}\n";
  std::string deep, many;
  for (int i = 0; i < 200'000; ++i) deep += "\"\\(";
  for (int i = 0; i < 300; ++i) many += "s = '''" + start + "'''\n";
  // Without an end, in invalid UTF-8, in values within values, and too many.
  EXPECT_TRUE(has(lint(write("open.py", "s = '''" + start)).out, "its end is missing"));
  EXPECT_TRUE(has(lint(write("open.cpp", "auto s = R\"(" + start)).out, "its end is missing"));
  EXPECT_EQ(lint(write("utf.rs", "const S: &str = r\"\xff\xfe" + start + "\";\n")).status, 1);
  EXPECT_EQ(lint(write("deep.swift", "let s = \"\"\"" + start + deep)).status, 0);
  const auto run = lint("--select metal " + write("many.py", many));
  EXPECT_EQ(run.status, 2);
  EXPECT_TRUE(has(run.err, "more than 200 Metal sources")) << run.err;
}

}  // namespace
}  // namespace msci
