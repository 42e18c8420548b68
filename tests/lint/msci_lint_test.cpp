// msci-lint as its users meet it: arguments in; output and exit status out.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* good =
    "#include <metal_stdlib>\n"
    "using namespace metal;\n"
    "kernel void saxpy(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
    "  x[i] = 0.0f;\n"
    "}\n";
constexpr const char* bad =
    "kernel void f(device const float* restrict x [[buffer(0)]],\n"
    "              device float* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {\n"
    "  y[i] = x[i];\n"
    "}\n";

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

struct Result {
  int status = -1;
  std::string out;
  std::string err;
};

class MsciLint : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Runs msci-lint in a shell.
  Result lint(const std::string& arguments) const {
    const auto tool = fs::read_symlink("/proc/self/exe").parent_path() / "msci-lint";
    const auto command = tool.string() + " " + arguments + " >" + (folder_ / "out").string() +
                         " 2>" + (folder_ / "err").string();
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder_ / "out"),
            contents(folder_ / "err")};
  }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  // One clear line on stderr, nothing on stdout, exit status 2.
  void expect_refusal(const std::string& arguments, const std::string& part) const {
    const auto result = lint(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "") << arguments;
  }

  // The source ends in findings of severity error, whatever it does to the compiler.
  void expect_findings(const std::string& text) const {
    const auto result = lint("--json " + write("hostile.metal", text));
    EXPECT_EQ(result.status, 1) << text.substr(0, 80);
    const auto json = Json::parse(result.out, nullptr, /*allow_exceptions=*/false);
    ASSERT_FALSE(json.is_discarded()) << result.out.substr(0, 200);
    EXPECT_EQ(json["valid"], false);
    EXPECT_GT(json["diagnostics"].size(), 0u);
  }

  fs::path folder_ = testing::TempDir() + "msci_lint_test_" + std::to_string(::getpid());
};

TEST_F(MsciLint, says_nothing_about_a_good_kernel) {
  const auto result = lint(write("good.metal", good));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "1 file: nothing found\n");
  EXPECT_EQ(result.err, "");
}

TEST_F(MsciLint, prints_place_line_caret_and_fix) {
  const auto file = write("bad.metal", bad);
  const auto result = lint(file);
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(
      result.out.starts_with(file +
                             ":1:44: error: expected ')' [metal.restrict]\n"
                             "    kernel void f(device const float* restrict x [[buffer(0)]],\n"
                             "                                               ^\n"))
      << result.out;
  EXPECT_NE(result.out.find("  fix: line 1: replace 'restrict' with '__restrict'\n"),
            std::string::npos);
  EXPECT_TRUE(result.out.ends_with("1 file: 1 error, 0 warnings, 0 notes\n")) << result.out;
}

TEST_F(MsciLint, writes_one_object_a_file_in_input_order) {
  const auto result = lint("--json " + write("b.metal", bad) + " " + write("a.metal", good));
  EXPECT_EQ(result.status, 1);
  std::istringstream lines(result.out);
  std::vector<Json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(Json::parse(line));
  ASSERT_EQ(objects.size(), 2u);

  const auto& refused = objects[0];
  EXPECT_EQ(refused["valid"], false);
  EXPECT_EQ(refused["regression_type"], nullptr);
  EXPECT_EQ(refused["checks"]["metal_grammar"]["passed"], false);
  EXPECT_EQ(refused["checks"]["kernel_exists"]["passed"], nullptr);
  const auto& finding = refused["diagnostics"].at(0);
  EXPECT_EQ(finding["rule"], "metal.restrict");
  EXPECT_EQ(finding["severity"], "error");
  EXPECT_EQ(finding["file"], (folder_ / "b.metal").string());
  EXPECT_EQ(finding["line"], 1);
  EXPECT_EQ(finding["column"], 44);
  EXPECT_EQ(finding["end_line"], 1);
  EXPECT_EQ(finding["end_column"], 45);
  EXPECT_EQ(finding["notes"].size(), 1u);
  EXPECT_EQ(finding["fixes"][0]["edits"][0]["replacement"], "__restrict");
  EXPECT_TRUE(refused["suggestion"].is_string());

  const auto& valid = objects[1];
  EXPECT_EQ(valid["valid"], true);
  EXPECT_EQ(valid["regression_type"], nullptr);
  EXPECT_EQ(valid["checks"]["metal_grammar"]["passed"], true);
  EXPECT_EQ(valid["checks"]["kernel_exists"]["passed"], true);
  EXPECT_EQ(valid["checks"]["kernel_exists"]["kernels"], Json::array({"saxpy"}));
  EXPECT_EQ(valid["checks"]["kernel_dispatched"]["passed"], nullptr);
  EXPECT_EQ(valid["checks"]["no_cpu_fallback"]["passed"], nullptr);
  EXPECT_EQ(valid["diagnostics"], Json::array());
  EXPECT_EQ(valid["suggestion"], nullptr);
}

