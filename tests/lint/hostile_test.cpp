// Sources that attack the tool: each ends in the expected finding and within the memory limit, and
// no other file is read. The tool limits its own time; a hang is ctest's timeout.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "base/json.h"
#include "tests/support/run_program.h"

namespace msci {
namespace {

using Json = nlohmann::json;

constexpr std::size_t million = 1'000'000;
constexpr long max_kilobytes = 1'000'000;

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string kernel_with(const std::string& body) {
  return "#include <metal_stdlib>\nusing namespace metal;\n"
         "kernel void f(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n" +
         body + "\n}\n";
}

// A macro of 10^levels copies of the innermost.
std::string laughs(int levels, const std::string& innermost) {
  std::string text = "#define L0 " + innermost + "\n";
  for (int i = 1; i <= levels; ++i)
    text += "#define L" + std::to_string(i) + " " +
            repeated("L" + std::to_string(i - 1) + " ", 10) + "\n";
  return text;
}

struct Attack {
  const char* name;
  const char* rule;       // that must report it; instead of security.limit, a limit of ours may
  std::string (*text)();  // made when it is wanted: many are large
  bool or_limit = false;  // a slow machine reaches the time limit before that rule
};

void PrintTo(const Attack& attack, std::ostream* out) { *out << attack.name; }

std::vector<Attack> all_attacks() {
  return {
      {"templates_in_templates", "metal.compile_error",
       [] {
         return "using namespace metal;\n" +
                repeated("template <class T> struct S<vec<T,2>> {", 1500) + repeated("};", 1500);
       },
       true},
      {"include_absolute", "security.include",
       [] { return std::string("#include \"/etc/passwd\"\n"); }},
      {"include_system", "security.include", [] { return std::string("#include <stdio.h>\n"); }},
      {"include_parent", "security.include",
       [] { return std::string("#include \"../../../../../../etc/passwd\"\n"); }},
      {"include_endless_device", "security.include",
       [] { return std::string("#include \"/dev/zero\"\n"); }},
      {"include_terminal", "security.include",
       [] { return std::string("#include \"/dev/tty\"\n"); }},
      {"include_process", "security.include",
       [] { return std::string("#include \"/proc/self/environ\"\n"); }},
      {"include_pipe", "security.include", [] { return std::string("#include \"$PIPE\"\n"); }},
      {"include_itself", "security.limit",
       [] { return std::string("#include __FILE__\n" + kernel_with("x[i] = 1;")); }},
      {"include_next", "security.include",
       [] { return std::string("#include_next <metal_stdlib>\n#include_next \"/etc/passwd\"\n"); }},
      {"import_absolute", "security.include",
       [] { return std::string("#import \"/etc/passwd\"\n"); }},
      {"embed_absolute", "security.include",
       [] { return std::string("constant char a[] = {\n#embed \"/etc/passwd\"\n};\n"); }},
      {"embed_endless", "security.include",
       [] { return std::string("constant char a[] = {\n#embed \"/dev/zero\"\n};\n"); }},
      {"embed_pipe", "security.include",
       [] { return std::string("constant char a[] = {\n#embed \"$PIPE\"\n};\n"); }},
      {"asks_for_a_file", "security.include",
       [] {
         return std::string("#if __has_include(\"/etc/passwd\")\n#endif\n" +
                            kernel_with("x[i] = 1;"));
       }},
      // The marker compiles, so only its access time shows that it was read.
      {"marker_absolute", "security.include",
       [] { return "#include \"$MARKER\"\n" + kernel_with("x[i] = marker;"); }},
      // A symbolic link beside the source that leads out of its folder.
      {"marker_by_a_link", "security.include",
       [] { return "#include \"link.metal\"\n" + kernel_with("x[i] = marker;"); }},
      {"marker_above", "security.include",
       [] { return "#include \"../../$FOLDER/marker.metal\"\n" + kernel_with("x[i] = marker;"); }},
      {"marker_in_angles", "security.include",
       [] { return "#include <$MARKER>\n" + kernel_with("x[i] = marker;"); }},
      {"marker_by_a_macro", "security.include",
       [] { return "#define FILE \"$MARKER\"\n#include FILE\n" + kernel_with("x[i] = marker;"); }},
      {"marker_imported", "security.include",
       [] { return "#import \"$MARKER\"\n" + kernel_with("x[i] = marker;"); }},
      {"marker_included_next", "security.include",
       [] { return "#include_next \"$MARKER\"\n" + kernel_with("x[i] = marker;"); }},
      {"marker_embedded", "security.include",
       [] {
         return "constant unsigned char all[] = {\n#embed \"$MARKER\"\n};\n" +
                kernel_with("x[i] = all[i & 1];");
       }},
      {"marker_asked_for", "security.include",
       [] {
         return "#if __has_include(\"$MARKER\")\nconstant int marker = 1;\n#else\n"
                "constant int marker = 2;\n#endif\n" +
                kernel_with("x[i] = marker;");
       }},
      // Files beside the source are searched for a name that it does not know.
      {"marker_by_its_name", "metal.unknown_function",
       [] { return kernel_with("x[i] = marker;"); }},
      {"module", "metal.compile_error",
       [] { return std::string("#pragma clang module import std\n@import std;\n"); }},
      {"template_recursion", "security.limit",
       [] {
         return std::string(
             "template <int n> struct A { static constexpr constant int v = A<n + 1>::v; };\n" +
             kernel_with("x[i] = A<0>::v;"));
       }},
      {"template_explosion", "security.limit",
       [] {
         return std::string(
             "template <int n, int m> struct A { static constexpr int v() { return A<n - 1, 2 * "
             "m>::v() + "
             "A<n - 1, 2 * m + 1>::v(); } };\n"
             "template <int m> struct A<0, m> { static constexpr int v() { return m; } };\n" +
             kernel_with("x[i] = A<28, 0>::v();"));
       }},
      {"template_names", "security.limit",
       [] {
         return std::string(
             "template <class T, class U> struct P {};\n"
             "template <int n> struct A { using T = P<typename A<n - 1>::T, typename A<n - 1>::T>; "
             "};\n"
             "template <> struct A<0> { using T = int; };\n"
             "template <class T> void g(device int* x) { x[0] = T(); }\n" +
             kernel_with("g<A<40>::T>(x);"));
       }},
      {"constexpr_endless", "security.limit",
       [] {
         return std::string(
             "constexpr int f() { int n = 0; for (;;) n ^= 1; return n; }\nconstant int v = f();\n"
             "static_assert(f() == 1);\n");
       }},
      {"constexpr_recursion", "security.limit",
       [] {
         return std::string(
             "constexpr int f(int n) { return n ? f(n - 1) + f(n - 1) : 1; "
             "}\nstatic_assert(f(400));\n");
       }},
      {"constexpr_memory", "metal.compile_error",
       [] {
         return std::string(
             "struct S { int a[100000000]; };\nconstexpr int f() { S s{}; S t = s; return t.a[5]; "
             "}\n"
             "static_assert(f() == 1);\n");
       }},
      {"array_initialised", "metal.compile_error",
       [] {
         return std::string(
             "constant int a[1 << 28] = {};\nconstant int b = a[5];\n"
             "static_assert(sizeof(a) == 1);\n");
       }},
      {"array_huge", "metal.compile_error",
       [] { return std::string(kernel_with("int a[1ul << 40][1ul << 40]; x[i] = a[i][i];")); }},
      {"designator_far", "security.limit",
       [] {
         return std::string(
             "constant int a[] = {[1 << 29] = 1};\nstatic_assert(sizeof(a) == 1);\n");
       }},
      {"vector_huge", "metal.compile_error",
       [] {
         return std::string(
             "typedef int V __attribute__((vector_size(1 << 30)));\nV v;\nint a = ;\n");
       }},
      {"integer_wide", "metal.compile_error",
       [] {
         return std::string(
             "constexpr unsigned _BitInt(8388608) a = ~(unsigned _BitInt(8388608))0;\n"
             "static_assert(a * a * a % 7 == 9);\n");
       }},
      // Long, but no attack: what a term is part of must not be looked up anew for each.
      {"long_sum_of_calls", "slow.division_in_loop",
       [] {
         return "int g(int n) { return n; }\n" +
                kernel_with("for (int n = x[1]; n > 1; --n) x[i] = x[i] / n" +
                            repeated(" + g(n)", 6000) + ";");
       }},
      {"long_sum_of_divisions", "slow.division_in_loop",
       [] {
         return kernel_with("threadgroup int y[9]; for (int n = x[1]; n > 1; --n) x[i] = y[i]" +
                            repeated(" + x[i] / n", 4000) + ";");
       }},
      {"many_branches", "slow.division_in_loop",
       [] {
         return kernel_with("threadgroup int y[9]; int a = y[i]; for (int n = x[1]; n > 1; --n) {" +
                            repeated("if (a > n) a = a / n;\n", 8000) + "} x[i] = a;");
       }},
      {"macro_laughs", "security.limit",
       [] { return std::string(laughs(9, "1 +") + kernel_with("x[i] = L9 0;")); }},
      {"macro_laughs_in_a_string", "security.limit",
       [] {
         return std::string(laughs(8, "aaaaaaaaaa") +
                            "#define S_(x) #x\n#define S(x) S_(x)\nconstant char a[] = S(L8);\n");
       }},
      {"macro_laughs_in_a_condition", "security.limit",
       [] { return std::string(laughs(9, "1 +") + "#if L9 0\n#endif\nint a = ;\n"); }},
      {"nested_parentheses", "security.limit",
       [] {
         return std::string(
             kernel_with("x[i] = " + repeated("(", million) + "1" + repeated(")", million) + ";"));
       }},
      {"nested_brackets", "metal.compile_error",
       [] { return std::string("constant int a" + repeated("[", million) + "\n"); }},
      {"nested_braces", "security.limit",
       [] { return std::string(kernel_with(repeated("{", million) + repeated("}", million))); }},
      {"nested_initialisers", "security.limit",
       [] {
         return std::string("constant int a = " + repeated("{", million) + "1" +
                            repeated("}", million) + ";\n");
       }},
      {"nested_angles", "security.limit",
       [] {
         return std::string("template <class T> struct A {};\n" + repeated("A<", million) + "int" +
                            repeated(">", million) + " a;\n");
       }},
      {"nested_ifs", "security.limit",
       [] { return std::string(kernel_with(repeated("if (i) ", million) + ";")); }},
      {"nested_elses", "security.limit",
       [] {
         return std::string(
             kernel_with(repeated("if (i == 3) x[i] = 1; else ", million / 4) + ";"));
       }},
      {"nested_conditions", "metal.compile_error",
       [] { return std::string(repeated("#if 1\n", million)); }, /*or_limit=*/true},
      {"nested_blocks_of_names", "security.limit",
       [] { return std::string(repeated("namespace a {", million)); }},
      {"nested_structs", "security.limit",
       [] { return std::string(repeated("struct A { struct B {", million / 2)); }},
      {"nested_casts", "security.limit",
       [] { return std::string(kernel_with("x[i] = " + repeated("(int)", million) + "1;")); }},
      {"long_minus", "security.limit",
       [] { return std::string(kernel_with("x[i] = " + repeated("- ", million) + "1;")); }},
      {"long_sum", "security.limit",
       [] {
         return std::string(kernel_with("x[i] = 1" + repeated(" + 1", million) + ";\n int a = ;"));
       }},
      {"long_question", "security.limit",
       [] { return std::string(kernel_with("x[i] = " + repeated("i ? 1 : ", million) + "1;")); }},
      {"long_assignment", "security.limit",
       [] { return std::string(kernel_with("int a; " + repeated("a = ", million) + "1;")); }},
      {"long_pointer", "security.limit",
       [] { return std::string(kernel_with("int " + repeated("*", million) + " a;")); }},
      {"long_list", "security.limit",
       [] {
         return std::string("constant int a[] = {" + repeated("1,", 4 * million) +
                            "};\nint b = ;\n");
       }},
      {"long_string", "metal.compile_error",
       [] { return std::string("constant char a[] = \"" + repeated("a", 10 * million) + "\n"); }},
      {"long_name", "metal.program_scope_constant",
       [] { return std::string("int " + repeated("a", 10 * million) + " = ;\n"); }},
      {"many_errors", "metal.compile_error",
       [] { return std::string(repeated("int = ;\n", million)); }, /*or_limit=*/true},
      {"many_declarations", "security.limit",
       [] { return std::string(repeated("void f(int);\n", million) + "int a = ;\n"); }},
      {"many_attributes", "metal.misplaced_attribute",
       [] { return std::string("kernel " + repeated("[[a]] ", million) + "void f() {}\n"); },
       /*or_limit=*/true},
      {"many_lines_joined", "security.limit",
       [] { return std::string("int a = " + repeated("\\\n", 4 * million) + ";\n"); }},
      {"comment_open", "metal.compile_error",
       [] { return std::string(kernel_with("x[i] = 1;") + "/*" + repeated("*", 10 * million)); }},
      {"pragma_many", "metal.program_scope_constant",
       [] {
         return std::string(repeated("#pragma clang diagnostic push\n", million / 4) +
                            "int a = ;\n");
       }},
      {"goto_many", "metal.goto_statement",
       [] {
         return std::string(kernel_with([] {
           std::string text;
           for (int i = 0; i < 20000; ++i)
             text += "l" + std::to_string(i) + ": goto l" + std::to_string(19999 - i) + ";\n";
           return text;
         }()));
       }},
      {"functions_calling_each_other", "metal.compile_error",
       []() -> std::string {
         std::string text = "int f0(int x) { return x; }\n";
         for (int i = 1; i < 30; ++i) {
           const auto last = "f" + std::to_string(i - 1) + "(x)";
           text += "int f" + std::to_string(i) + "(int x) { return " + last + " + " + last + " + " +
                   last + "; }\n";
         }
         return text + kernel_with("half double = f29(i);");
       }},
  };
}

struct Outcome {
  int status = -1;
  long kilobytes = 0;  // of the largest of them
};

// A file that compiles without a finding; its access time shows whether it was read.
struct Marker {
  static constexpr const char* word = "marker_was_read";
  std::string path;

