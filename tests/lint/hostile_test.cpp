// Source text that attacks the tool: it ends in a finding, in time, and in little memory.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "tests/lint/folder.h"

namespace msci {
namespace {

using Json = nlohmann::json;

constexpr std::size_t million = 1'000'000;
constexpr double most_seconds = 10;  // of processor time: the machine may have more to do
constexpr long most_kilobytes = 1'000'000;

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
  std::string (*text)();  // made when it is wanted: many are large
};

void PrintTo(const Attack& attack, std::ostream* out) { *out << attack.name; }

std::vector<Attack> all_attacks() {
  return {
      {"include_absolute", [] { return std::string("#include \"/etc/passwd\"\n"); }},
      {"include_system", [] { return std::string("#include <stdio.h>\n"); }},
      {"include_parent", [] { return std::string("#include \"../../../../../../etc/passwd\"\n"); }},
      {"include_endless_device", [] { return std::string("#include \"/dev/zero\"\n"); }},
      {"include_terminal", [] { return std::string("#include \"/dev/tty\"\n"); }},
      {"include_process", [] { return std::string("#include \"/proc/self/environ\"\n"); }},
      {"include_pipe", [] { return std::string("#include \"$PIPE\"\n"); }},
      {"include_itself",
       [] { return std::string("#include __FILE__\n" + kernel_with("x[i] = 1;")); }},
      {"include_next",
       [] { return std::string("#include_next <metal_stdlib>\n#include_next \"/etc/passwd\"\n"); }},
      {"import_absolute", [] { return std::string("#import \"/etc/passwd\"\n"); }},
      {"embed_absolute",
       [] { return std::string("constant char a[] = {\n#embed \"/etc/passwd\"\n};\n"); }},
      {"embed_endless",
       [] { return std::string("constant char a[] = {\n#embed \"/dev/zero\"\n};\n"); }},
      {"embed_pipe", [] { return std::string("constant char a[] = {\n#embed \"$PIPE\"\n};\n"); }},
      {"asks_for_a_file",
       [] {
         return std::string("#if __has_include(\"/etc/passwd\")\n#endif\n" +
                            kernel_with("x[i] = 1;"));
       }},
      {"module", [] { return std::string("#pragma clang module import std\n@import std;\n"); }},
      {"template_recursion",
       [] {
         return std::string(
             "template <int n> struct A { static constexpr constant int v = A<n + 1>::v; };\n" +
             kernel_with("x[i] = A<0>::v;"));
       }},
      {"template_explosion",
       [] {
         return std::string(
             "template <int n, int m> struct A { static constexpr int v() { return A<n - 1, 2 * "
             "m>::v() + "
             "A<n - 1, 2 * m + 1>::v(); } };\n"
             "template <int m> struct A<0, m> { static constexpr int v() { return m; } };\n" +
             kernel_with("x[i] = A<28, 0>::v();"));
       }},
      {"template_names",
       [] {
         return std::string(
             "template <class T, class U> struct P {};\n"
             "template <int n> struct A { using T = P<typename A<n - 1>::T, typename A<n - 1>::T>; "
             "};\n"
             "template <> struct A<0> { using T = int; };\n"
             "template <class T> void g(device int* x) { x[0] = T(); }\n" +
             kernel_with("g<A<40>::T>(x);"));
       }},
      {"constexpr_endless",
       [] {
         return std::string(
             "constexpr int f() { int n = 0; for (;;) n ^= 1; return n; }\nconstant int v = f();\n"
             "static_assert(f() == 1);\n");
       }},
      {"constexpr_recursion",
       [] {
         return std::string(
             "constexpr int f(int n) { return n ? f(n - 1) + f(n - 1) : 1; "
             "}\nstatic_assert(f(400));\n");
       }},
      {"constexpr_memory",
       [] {
         return std::string(
             "struct S { int a[100000000]; };\nconstexpr int f() { S s{}; S t = s; return t.a[5]; "
             "}\n"
             "static_assert(f() == 1);\n");
       }},
      {"array_initialised",
       [] {
         return std::string(
             "constant int a[1 << 28] = {};\nconstant int b = a[5];\n"
             "static_assert(sizeof(a) == 1);\n");
       }},
      {"array_huge",
       [] { return std::string(kernel_with("int a[1ul << 40][1ul << 40]; x[i] = a[i][i];")); }},
      {"designator_far",
       [] {
         return std::string(
             "constant int a[] = {[1 << 29] = 1};\nstatic_assert(sizeof(a) == 1);\n");
       }},
      {"vector_huge",
       [] { return std::string("typedef int V __attribute__((vector_size(1 << 30)));\nV v;\n"); }},
      {"integer_wide",
       [] {
         return std::string(
             "constexpr unsigned _BitInt(8388608) a = ~(unsigned _BitInt(8388608))0;\n"
             "static_assert(a * a * a % 7 == 9);\n");
       }},
      {"macro_laughs", [] { return std::string(laughs(9, "1 +") + kernel_with("x[i] = L9 0;")); }},
      {"macro_laughs_in_a_string",
       [] {
         return std::string(laughs(8, "aaaaaaaaaa") +
                            "#define S_(x) #x\n#define S(x) S_(x)\nconstant char a[] = S(L8);\n");
       }},
      {"macro_laughs_in_a_condition",
       [] { return std::string(laughs(9, "1 +") + "#if L9 0\n#endif\nint a = ;\n"); }},
      {"nested_parentheses",
       [] {
         return std::string(
             kernel_with("x[i] = " + repeated("(", million) + "1" + repeated(")", million) + ";"));
       }},
      {"nested_brackets",
       [] { return std::string("constant int a" + repeated("[", million) + "\n"); }},
      {"nested_braces",
       [] { return std::string(kernel_with(repeated("{", million) + repeated("}", million))); }},
      {"nested_initialisers",
       [] {
         return std::string("constant int a = " + repeated("{", million) + "1" +
                            repeated("}", million) + ";\n");
       }},
      {"nested_angles",
       [] {
         return std::string("template <class T> struct A {};\n" + repeated("A<", million) + "int" +
                            repeated(">", million) + " a;\n");
       }},
      {"nested_ifs", [] { return std::string(kernel_with(repeated("if (i) ", million) + ";")); }},
      {"nested_elses",
       [] {
         return std::string(
             kernel_with(repeated("if (i == 3) x[i] = 1; else ", million / 4) + ";"));
       }},
      {"nested_conditions", [] { return std::string(repeated("#if 1\n", million)); }},
      {"nested_blocks_of_names", [] { return std::string(repeated("namespace a {", million)); }},
      {"nested_structs", [] { return std::string(repeated("struct A {", million)); }},
      {"nested_casts",
       [] { return std::string(kernel_with("x[i] = " + repeated("(int)", million) + "1;")); }},
      {"long_minus",
       [] { return std::string(kernel_with("x[i] = " + repeated("- ", million) + "1;")); }},
      {"long_sum",
       [] {
         return std::string(kernel_with("x[i] = 1" + repeated(" + 1", million) + ";\n int a = ;"));
       }},
      {"long_question",
       [] { return std::string(kernel_with("x[i] = " + repeated("i ? 1 : ", million) + "1;")); }},
      {"long_assignment",
       [] { return std::string(kernel_with("int a; " + repeated("a = ", million) + "1;")); }},
      {"long_pointer",
       [] { return std::string(kernel_with("int " + repeated("*", million) + " a;")); }},
      {"long_list",
       [] {
         return std::string("constant int a[] = {" + repeated("1,", 4 * million) +
                            "};\nint b = ;\n");
       }},
      {"long_string",
       [] { return std::string("constant char a[] = \"" + repeated("a", 10 * million) + "\n"); }},
      {"long_name", [] { return std::string("int " + repeated("a", 10 * million) + " = ;\n"); }},
      {"many_errors", [] { return std::string(repeated("int = ;\n", million)); }},
      {"many_declarations",
       [] { return std::string(repeated("void f(int);\n", million) + "int a = ;\n"); }},
      {"many_attributes",
       [] { return std::string("kernel " + repeated("[[a]] ", million) + "void f() {}\n"); }},
      {"many_lines_joined",
       [] { return std::string("int a = " + repeated("\\\n", 4 * million) + ";\n"); }},
      {"comment_open",
       [] { return std::string(kernel_with("x[i] = 1;") + "/*" + repeated("*", 10 * million)); }},
      {"pragma_many",
       [] {
         return std::string(repeated("#pragma clang diagnostic push\n", million / 4) +
                            "int a = ;\n");
       }},
      {"goto_many",
       [] {
         return std::string(kernel_with([] {
           std::string text;
           for (int i = 0; i < 20000; ++i)
             text += "l" + std::to_string(i) + ": goto l" + std::to_string(19999 - i) + ";\n";
           return text;
         }()));
       }},
      {"functions_calling_each_other",
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
  double seconds = 0;  // of processor time, all its processes together
  long kilobytes = 0;  // of the largest of them
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
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
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss};
}

class Hostile : public testing::TestWithParam<Attack> {};

TEST_P(Hostile, source_ends_in_a_finding) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  auto text = GetParam().text();
  if (const auto at = text.find("$PIPE"); at != std::string::npos)
    text.replace(at, 5, folder / "pipe");
  const auto file = folder.write("attack.metal", text);
  const auto tool =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "msci-lint").string();
  text = {};
  const auto outcome = run(tool, {"--json", file}, folder / "out");
  const auto json = Json::parse(folder.contents("out"), nullptr, /*allow_exceptions=*/false);
  ASSERT_FALSE(json.is_discarded()) << "exit status " << outcome.status;
  EXPECT_EQ(outcome.status, json["valid"] == true ? 0 : 1);
  ASSERT_FALSE(json["diagnostics"].empty());
  EXPECT_LT(outcome.seconds, most_seconds);
  EXPECT_LT(outcome.kilobytes, most_kilobytes);
  std::cout << json["diagnostics"][0]["rule"] << " " << outcome.seconds << " s, "
            << outcome.kilobytes / 1000 << " MB\n";
}

INSTANTIATE_TEST_SUITE_P(Attacks, Hostile, testing::ValuesIn(all_attacks()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace msci