TEST_F(MsciLint, reads_standard_input) {
  const auto result = lint("--json - <" + write("good.metal", good));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(Json::parse(result.out)["file"], "<stdin>");
}

TEST_F(MsciLint, wants_the_kernels_of_the_task) {
  const auto file = write("good.metal", good);
  EXPECT_EQ(lint("--task saxpy " + file).status, 0);
  EXPECT_EQ(lint("--kernel saxpy " + file).status, 0);
  const auto result = lint("--json --task heat2d " + file);
  EXPECT_EQ(result.status, 1);
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["regression_type"], 1);
  EXPECT_EQ(json["checks"]["kernel_exists"]["passed"], false);
  EXPECT_EQ(json["checks"]["metal_grammar"]["passed"], true);
  EXPECT_EQ(json["diagnostics"][0]["rule"], "degenerate.missing_kernel");
  EXPECT_EQ(lint("--kernel saxpy --kernel other " + file).status, 1);
}

constexpr const char* host_start =
    "int main() {\n"
    "  cl_kernel kernel = clCreateKernel(program, \"saxpy\", nullptr);\n"
    "  cl_mem x = clCreateBuffer(context, 0, 4096, nullptr, nullptr);\n"
    "  clSetKernelArg(kernel, 0, sizeof(cl_mem), &x);\n";

TEST_F(MsciLint, reads_the_host_that_runs_the_kernels) {
  const auto file = write("good.metal", good);
  const auto host =
      write("host.cpp", host_start + std::string("  clEnqueueNDRangeKernel(queue, kernel, 1, "
                                                 "0, &size, 0, 0, 0, 0);\n}\n"));
  const auto result = lint("--json --host " + host + " " + file);
  EXPECT_EQ(result.status, 0) << result.out;
  const auto checks = Json::parse(result.out)["checks"];
  EXPECT_EQ(checks["kernel_dispatched"]["passed"], true);
  EXPECT_EQ(checks["kernel_dispatched"]["called"], Json::array({"saxpy"}));
  EXPECT_EQ(checks["no_cpu_fallback"]["passed"], true);
  expect_refusal("--host " + (folder_ / "none.cpp").string() + " " + file, "none.cpp");
}

TEST_F(MsciLint, tells_what_the_host_does_in_place_of_the_kernel) {
  const auto file = write("good.metal", good);
  const auto host = write("host.cpp", host_start + std::string("  float* p = map(x);\n"
                                                               "  for (int i = 0; i < n; ++i)\n"
                                                               "    p[i] = 2 * p[i];\n}\n"));
  const auto result = lint("--json --host " + host + " " + file);
  EXPECT_EQ(result.status, 1);
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["regression_type"], 2);
  EXPECT_EQ(json["diagnostics"][0]["file"], host);
  const auto& checks = json["checks"];
  EXPECT_EQ(checks["kernel_dispatched"]["passed"], false);
  EXPECT_EQ(checks["no_cpu_fallback"]["passed"], false);
  const auto& violation = checks["no_cpu_fallback"]["violations"][0];
  EXPECT_EQ(violation["file"], host);
  EXPECT_EQ(violation["line"], 7);
  EXPECT_EQ(violation["call"], "a loop");
  EXPECT_NE(lint("--host " + host + " " + file).out.find("    p[i] = 2 * p[i];\n"),
            std::string::npos);
}

TEST_F(MsciLint, calls_a_source_without_a_kernel_degenerate) {
  const auto file = write("none.metal", "float twice(float x) { return 2.0f * x; }\n");
  const auto result = lint("--json " + file);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(Json::parse(result.out)["regression_type"], 1);
  EXPECT_EQ(lint("--ignore degenerate.no_kernel " + file).status, 0);
}