  explicit Marker(const Folder& folder)
      : path(folder.write("marker.metal", std::string("constant int marker = 1;  // ") + word)) {
    // Before the last change, so that the next one who reads it is noted ("relatime", too).
    const timespec times[] = {{.tv_sec = 1}, {.tv_nsec = UTIME_OMIT}};
    EXPECT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }
  bool was_read() const {
    struct stat now{};
    EXPECT_EQ(::stat(path.c_str(), &now), 0);
    return now.st_atim.tv_sec != 1;
  }
};

void replace(std::string& text, std::string_view word, const std::string& by) {
  if (const auto at = text.find(word); at != std::string::npos) text.replace(at, word.size(), by);
}

// Runs a program to its end.
Outcome run(const std::string& program, const std::vector<std::string>& arguments,
            const std::string& out) {
  const auto child = ::fork();
  if (child == 0) {
    const int file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, STDOUT_FILENO);
    std::vector<char*> words{const_cast<char*>(program.c_str())};
    for (const auto& each : arguments) words.push_back(const_cast<char*>(each.c_str()));
    words.push_back(nullptr);
    ::execv(program.c_str(), words.data());
    ::_exit(127);
  }
  int status = 0;
  rusage used{};
  ::wait4(child, &status, 0, &used);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, used.ru_maxrss};
}

class Hostile : public testing::TestWithParam<Attack> {};

TEST_P(Hostile, source_ends_in_the_finding_that_it_should) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  auto text = GetParam().text();
  const Folder outside;  // files beside the source may be included
  const Marker marker(outside);
  const auto file = folder / "source/attack.metal";  // files above its folder are searched, too
  std::filesystem::create_directory(folder / "source");
  std::filesystem::create_symlink(marker.path, folder / "source/link.metal");
  replace(text, "$PIPE", folder / "pipe");
  replace(text, "$MARKER", marker.path);
  replace(text, "$FOLDER", std::filesystem::path(marker.path).parent_path().filename());
  folder.write("source/attack.metal", text);
  const auto tool = program_path("msci-lint");
  text = {};
  const std::string rule = GetParam().rule;
  const bool may_be_limited = rule == "security.limit" || GetParam().or_limit;
  std::vector<std::string> arguments{"--json", file};
  if (may_be_limited) arguments.insert(arguments.end(), {"--time-limit", "3"});
  const auto outcome = run(tool, arguments, folder / "out");
  const auto json = Json::parse(folder.contents("out"), nullptr, /*allow_exceptions=*/false);
  ASSERT_FALSE(json.is_discarded()) << "exit status " << outcome.status;
  const bool limited = !json["error"].is_null();
  EXPECT_EQ(outcome.status, limited ? 2 : json["valid"] == true ? 0 : 1);
  std::set<std::string> rules;
  for (const auto& each : json["diagnostics"]) rules.insert(each["rule"]);
  EXPECT_TRUE((limited && may_be_limited) || rules.contains(rule)) << json.dump(2).substr(0, 2000);
  EXPECT_FALSE(marker.was_read());
  EXPECT_EQ(folder.contents("out").find(Marker::word), std::string::npos);
  EXPECT_EQ(folder.contents("out").find("is defined in"), std::string::npos);
  EXPECT_LT(outcome.kilobytes, max_kilobytes);
}

TEST(Marker, knows_who_reads_it) {
  const Folder folder;
  const Marker marker(folder);
  ASSERT_FALSE(marker.was_read());
  EXPECT_FALSE(folder.contents("marker.metal").empty());
  if (!marker.was_read()) GTEST_SKIP() << "this file system notes no reading";
}

INSTANTIATE_TEST_SUITE_P(Attacks, Hostile, testing::ValuesIn(all_attacks()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace msci