TEST_F(MsciLint, selects_rules_but_never_hides_what_does_not_compile) {
  const auto recursive =
      write("static.metal",
            "kernel void f(device uint* x [[buffer(0)]]) { static uint n = 0; x[0] = n; }");
  EXPECT_EQ(lint(recursive).status, 1);
  EXPECT_EQ(lint("--ignore metal.static_local " + recursive).status, 0);
  EXPECT_EQ(lint("--select degenerate,resource " + recursive).status, 0);
  EXPECT_EQ(lint("--ignore metal.restrict " + write("bad.metal", bad)).status, 1);
}

TEST_F(MsciLint, follows_the_language_version) {
  const auto file = write("lambda.metal",
                          "kernel void f(device float* x [[buffer(0)]]) {\n"
                          "  auto twice = [](float v) { return 2.0f * v; };\n"
                          "  x[0] = twice(x[0]);\n"
                          "}\n");
  EXPECT_EQ(lint(file).status, 1);
  EXPECT_EQ(lint("--std metal3.2 " + file).status, 0);
}

TEST_F(MsciLint, explains_and_lists_rules) {
  const auto page = lint("--explain metal.restrict");
  EXPECT_EQ(page.status, 0);
  EXPECT_TRUE(page.out.starts_with("# restrict\n"));
  const auto list = lint("--list-rules");
  EXPECT_EQ(list.status, 0);
  EXPECT_NE(list.out.find("metal.restrict "), std::string::npos);
  const auto help = lint("--help");
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("Examples:"), std::string::npos);
}

TEST_F(MsciLint, refuses_what_it_cannot_check) {
  const auto file = write("good.metal", good);
  expect_refusal((folder_ / "absent.metal").string(), "no such file");
  expect_refusal(folder_.string(), "directory");
  expect_refusal(write("empty.metal", ""), "empty");
  expect_refusal(write("binary.metal", std::string("\x7f"
                                                   "ELF\0\1\2",
                                                   7)),
                 "not text");
  expect_refusal(write("large.metal", std::string(50 << 20, ' ')), "larger than");
  expect_refusal("--task nosuch " + file, "no task is called \"nosuch\"");
  expect_refusal("--std metal9.9 " + file, "metal9.9");
  expect_refusal("--select nosuch " + file, "no rule or family is called \"nosuch\"");
  expect_refusal("--explain nosuch", "no rule is called \"nosuch\"");
  expect_refusal("", "no file given");
}

TEST_F(MsciLint, goes_on_after_a_file_that_it_cannot_check) {
  const auto result = lint((folder_ / "absent.metal").string() + " " + write("good.metal", good));
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "1 file: nothing found\n");
}

TEST_F(MsciLint, survives_deep_nesting) {
  const std::size_t million = 1000000;
  expect_findings("int x = " + repeated("(", million) + ";");
  expect_findings(repeated("{", million));
  expect_findings(repeated("[[", million));
  expect_findings("constant int x = " + repeated("-~", million) + "1;");
  expect_findings("int f(int a) { return " + repeated("a ? a : ", million) + "a; }");
  expect_findings("int f(int a) { return a" + repeated(" + a", million) + "; }");
  expect_findings("void f(int a) { " + repeated("if (a) ", million) + "; }");
  expect_findings("void f(int a) { " + repeated("if (a) {} else ", million) + "; }");
  expect_findings("thread int " + repeated("*", million) + "p;");
  expect_findings("#if 1\n" + repeated("#if 1\n", million));
}

TEST_F(MsciLint, survives_what_multiplies) {
  std::string doubling = "#define A0 1 +\n";
  for (int i = 1; i < 40; ++i)
    doubling += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " A" +
                std::to_string(i - 1) + "\n";
  expect_findings(doubling + "constant int x = A39 1;");
  expect_findings(
      "template <int a, int b> struct F { enum { v = F<a - 1, b>::v + F<a - 1, b + 1>::v }; };\n"
      "constant int x = F<1000, 0>::v;\n");
  expect_findings(
      "constexpr int f(int n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); }\n"
      "constant constexpr int x = f(100);\n");
}

TEST_F(MsciLint, writes_valid_json_whatever_the_source_holds) {
  expect_findings("int \xff\xfe = \"\xc3\x28\";\n");
  expect_findings("/* \xe2\x80\xae */ float f(unknown\xc3\xa9 x);\n");
  expect_findings(std::string(1 << 20, 'a') + ";");
}

}  // namespace
