// msci-lint as its users meet it: arguments in; output and exit status out.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/io/descriptor.h"
#include "base/json.h"
#include "base/process/child_process.h"
#include "tests/lint/program/lint_program.h"

namespace msci {
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

// Only half of the threads reach its barrier: hazard.barrier_divergence warns, in line 3.
constexpr const char* divergent =
    "#include <metal_stdlib>\n"
    "using namespace metal;\n"
    "kernel void f(device uint* x, uint i [[thread_index_in_threadgroup]]) { if (i < 9) "
    "threadgroup_barrier(mem_flags::mem_device); x[i] = i; }\n";
constexpr const char* warning = "hazard.barrier_divergence";

// More work for the compiler than any time limit.
constexpr const char* slow =
    "template <int N, typename T> struct E {\n"
    "  struct A {};\n"
    "  struct B {};\n"
    "  static constant constexpr int n = E<N - 1, A>::n + E<N - 1, B>::n;\n"
    "};\n"
    "template <typename T> struct E<0, T> { static constant constexpr int n = 1; };\n"
    "constant int n = E<40, int>::n;\n";

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

class MsciLint : public LintProgram {
 protected:
  // The rules that speak, with their severities: "metal.restrict error ".
  std::string rules_of(const std::string& arguments) const {
    const auto result = lint("--json " + arguments);
    std::istringstream lines(result.out);
    std::string rules;
    for (std::string line; std::getline(lines, line);) {
      const auto json = Json::parse(line);
      for (const auto& finding : json["diagnostics"])
        rules +=
            finding["rule"].get<std::string>() + " " + finding["severity"].get<std::string>() + " ";
    }
    return rules;
  }

  // One clear line on stderr, nothing on stdout, exit status 2.
  void expect_refusal(const std::string& arguments, const std::string& part) const {
    const auto result = lint(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "") << arguments;
  }

  Json lint_hostile(const std::string& text, unsigned seconds, int status) const {
    const auto result =
        lint("--json --time-limit " + std::to_string(seconds) + " " + write("hostile.metal", text));
    EXPECT_EQ(result.status, status) << text.substr(0, 80);
    auto json = Json::parse(result.out, nullptr, /*allow_exceptions=*/false);
    EXPECT_FALSE(json.is_discarded()) << result.out.substr(0, 200);
    return json;
  }

  // The source has errors, whatever it does to the compiler; one contains this.
  void expect_error(const std::string& text, const std::string& part) const {
    const auto json = lint_hostile(text, 20, 1);
    EXPECT_EQ(json["valid"], false) << text.substr(0, 80);
    std::string messages;
    for (const auto& each : json["diagnostics"])
      messages += each["message"].get<std::string>() + "\n";
    EXPECT_NE(messages.find(part), std::string::npos) << messages.substr(0, 400);
  }

  // The linter gives the source up at a limit: of time, memory or nesting.
  void expect_limit(const std::string& text) const {
    const auto json = lint_hostile(text, 1, 2);
    EXPECT_NE(json["valid"], true) << text.substr(0, 80);
    ASSERT_TRUE(json["error"].is_string()) << text.substr(0, 80);
    const auto error = json["error"].get<std::string>();
    EXPECT_TRUE(error.find("it takes more than ") != std::string::npos ||
                error.find("it is nested too deeply") != std::string::npos)
        << error;
  }
};

// Runs with a cache folder of their own.
class LintCache : public MsciLint {
 protected:
  ProgramResult run(const std::string& arguments) const {
    return run_command("XDG_CACHE_HOME=" + (folder_ / "cache") + " " + program_path("msci-lint") +
                           " --no-config " + arguments,
                       folder_);
  }
  std::string info() const { return run("--cache-info").out; }
  std::size_t entries() const {
    std::error_code none;
    return static_cast<std::size_t>(std::distance(
        fs::directory_iterator(folder_ / "cache/msci/lint", none), fs::directory_iterator()));
  }
  // A result is kept only if its included files are older than the run.
  void write_old(const std::string& name, const std::string& text) const {
    fs::last_write_time(write(name, text),
                        fs::file_time_type::clock::now() - std::chrono::seconds(5));
  }
};

TEST_F(LintCache, gives_the_same_results_again) {
  const auto files = write("a.metal", bad) + " " + write("b.metal", divergent);
  for (const std::string format : {"text", "json", "sarif"}) {
    const auto arguments = "--format " + format + " " + files;
    const auto first = run(arguments);
    EXPECT_EQ(entries(), 2u);
    const auto second = run(arguments);
    EXPECT_EQ(first.status, 1);
    EXPECT_EQ(second.out, first.out);
    EXPECT_EQ(second.out, run("--no-cache " + arguments).out);
  }
  EXPECT_NE(info().find("cache/msci/lint: 2 results"), std::string::npos) << info();
  EXPECT_NE(run("--ignore hazard " + files).out, run(files).out);
  EXPECT_EQ(run("--cache-clear").status, 0);
  EXPECT_EQ(entries(), 0u);
  EXPECT_EQ(run("--no-cache " + files).status, 1);
  EXPECT_EQ(entries(), 0u);
}

TEST_F(LintCache, sees_changes_of_included_files) {
  const auto file =
      write("a.metal", "#include \"n.h\"\nkernel void f(device int* x) { x[N] = 0; }\n");
  fs::create_directories(folder_ / "first");
  write_old("second/n.h", "#define N 1\n");
  const auto arguments =
      "--select metal -I " + (folder_ / "first") + " -I " + (folder_ / "second") + " " + file;
  EXPECT_EQ(run(arguments).status, 0);
  EXPECT_EQ(entries(), 1u);
  EXPECT_EQ(run(arguments).status, 0);
  write_old("second/n.h", "#define N missing\n");
  EXPECT_EQ(run(arguments).status, 1);
  EXPECT_EQ(run(arguments).status, 1);
  write_old("first/n.h", "#define N 2\n");  // found before the other from now on
  EXPECT_EQ(run(arguments).status, 0);
  fs::remove(folder_ / "first/n.h");
  fs::remove(folder_ / "second/n.h");
  EXPECT_EQ(run(arguments).status, 1);
}

TEST_F(LintCache, replaces_damaged_entries) {
  const auto file = write("a.metal", bad);
  const auto first = run(file);
  const auto entry = fs::directory_iterator(folder_ / "cache/msci/lint")->path();
  const auto whole = contents(entry);
  for (const auto& damaged : {whole.substr(0, whole.size() / 2), std::string("x"), std::string()}) {
    std::ofstream(entry, std::ios::binary) << damaged;
    EXPECT_EQ(run(file).out, first.out);
    EXPECT_EQ(contents(entry), whole);
  }
}

TEST_F(LintCache, keeps_no_result_of_a_limit) {
  const auto file = write("a.metal", slow);
  EXPECT_EQ(run("--time-limit 1 --memory-limit 8000 " + file).status, 2);
  EXPECT_EQ(entries(), 0u);
}

TEST_F(MsciLint, writes_results_as_files_finish) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  auto lint_both =
      ChildProcess::start({.arguments = {program_path("msci-lint"), "--no-cache", "--time-limit",
                                         "3600", "--memory-limit", "8000", "--json",
                                         write("a.metal", bad), write("b.metal", slow)},
                           .descriptors = {-1, ends[1], -1}});
  ASSERT_TRUE(lint_both) << lint_both.error().message;
  ::close(ends[1]);
  std::string out;
  while (out.find('\n') == out.npos && read_available(ends[0], out)) {
  }
  EXPECT_NE(out.find("a.metal"), std::string::npos) << out;
  // Otherwise it has waited for the second file.
  EXPECT_EQ(lint_both->kill(), (ExitStatus{.signal = SIGKILL}));
  ::close(ends[0]);
}

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
                             ":1:44: error: 'restrict' is a C keyword; use '__restrict' "
                             "(expected ')') [metal.restrict]\n"
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
  EXPECT_EQ(finding["file"], folder_ / "b.metal");
  EXPECT_EQ(finding["line"], 1);
  EXPECT_EQ(finding["column"], 44);
  EXPECT_EQ(finding["end_line"], 1);
  EXPECT_EQ(finding["end_column"], 45);
  EXPECT_EQ(finding["message"], "'restrict' is a C keyword; use '__restrict' (expected ')')");
  EXPECT_EQ(finding["notes"], Json::array());
  EXPECT_EQ(finding["fixes"][0]["edits"][0]["replacement"], "__restrict");
  EXPECT_EQ(refused["suggestion"],
            "line 1: 'restrict' is a C keyword; use '__restrict' (expected ')'); line 1: replace "
            "'restrict' with '__restrict'");

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

TEST_F(MsciLint, compares_the_bytes_that_a_plan_binds_with_the_kernels_values) {
  const auto plan = write("plan.json", R"({"sizes": [{"label": "4", "n": 4}],
    "buffers": {"y": {"type": "uint", "count": "n"},
                "shape": {"type": "uint", "values": ["n", 2, 3]},
                "options": {"struct": [["uint", 1], ["float", 2]], "read_only": true}},
    "launches": [{"kernel": "fill", "grid": ["n"], "threadgroup": [4],
                  "bind": {"0": "y", "1": "shape", "2": "options",
                           "3": {"type": "float", "values": [1, 2, 3], "name": "centre"}}}]})");
  const auto kernel_with = [&](const std::string& shape, const std::string& options,
                               const std::string& centre) {
    return write("fill.metal",
                 "#include <metal_stdlib>\nusing namespace metal;\n"
                 "struct Two { uint n; float s; };\nstruct Three { uint n; float s; uint more; };\n"
                 "kernel void fill(device uint* y [[buffer(0)]],\n"
                 "                 constant " +
                     shape +
                     "& shape [[buffer(1)]],\n"
                     "                 constant " +
                     options +
                     "& options [[buffer(2)]],\n"
                     "                 constant " +
                     centre +
                     "& centre [[buffer(3)]],\n"
                     "                 uint i [[thread_position_in_grid]]) {\n"
                     "  y[i] = shape.x + options.n + uint(options.s) + uint(centre.y);\n}\n");
  };
  const auto result = lint("--plan " + plan + " " + kernel_with("uint3", "Three", "float3"));
  for (const std::string said : {"binds 12 bytes to index 1, but 'shape' needs 16",
                                 "binds 8 bytes to index 2, but 'options' needs 12",
                                 "binds 12 bytes to index 3, but 'centre' needs 16"})
    EXPECT_NE(result.out.find(said), std::string::npos) << said << "\n" << result.out;
  const auto right =
      lint("--plan " + plan + " " + kernel_with("packed_uint3", "Two", "packed_float3"));
  EXPECT_EQ(right.out, "1 file: nothing found\n");
}

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
  expect_refusal("--host " + (folder_ / "none.cpp") + " " + file, "none.cpp");
}

TEST_F(MsciLint, takes_several_files_for_one_host) {
  const auto file = write("good.metal", good);
  const auto dispatch = write("dispatch.cpp",
                              "void dispatch(cl_kernel kernel) {\n"
                              "  clEnqueueNDRangeKernel(queue, kernel, 1, 0, &size, 0, 0, 0, 0);\n"
                              "}\n"
                              "void unused() { clCreateKernel(program, \"other\", nullptr); }");
  const auto host =
      write("host.cpp", host_start + std::string("  dispatch(kernel);\n"
                                                 "  clCreateKernel(program, \"no\", 0);\n}\n"));
  const auto result = lint("--json --host " + dispatch + " --host " + host + " " + file);
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["checks"]["kernel_dispatched"]["called"], Json::array({"saxpy"})) << result.out;
  ASSERT_EQ(json["diagnostics"].size(), 1u) << result.out;
  EXPECT_EQ(json["diagnostics"][0]["file"], host);
  EXPECT_EQ(json["diagnostics"][0]["line"], 6);
}

TEST_F(MsciLint, lets_one_host_have_its_kernels_in_several_files) {
  const auto first = write("good.metal", good);
  const auto second = write("second.metal", R"(kernel void second(device float* x [[buffer(0)]],
                            uint i [[thread_position_in_grid]]) { x[i] *= 2; })");
  const auto host = write(
      "host.cpp",
      host_start + std::string("  clEnqueueNDRangeKernel(queue, kernel, 1, 0, &s, 0, 0, 0, 0);\n"
                               "  kernel = clCreateKernel(program, \"second\", nullptr);\n"
                               "  clSetKernelArg(kernel, 0, sizeof(cl_mem), &x);\n"
                               "  clEnqueueNDRangeKernel(queue, kernel, 1, 0, &s, 0, 0, 0, 0);\n"
                               "}\n"));
  EXPECT_EQ(lint("--host " + host + " " + first).status, 1);
  const auto both = lint("--host " + host + " " + first + " " + second);
  EXPECT_EQ(both.status, 0) << both.out;
}

TEST_F(MsciLint, does_not_know_what_a_host_dispatches_that_gives_its_library_away) {
  const auto file = write("good.metal", good);
  const auto host = write("host.mm", R"(extern void run(id<MTLLibrary> library, const char* name);
int main() {
  id<MTLDevice> device = MTLCreateSystemDefaultDevice();
  id<MTLLibrary> library = [device newDefaultLibrary];
  run(library, "saxpy");
})");
  const auto result = lint("--json --host " + host + " " + file);
  EXPECT_EQ(Json::parse(result.out)["checks"]["kernel_dispatched"]["passed"], nullptr)
      << result.out;
}

TEST_F(MsciLint, counts_characters_under_its_caret) {
  const auto result = lint(write("wide.metal", "kernel void f() { /* \u00e9\u00e9 */ double x; }"));
  EXPECT_NE(result.out.find("\n                               ^~~~~~\n"), std::string::npos)
      << result.out;
}

TEST_F(MsciLint, takes_no_number_of_warnings_below_none) {
  expect_refusal("--max-warnings -1 " + write("good.metal", good), "--max-warnings");
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

TEST_F(MsciLint, calls_a_source_without_the_kernel_degenerate) {
  const auto file = write("none.metal", "float twice(float x) { return 2.0f * x; }\n");
  const auto result = lint("--json --kernel twice " + file);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(Json::parse(result.out)["regression_type"], 1);
}

TEST_F(MsciLint, limits_the_time_and_memory_of_each_file) {
  std::string text = "#define A0 1 +\n";
  for (int i = 1; i < 10; ++i) {
    const auto inner = "A" + std::to_string(i - 1) + " ";
    text += "#define A" + std::to_string(i);
    for (int k = 0; k < 10; ++k) text += " " + inner;
    text += "\n";
  }
  const auto endless = write("endless.metal", text + "constant int a = A9 0;\n");
  const auto slow = lint("--time-limit 1 --memory-limit 8000 " + endless);
  EXPECT_EQ(slow.status, 2);
  EXPECT_EQ(slow.err, "msci-lint: " + endless +
                          " could not be checked to its end: it takes more than 1 s of processor "
                          "time\n");
  EXPECT_NE(lint("--time-limit 3600 --memory-limit 100 " + endless).err.find("more than 100 MiB"),
            std::string::npos);
  EXPECT_EQ(lint("--time-limit 0 " + endless).status, 2);
  EXPECT_EQ(lint("--memory-limit 1 " + endless).status, 2);
  const auto good_file = write("good.metal", good);
  EXPECT_EQ(lint("--time-limit 600 --memory-limit 200 " + good_file).status, 0);
}

TEST_F(MsciLint, keeps_what_the_compiler_said_before_a_limit) {
  const auto endless = write(
      "endless.metal", std::string("kernel void f(device float* x) { x[0] = missing; }\n") + slow);
  const auto result = lint("--json --time-limit 3600 --memory-limit 200 " + endless);
  EXPECT_EQ(result.status, 2);
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["error"], "it takes more than 200 MiB of memory");
  EXPECT_EQ(json["valid"], false);
  ASSERT_EQ(json["diagnostics"].size(), 1u);
  EXPECT_EQ(json["diagnostics"][0]["line"], 1);
}

TEST_F(MsciLint, expects_no_kernel_of_a_file_that_others_include) {
  const auto file = write("functions.metal", "float twice(float x) { return 2.0f * x; }\n");
  const auto result = lint("--json " + file);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(Json::parse(result.out)["checks"]["kernel_exists"]["passed"], nullptr);
}

// --- Included files.

TEST_F(MsciLint, reports_what_rules_find_in_an_included_file_there) {
  const auto header = write("divergent.h", divergent);
  const auto a = write("a.metal", "#include \"divergent.h\"\n");
  const auto b = write("b.metal", "#include \"divergent.h\"\n");
  const auto result = lint("--select hazard --json " + a + " " + b);
  EXPECT_EQ(result.status, 0) << result.err;
  std::istringstream lines(result.out);
  std::string first, second;
  std::getline(lines, first);
  std::getline(lines, second);
  const auto found = Json::parse(first)["diagnostics"];
  ASSERT_EQ(found.size(), 1u) << result.out;
  EXPECT_EQ(found[0]["rule"], warning);
  EXPECT_EQ(found[0]["file"], header);
  EXPECT_EQ(found[0]["line"], 3);
  for (const auto& note : found[0]["notes"]) EXPECT_EQ(note["file"], header);
  EXPECT_EQ(Json::parse(second)["diagnostics"], found);
  const auto text = lint("--select hazard --max-warnings 1 " + a + " " + b);
  EXPECT_EQ(text.status, 0) << "a shared warning counts once: " << text.err;
  EXPECT_EQ(text.out.find(": warning: "), text.out.rfind(": warning: ")) << text.out;
  EXPECT_NE(text.out.find("2 files: 0 errors, 1 warning, 0 notes"), std::string::npos) << text.out;
  EXPECT_EQ(lint("--select hazard --statistics " + a + " " + b).out.find("     1  hazard."), 0u);
  EXPECT_NE(lint("--select hazard " + a).out.find("divergent.h:3:"), std::string::npos);
  const auto github = lint("--select hazard --format github " + a + " " + b).out;
  EXPECT_EQ(std::count(github.begin(), github.end(), '\n'), 1) << github;
  for (const std::string format : {"sarif", "github", "gitlab", "junit"})
    EXPECT_NE(lint("--select hazard --format " + format + " " + a).out.find("divergent.h"),
              std::string::npos)
        << format;
}

TEST_F(MsciLint, places_what_proofs_find_in_the_included_file_that_it_lies_in) {
  const auto header = write("swap.h",
                            "inline void swap(device float* x, uint t) {\n"
                            "  const float other = x[t ^ 1];\n"
                            "  x[t] += other;\n"
                            "}\n");
  const auto file =
      write("k.metal",
            "#include <metal_stdlib>\n#include \"swap.h\"\n"
            "kernel void f(device float* x, uint t [[thread_index_in_threadgroup]]) {\n"
            "  swap(x, t);\n}\n");
  const auto result = lint("--select hazard.device_race --json " + file);
  ASSERT_EQ(result.status, 0) << result.err;
  const auto found = Json::parse(result.out)["diagnostics"].at(0);
  EXPECT_EQ(found["file"], header);
  EXPECT_EQ(found["line"], 3) << found;
}

TEST_F(MsciLint, takes_notes_from_the_file_that_they_lie_in) {
  const auto header = write("wait.h",
                            "#include <metal_stdlib>\n"
                            "inline void wait(uint i, uint n) {\n"
                            "  if (i < n)\n"
                            "    metal::threadgroup_barrier(metal::mem_flags::mem_device);\n"
                            "}\n");
  const auto file =
      write("k.metal",
            "#include \"wait.h\"\n"
            "kernel void f(device uint* x, uint i [[thread_index_in_threadgroup]]) {\n"
            "  wait(i, 9);\n  x[i] = i;\n}\n");
  const auto json = Json::parse(lint("--select hazard --json " + file).out);
  ASSERT_EQ(json["diagnostics"].size(), 1u) << json.dump(1);
  std::set<std::string> places;
  for (const auto& note : json["diagnostics"][0]["notes"])
    places.insert(fs::path(note["file"].get<std::string>()).filename().string() + ":" +
                  std::to_string(note["line"].get<int>()));
  places.insert(fs::path(json["diagnostics"][0]["file"].get<std::string>()).filename().string() +
                ":" + std::to_string(json["diagnostics"][0]["line"].get<int>()));
  EXPECT_TRUE(places.contains("wait.h:4")) << json.dump(1);
}

TEST_F(MsciLint, puts_notes_of_the_compiler_into_the_file_that_they_lie_in) {
  const auto header = write("first.h", "constant int same = 1;\n");
  const auto file = write("k.metal", "#include \"first.h\"\nconstant int same = 2;\n");
  const auto result = lint("--json " + file);
  const auto finding = Json::parse(result.out)["diagnostics"].at(0);
  EXPECT_EQ(finding["line"], 2);
  ASSERT_EQ(finding["notes"].size(), 1u) << finding.dump(1);
  EXPECT_EQ(finding["notes"][0]["file"], header);
  EXPECT_EQ(finding["notes"][0]["line"], 1);
  EXPECT_EQ(finding["notes"][0]["message"], "previous definition is here");
}

TEST_F(MsciLint, shows_no_fix_behind_a_line_directive) {
  const auto file = write("k.metal", "#line 70 \"generated.metal\"\n" + std::string(bad));
  const auto json = Json::parse(lint("--json " + file).out);
  EXPECT_EQ(json["diagnostics"][0]["fixes"], Json::array());
  EXPECT_EQ(json["suggestion"].get<std::string>().find("generated.metal line 70: "), 0u);
  EXPECT_EQ(lint(file).out.find("  fix: "), std::string::npos);
}

TEST_F(MsciLint, lets_a_comment_in_an_included_file_allow_a_warning_there) {
  std::string text = divergent;
  text.insert(text.find("kernel"), "// msci: allow(hazard.barrier_divergence) one simdgroup\n");
  write("allowed.h", text);
  const auto file = write("k.metal", "#include \"allowed.h\"\n");
  EXPECT_EQ(rules_of(file), "");
  write("allowed.h", "// msci: allow(hazard.barrier_divergence) another source needs it\n");
  EXPECT_EQ(rules_of(file), "");
  write("allowed.h", "// msci: allow(hazard.barrier_divergence)\nconstant int a = 1;\n" +
                         std::string(divergent));
  EXPECT_EQ(rules_of("--select lint,hazard " + file),
            "lint.bad_suppression warning hazard.barrier_divergence warning ");
}

TEST_F(MsciLint, fixes_no_file_that_is_only_included) {
  const auto header = write("bad.h", bad);
  const auto file = write("k.metal", "#include \"bad.h\"\n");
  const auto json = Json::parse(lint("--json " + file).out);
  ASSERT_EQ(json["diagnostics"].size(), 1u);
  EXPECT_EQ(json["diagnostics"][0]["rule"], "metal.restrict");
  EXPECT_TRUE(json["diagnostics"][0]["fixes"].empty());
  EXPECT_EQ(lint("--fix " + file).status, 1);
  EXPECT_EQ(folder_.contents("bad.h"), bad);
  lint("--fix " + file + " " + header);
  EXPECT_NE(folder_.contents("bad.h"), bad);
}

TEST_F(MsciLint, follows_line_directives) {
  std::string text = divergent;
  text.insert(text.find("kernel"), "#line 70 \"generated.metal\"\n");
  const auto file = write("k.metal", text);
  const auto json = Json::parse(lint("--select hazard --json " + file).out);
  ASSERT_EQ(json["diagnostics"].size(), 1u);
  EXPECT_EQ(json["diagnostics"][0]["file"], "generated.metal");
  EXPECT_EQ(json["diagnostics"][0]["line"], 70);
  const auto out = lint("--select hazard " + file).out;
  EXPECT_NE(out.find("generated.metal:70:"), std::string::npos) << out;
  EXPECT_NE(out.find("    kernel void f("), std::string::npos) << out;
  const auto sarif = Json::parse(lint("--select hazard --format sarif " + file).out);
  const auto& place = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "generated.metal");
  EXPECT_EQ(place["region"]["startLine"], 70);
  EXPECT_EQ(place["region"]["startColumn"], json["diagnostics"][0]["column"]);
  write("k.metal", "// #line 5\n#line 2000000000\n" + std::string(divergent));
  EXPECT_NE(lint("--select hazard " + file).out.find("k.metal:5:"), std::string::npos);
}

constexpr const char* needs_size =
    "#include <metal_stdlib>\n"
    "#include <size.h>\n"
    "kernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
    "  x[i] = SIZE + N;\n"
    "}\n";

TEST_F(MsciLint, takes_the_settings_of_a_compilation_database) {
  write("include/size.h", "#define SIZE 4\n");
  const auto file = write("src/k.metal", needs_size);
  EXPECT_EQ(lint(file).status, 1);
  const auto database = [](const std::string& flags) {
    return R"([{"directory": "..", "file": "src/other.cpp", "command": "c++ -c src/other.cpp"},
               {"directory": "..", "file": "src/k.metal", )" +
           flags + "}]";
  };
  write("build/compile_commands.json",
        database(
            R"("command": "xcrun -sdk macosx metal '-DN=1 + 2' -Iinclude -c src/k.metal -o k")"));
  EXPECT_EQ(lint(file).status, 0) << lint(file).out;
  EXPECT_EQ(lint("--no-compile-commands " + file).status, 1);
  write("build/compile_commands.json",
        database(R"("arguments": ["metal", "-DN=3", "-I", "include", "-fodd", "src/k.metal"])"));
  EXPECT_NE(lint(file).err.find("the compiler flag -fodd is ignored"), std::string::npos);
  EXPECT_EQ(lint(file).status, 0);
  // Escaped, the name is the same; a list without any is not read, finished or not.
  write(
      "build/compile_commands.json",
      R"([{"directory": "..", "file": "src/k.met\u0061l", "arguments": ["metal", "-DN=3", "-Iinclude"]}])");
  EXPECT_EQ(lint(file).status, 0) << lint(file).out;
  write("build/compile_commands.json", R"([{"directory": "..", "file": "src/other.cpp", )");
  EXPECT_EQ(lint(file).status, 1) << lint(file).err;
  write("build/compile_commands.json", "{\"a\": 1}");
  EXPECT_EQ(lint(file).status, 2);
  EXPECT_NE(lint(file).err.find("--no-compile-commands"), std::string::npos);
}

TEST_F(MsciLint, finds_headers_from_the_current_folder) {
  write("include/size.h", "#define SIZE 4\n");
  write("src/k.metal",
        "#include \"include/size.h\"\nkernel void f(device int* x) { *x = SIZE; }\n");
  for (const std::string folder : {".", "./", "src/.."})
    EXPECT_EQ(run_command("cd " + (folder_ / "") + " && " + program_path("msci-lint") +
                              " --no-compile-commands --select metal,security -I " + folder +
                              " src/k.metal",
                          folder_)
                  .status,
              0)
        << folder;
}

TEST_F(MsciLint, defines_the_macros_of_the_options) {
  const auto file = write("k.metal",
                          "#include <metal_stdlib>\n"
                          "static_assert(__METAL_VERSION__ == VERSION, \"\");\n"
                          "static_assert(__METAL_MACOS__ == 1, \"\");\n"
                          "static_assert(__METAL_FAST_MATH__ != __METAL_PRECISE_MATH__, \"\");\n"
                          "static_assert(__METAL_MAYBE_FAST_MATH__ == MATH, \"\");\n"
                          "#ifdef __FAST_MATH__\n"
                          "static_assert(MATH == __METAL_FAST_MATH__, \"\");\n"
                          "#else\n"
                          "static_assert(MATH == __METAL_PRECISE_MATH__, \"\");\n"
                          "#endif\n");
  const auto expects = [&](const std::string& math, const std::string& version) {
    return "-D MATH=__METAL_" + math + "_MATH__ -D VERSION=" + version + " " + file;
  };
  EXPECT_EQ(lint(expects("FAST", "310")).out, "1 file: nothing found\n");
  EXPECT_EQ(lint("--no-fast-math --std metal3.2 " + expects("PRECISE", "320")).out,
            "1 file: nothing found\n");
  EXPECT_EQ(lint(expects("PRECISE", "230") + " -- -fno-fast-math -std=macos-metal2.3").out,
            "1 file: nothing found\n");
}

TEST_F(MsciLint, refuses_words_after_the_dashes_that_are_not_compiler_options) {
  const auto file = write("k.metal", good);
  expect_refusal("-- " + file, file +
                                   " comes after '--', which begins compiler options; put files "
                                   "before it: msci-lint " +
                                   file + " -- -DN=8");
  expect_refusal(file + " -- -DN=8 " + file, file + " comes after '--'");
  expect_refusal(file + " -- absent.metal",
                 "'absent.metal' comes after '--', but is not a compiler option; put files before");
  expect_refusal(file + " -- -", "'-' comes after '--', but is not a compiler option");
  expect_refusal(file + " -- --json",
                 "--json comes after '--', which begins compiler options; put "
                 "options of msci-lint before it");
  // The value of an option is not a word of its own.
  EXPECT_EQ(lint(file + " -- -o " + file + " -MQ x -L " + (folder_ / ".") + " --target=air64").err,
            "");
}

TEST_F(MsciLint, takes_settings_for_some_files_from_the_configuration) {
  write("include/size.h", "#define SIZE 4\n");
  const auto a = write("src/a.metal", needs_size);
  const auto b = write("src/b.metal", needs_size);
  write(".msci.json", R"({"include_folders": ["include"], "define": ["N=1"],
                          "overrides": [{"files": ["src/b*"], "undefine": ["N"]}]})");
  EXPECT_EQ(lint(a).status, 0) << lint(a).out;
  EXPECT_EQ(lint(b).status, 1);
  write(".msci.json", R"({"overrides": [{"files": ["b.metal"], "rule": 1}]})");
  EXPECT_EQ(lint(b).status, 2);
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

TEST_F(MsciLint, reports_no_style_in_generated_sources) {
  const auto file =
      write("emitted.metal",
            "#include <metal_stdlib>\n"
            "using namespace metal;\n"
            "kernel void f(device float* x [[buffer(0)]], device const float* y [[buffer(1)]],\n"
            "              uint t [[thread_index_in_threadgroup]]) {\n"
            "  threadgroup float line[64];\n"
            "#line 7 \"model.py\"\n"
            "  line[t] = pow(x[t], 2.0f);\n"
            "  x[t] = line[63 - t];\n"
            "}\n");
  EXPECT_NE(rules_of(file).find("degenerate.input_ignored"), std::string::npos);
  EXPECT_NE(rules_of(file).find("slow.pow_small_integer"), std::string::npos);
  EXPECT_EQ(rules_of("--generated " + file), "hazard.threadgroup_race warning ");
  EXPECT_NE(lint("--generated " + file).out.find("model.py:8"), std::string::npos);
  expect_refusal("--generated --select slow " + file, "--generated");
}

TEST_F(MsciLint, leaves_tests_for_nan_to_precise_math) {
  const auto file =
      write("nan.metal",
            "#include <metal_stdlib>\n"
            "kernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
            "  if (metal::isnan(x[i])) x[i] = 0.0f;\n"
            "}\n");
  EXPECT_EQ(rules_of(file), "hazard.nan_test_under_fast_math note ");
  EXPECT_EQ(rules_of("--no-fast-math " + file), "");
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
  EXPECT_TRUE(page.out.starts_with("# metal.restrict\n\nSeverity: error.\n"));
  const auto list = lint("--list-rules");
  EXPECT_EQ(list.status, 0);
  EXPECT_NE(list.out.find("metal.restrict "), std::string::npos);
  const auto family = lint("--explain hazard");
  EXPECT_EQ(family.status, 0);
  EXPECT_EQ(lint("--explain hazard.").out, family.out);
  EXPECT_NE(family.out.find("hazard.threadgroup_race "), std::string::npos);
  EXPECT_EQ(family.out.find("metal.restrict"), std::string::npos);
  const auto help = lint("--help");
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("Examples:"), std::string::npos);
  EXPECT_NE(help.out.find("docs/guide/linting.md"), std::string::npos);
  const auto lines = std::count(help.out.begin(), help.out.end(), '\n');
  EXPECT_LE(lines, 50) << help.out;  // a screen
  const auto all = lint("--help-all");
  EXPECT_EQ(all.status, 0);
  EXPECT_NE(all.out.find("--memory-limit MIB"), std::string::npos);
  EXPECT_NE(all.out.find("Formats:\n  text "), std::string::npos);
}

TEST_F(MsciLint, refuses_what_it_cannot_check) {
  const auto file = write("good.metal", good);
  expect_refusal(folder_ / "absent.metal", "no such file");
  fs::create_directories(folder_ / "folder");
  expect_refusal(folder_ / "folder", "the directory holds no .metal file");
  expect_refusal(write("empty.metal", ""), "empty");
  expect_refusal(write("binary.metal", std::string("\x7f"
                                                   "ELF\0\1\2",
                                                   7)),
                 "not text");
  expect_refusal(write("large.metal", std::string(50 << 20, ' ')), "larger than");
  expect_refusal("--task nosuch " + file, "no task is called \"nosuch\"");
  expect_refusal("--std metal9.9 " + file, "metal9.9");
  expect_refusal("--select nosuch " + file, "no rule or family is called \"nosuch\"");
  expect_refusal("--explain nosuch", "no rule or family is called \"nosuch\"");
  expect_refusal("--explain hazrd", "did you mean \"hazard\"?");
  expect_refusal("--explain hazard.race",
                 "did you mean \"hazard.device_race\" or \"hazard.threadgroup_race\"?");
  expect_refusal("--time-limit 10s " + file, "10s is not a whole number of seconds");
  expect_refusal("--write-baseline - " + file, "--write-baseline needs a file name");
  expect_refusal("--ignore metal.restict " + file, "did you mean \"metal.restrict\"?");
  expect_refusal("--severity metal=loud " + file, "\"loud\" is not a severity");
  expect_refusal("--format xml " + file, "xml");
  expect_refusal("--no-such-option " + file, "not expected: --no-such-option; see --help");
  expect_refusal("--selct hazard " + file, "not expected: --selct; did you mean \"--select\"?");
  expect_refusal("--max-warning=3 " + file, "did you mean \"--max-warnings\"?");
  expect_refusal("--fix --diff " + file, "--fix");
  expect_refusal("--diff --json " + file, "--diff excludes --format json");
  expect_refusal("--diff --format sarif " + file, "--diff excludes --format sarif");
  expect_refusal("--fix -", "--fix cannot write to standard input");
  expect_refusal("--unsafe-fixes " + file, "--unsafe-fixes");
  expect_refusal("--baseline " + (folder_ / "absent.json") + " " + file, "no such file");
  expect_refusal("--config " + write("c.json", "{\"selct\": []}") + " " + file,
                 "c.json: unknown key \"selct\" in a configuration; did you mean \"select\"?");
  expect_refusal("", "no file given");
}

TEST_F(MsciLint, says_where_it_cannot_write) {
  const auto file = write("divergent.metal", divergent);
  const auto full = [&](const std::string& arguments) {
    const auto tool = program_path("msci-lint");
    const auto command = tool + " " + arguments + " >/dev/full 2>" + (folder_ / "err");
    const int status = std::system(command.c_str());
    EXPECT_NE(contents(folder_ / "err").find("cannot write to standard output"), std::string::npos);
    return WEXITSTATUS(status);
  };
  EXPECT_EQ(full(file), 2);
  EXPECT_EQ(full("--list-rules"), 2);
  EXPECT_EQ(full("--format sarif " + file), 2);
  const auto known = folder_ / "known.json";
  EXPECT_EQ(lint("--write-baseline " + known + " " + (folder_ / "absent.metal")).status, 2);
  EXPECT_FALSE(fs::exists(known));
  expect_refusal("--write-baseline " + (folder_ / "no/such/folder") + " " + file, "cannot write");
}

TEST_F(MsciLint, goes_on_after_a_file_that_it_cannot_check) {
  const auto result = lint((folder_ / "absent.metal") + " " + write("good.metal", good));
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "1 file: nothing found\n");
}

TEST_F(MsciLint, goes_on_after_a_folder_without_sources) {
  fs::create_directories(folder_ / "empty");
  const auto result = lint((folder_ / "empty") + " " + write("good.metal", good));
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "1 file: nothing found\n");
  EXPECT_NE(result.err.find("empty: the directory holds no .metal file"), std::string::npos);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST_F(MsciLint, gives_rules_another_severity) {
  const auto file = write("divergent.metal", divergent);
  const std::string rule = warning;
  EXPECT_EQ(rules_of(file), rule + " warning ");
  EXPECT_EQ(rules_of("--severity hazard=error " + file), rule + " error ");
  EXPECT_EQ(lint("--severity hazard=error " + file).status, 1);
  EXPECT_EQ(rules_of("--severity hazard.=note " + file), rule + " note ");
  EXPECT_EQ(rules_of("--severity hazard=error,hazard=off " + file), "");
  // What does not compile does not, whatever anybody wishes.
  EXPECT_EQ(rules_of("--severity metal=off " + write("bad.metal", bad)), "metal.restrict error ");
  EXPECT_EQ(rules_of("--severity metal=note " + (folder_ / "bad.metal")), "metal.restrict error ");
}

TEST_F(MsciLint, follows_the_nearest_configuration) {
  const auto outer = write("divergent.metal", divergent);
  const auto inner = write("sub/divergent.metal", divergent);
  write(".msci.json", R"({"severity": {"hazard": "note"}})");
  write("sub/.msci.json", R"({"ignore": ["hazard"]})");
  const std::string rule = warning;
  EXPECT_EQ(rules_of(outer), rule + " note ");
  EXPECT_EQ(rules_of(inner), "");
  EXPECT_EQ(rules_of(outer + " " + inner), rule + " note ");
  EXPECT_EQ(rules_of("--no-config " + inner), rule + " warning ");
  EXPECT_EQ(rules_of("--config " + (folder_ / ".msci.json") + " " + inner), rule + " note ");
  EXPECT_EQ(rules_of("--severity hazard=error " + outer), rule + " error ");
  EXPECT_EQ(rules_of("- --stdin-name " + inner + " <" + outer), "");
  write("sub/.msci.json", R"({"ignore": ["resorce"]})");
  expect_refusal(outer + " " + inner, "sub/.msci.json: \"ignore\": no rule or family is called");
}

TEST_F(MsciLint, checks_folders_in_a_stable_order) {
  const auto b = write("src/b.metal", divergent);
  const auto a = write("src/a/a.metal", divergent);
  write("src/.hidden/c.metal", bad);
  write("src/build/d.metal", bad);
  write("src/e.txt", bad);
  write("src/.msci.json", R"({"exclude": ["build/"]})");
  const auto last = write("last.metal", good);
  const auto order = [&](const std::string& options) {
    const auto result = lint("--json " + options + " " + last + " " + (folder_ / "src"));
    std::istringstream lines(result.out);
    std::vector<std::string> files;
    for (std::string line; std::getline(lines, line);) files.push_back(Json::parse(line)["file"]);
    return files;
  };
  EXPECT_EQ(order("--jobs 1"), (std::vector<std::string>{last, a, b}));
  EXPECT_EQ(order("--jobs 4"), (std::vector<std::string>{last, a, b}));
}

TEST_F(MsciLint, leaves_out_what_git_ignores_or_an_option_excludes) {
  write("a/.git/HEAD", "");
  write("a/.gitignore", "build/\n");
  write("a/build/x.metal", bad);
  write("a/y.metal", divergent);
  write("a/old/z.metal", divergent);
  const auto files = [&](const std::string& options) {
    return run_command("cd " + (folder_ / "") + " && " + program_path("msci-lint") +
                           " --quiet --statistics " + options + " a",
                       folder_)
        .out;
  };
  const auto two = std::string("     2  ") + warning + "\n";
  EXPECT_EQ(files(""), two);
  EXPECT_EQ(files("--no-ignore"), two + "     1  metal.restrict  1 with a safe fix\n");
  EXPECT_EQ(files("--exclude old"), std::string("     1  ") + warning + "\n");
  EXPECT_EQ(files("--exclude 'a/*/z.metal' --no-ignore --exclude build"),
            std::string("     1  ") + warning + "\n");
  EXPECT_EQ(rules_of(folder_ / "a/build/x.metal"),
            "metal.restrict error ");  // named, not found in a folder
}

TEST_F(MsciLint, shows_the_settings_of_a_file) {
  write(".msci.json", R"({"severity": {"slow": "off"}, "exclude": ["gen"],
                          "overrides": [{"files": ["gen/"], "std": "metal3.2"}]})");
  const auto shown =
      lint("--show-config " + (folder_ / "gen/k.metal") + " --ignore hazard.simd_lane -D N=8");
  EXPECT_EQ(shown.status, 0);
  const auto json = Json::parse(shown.out);
  EXPECT_EQ(json["std"], "metal3.2");
  EXPECT_EQ(json["excluded"], true);
  EXPECT_EQ(json["macros"], Json::parse(R"(["-DN=8"])"));
  EXPECT_EQ(json["rules"]["slow.division_in_loop"], "off");
  EXPECT_EQ(json["rules"]["hazard.simd_lane"], "off");
  EXPECT_EQ(json["rules"]["hazard.barrier_divergence"], "warning");
  EXPECT_EQ(Json::parse(lint("--no-config --show-config k.metal").out)["config"], nullptr);
  expect_refusal("--show-config k.metal other.metal", "takes one file");
}

TEST_F(MsciLint, lets_a_comment_with_a_reason_allow_a_warning) {
  const auto with = [&](const std::string& comment) {
    std::string text = divergent;
    text.insert(text.find("kernel"), "// msci: " + comment + "\n");
    return write("divergent.metal", text);
  };
  const std::string rule = warning;
  EXPECT_EQ(rules_of(with("allow(" + rule + ") the host knows")), "");
  EXPECT_EQ(rules_of(with("allow(" + rule + ")")),
            "lint.bad_suppression warning " + rule + " warning ");
  EXPECT_EQ(rules_of(with("allow(metal.lambda) there was one")),
            "lint.unused_suppression warning " + rule + " warning ");
  EXPECT_EQ(rules_of("--severity hazard=error " + with("allow(" + rule + ") so be it")), "");
  EXPECT_EQ(rules_of("--select lint " + with("allow(" + rule + ") so be it")), "");
  EXPECT_EQ(rules_of("--ignore lint,hazard " + with("allow(metal.lambda) so be it")), "");
}

TEST_F(MsciLint, lets_no_comment_allow_an_error) {
  EXPECT_EQ(rules_of(write("bad.metal",
                           "// msci: allow(metal.restrict) it is fine\n" + std::string(bad))),
            "lint.bad_suppression warning metal.restrict error ");
  EXPECT_EQ(rules_of(write("static.metal",
                           "kernel void f(device uint* x [[buffer(0)]]) {\n"
                           "  static uint n = 0;  // msci: allow(metal.static_local) it is fine\n"
                           "  x[0] = n;\n"
                           "}\n")),
            "metal.static_local error lint.bad_suppression warning ");
}

TEST_F(MsciLint, mends_files_and_keeps_their_permissions) {
  const auto file = write("bad.metal", bad);
  fs::permissions(file, fs::perms(0640));
  const auto result = lint("--fix " + file);
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_EQ(result.out, "1 file: nothing found\n");
  EXPECT_EQ(result.err, "msci-lint: applied 1 fix: 1 of metal.restrict\n");
  EXPECT_NE(contents(file).find("device const float* __restrict x"), std::string::npos);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
  EXPECT_EQ(lint("--fix " + file).err, "");
}

TEST_F(MsciLint, mends_safely_unless_told_otherwise) {
  const auto* text =
      "kernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
      "  float y = x[i]\n"
      "  x[i] = y;\n"
      "}\n";
  const auto file = write("typo.metal", text);
  lint("--fix " + file);
  EXPECT_EQ(contents(file), text);
  lint("--fix --unsafe-fixes " + file);
  EXPECT_NE(contents(file).find("  float y = x[i];"), std::string::npos) << contents(file);
}

TEST_F(MsciLint, shows_fixes_as_a_diff_and_writes_nothing) {
  const auto file = write("bad.metal", bad);
  const auto result = lint("--diff " + file);
  EXPECT_EQ(result.status, 1);  // as the file stands
  EXPECT_TRUE(result.out.starts_with("--- a/")) << result.out;
  EXPECT_NE(result.out.find("\n-kernel void f(device const float* restrict x [[buffer(0)]],\n"
                            "+kernel void f(device const float* __restrict x [[buffer(0)]],\n"),
            std::string::npos)
      << result.out;
  EXPECT_EQ(contents(file), bad);
  EXPECT_EQ(lint("--diff --format text " + file).out, result.out);
  EXPECT_EQ(lint("--diff " + write("good.metal", good)).out, "");
  EXPECT_NE(lint("--diff - <" + file).out.find("__restrict"), std::string::npos);
}

TEST_F(MsciLint, leaves_out_what_a_baseline_knows) {
  const auto file = write("divergent.metal", divergent);
  const auto known = folder_ / "known.json";
  EXPECT_EQ(lint("--write-baseline " + known + " " + file).out, "1 file: nothing found\n");
  write("divergent.metal", "// moved\n" + std::string(divergent));
  EXPECT_EQ(rules_of("--baseline " + known + " " + file), "");
  std::string second = divergent;
  second.replace(second.find("void f"), 6, "void g");
  write("divergent.metal", divergent + second.substr(second.find("kernel")));
  EXPECT_EQ(rules_of("--baseline " + known + " " + file), std::string(warning) + " warning ");
  // What no compiler takes is not taken as known.
  EXPECT_EQ(lint("--write-baseline " + known + " " + write("bad.metal", bad)).status, 1);
}

TEST_F(MsciLint, fixes_nothing_that_a_baseline_knows) {
  const auto file = write("k.metal", std::string(good) +
                                         "kernel void f(device float* x [[buffer(0)]]) {\n"
                                         "  // msci: allow(hazard.barrier_divergence) once needed\n"
                                         "  x[0] = 1.0f;\n"
                                         "}\n");
  const auto known = folder_ / "known.json";
  EXPECT_NE(lint("--diff " + file).out, "");
  EXPECT_EQ(lint("--write-baseline " + known + " " + file).status, 0);
  EXPECT_EQ(lint("--diff --baseline " + known + " " + file).out, "");
  const auto before = contents(file);
  EXPECT_EQ(lint("--fix --baseline " + known + " " + file).out, "1 file: nothing found\n");
  EXPECT_EQ(contents(file), before);
  lint("--fix " + file);
  EXPECT_NE(contents(file), before);
}

TEST_F(MsciLint, fixes_nothing_if_it_cannot_write_its_findings) {
  const auto file = write("bad.metal", bad);
  EXPECT_EQ(lint("--fix --output " + (folder_ / "no/such/folder") + " " + file).status, 2);
  EXPECT_EQ(contents(file), bad);
  lint("--fix " + file);
  EXPECT_NE(contents(file), bad);
}

TEST_F(MsciLint, counts_warnings_where_it_is_told_to) {
  const auto file = write("divergent.metal", divergent);
  EXPECT_EQ(lint(file).status, 0);
  EXPECT_EQ(lint("--max-warnings 1 " + file).status, 0);
  const auto result = lint("--max-warnings 0 " + file);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "msci-lint: more warnings (1) than --max-warnings 0\n");
}

TEST_F(MsciLint, fails_from_the_severity_that_it_is_told) {
  const auto with_warning = write("divergent.metal", divergent);
  const auto with_error = write("bad.metal", bad);
  EXPECT_EQ(lint("--fail-on error " + with_warning).status, 0);
  EXPECT_EQ(lint("--fail-on warning " + with_warning).status, 1);
  EXPECT_EQ(lint("--fail-on note " + with_warning).status, 1);
  EXPECT_EQ(lint("--fail-on note " + write("good.metal", good)).status, 0);
  EXPECT_EQ(lint("--exit-zero " + with_error).status, 0);
  EXPECT_EQ(lint("--exit-zero " + (folder_ / "absent.metal")).status, 2);
  expect_refusal("--exit-zero --fail-on note " + with_error, "--fail-on excludes --exit-zero");
}

TEST_F(MsciLint, writes_findings_to_a_file) {
  const auto file = write("bad.metal", bad);
  const auto to = folder_ / "findings.txt";
  const auto result = lint("--output " + to + " " + file);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(folder_.contents("findings.txt"), lint(file).out);
  expect_refusal("--output " + (folder_ / "none/findings.txt") + " " + file, "none/findings.txt");
}

TEST_F(MsciLint, leaves_out_its_summary_when_quiet) {
  const auto file = write("bad.metal", bad);
  EXPECT_EQ(lint("--quiet " + file).out + "1 file: 1 error, 0 warnings, 0 notes\n", lint(file).out);
  EXPECT_EQ(lint("-q " + write("good.metal", good)).out, "");
  EXPECT_EQ(lint("-q --fix " + file).err, "");
}

TEST_F(MsciLint, writes_the_formats_of_other_tools) {
  const auto file = write("bad.metal", bad);
  const auto sarif = Json::parse(lint("--format sarif " + file).out);
  EXPECT_EQ(sarif["version"], "2.1.0");
  EXPECT_EQ(sarif["runs"][0]["results"][0]["ruleId"], "metal.restrict");
  EXPECT_EQ(sarif["runs"][0]["tool"]["driver"]["rules"][0]["help"]["markdown"],
            lint("--explain metal.restrict").out);
  EXPECT_EQ(lint("--format github " + file).out,
            "::error file=" + file +
                ",line=1,endLine=1,col=44,endColumn=45,title=metal.restrict::'restrict' is a C "
                "keyword; use "
                "'__restrict' (expected ')')\n");
  const auto absent = folder_ / "absent.metal";
  const auto junit = lint("--format junit " + file + " " + absent);
  EXPECT_EQ(junit.status, 2);
  EXPECT_NE(junit.out.find("<failure type=\"metal.restrict\""), std::string::npos);
  EXPECT_NE(junit.out.find("<error message=\"cannot read " + absent + ": no such file\"/>"),
            std::string::npos);
  EXPECT_EQ(lint("--format json " + file).out, lint("--json " + file).out);
}

TEST_F(MsciLint, colours_only_what_a_terminal_shows) {
  const auto file = write("bad.metal", bad);
  EXPECT_EQ(lint(file).out.find('\033'), std::string::npos);
  EXPECT_NE(lint("--color always " + file).out.find('\033'), std::string::npos);
  const auto colours_under = [&](const std::string& environment) {
    return run_command(environment + " " + program_path("msci-lint") + " " + file, folder_)
               .out.find('\033') != std::string::npos;
  };
  EXPECT_TRUE(colours_under("FORCE_COLOR=1"));
  EXPECT_TRUE(colours_under("CLICOLOR_FORCE=1"));
  EXPECT_FALSE(colours_under("CLICOLOR_FORCE=0"));
  EXPECT_FALSE(colours_under("NO_COLOR=1 FORCE_COLOR=1"));
  // `script` is a terminal to what it runs; without it, the test is skipped.
  if (std::system("command -v script >/dev/null") != 0) GTEST_SKIP() << "script(1) is missing";
  const auto tool = program_path("msci-lint");
  const auto on_terminal = [&](const std::string& environment) {
    const auto command = environment + " script -qc '" + tool + " " + file + "' /dev/null >" +
                         (folder_ / "typed") + " </dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return contents(folder_ / "typed").find('\033') != std::string::npos;
  };
  EXPECT_TRUE(on_terminal("env -u NO_COLOR TERM=xterm"));
  EXPECT_FALSE(on_terminal("env -u NO_COLOR TERM=dumb"));
  EXPECT_FALSE(on_terminal("NO_COLOR=1"));
}

TEST_F(MsciLint, the_committed_rule_index_matches_the_rules) {
  const auto fresh = folder_ / "README.md";
  ASSERT_EQ(lint("--write-rule-index " + fresh).status, 0);
  const fs::path committed = MSCI_RULE_INDEX;
  EXPECT_EQ(contents(committed), contents(fresh)) << "build the target rule_pages";
  // Every link leads to a page.
  const auto index = contents(fresh);
  std::size_t links = 0;
  for (auto at = index.find("]("); at != std::string::npos;
       at = index.find("](", at + 2), ++links) {
    const auto target = index.substr(at + 2, index.find(')', at) - at - 2);
    EXPECT_TRUE(fs::exists(committed.parent_path() / target)) << target;
  }
  EXPECT_GT(links, 70u);
}

TEST_F(MsciLint, survives_deep_nesting) {
  const std::size_t million = 1000000;
  expect_error("int x = " + repeated("(", million) + ";", "bracket nesting level exceeded");
  expect_error(repeated("{", million), "expected unqualified-id");
  expect_limit(repeated("[[", million));
  expect_limit("constant int x = " + repeated("-~", million) + "1;");
  expect_limit("int f(int a) { return " + repeated("a ? a : ", million) + "a; }");
  expect_limit("int f(int a) { return a" + repeated(" + a", million) + "; }");
  expect_limit("void f(int a) { " + repeated("if (a) ", million) + "; }");
  expect_limit("void f(int a) { " + repeated("if (a) {} else ", million) + "; }");
  expect_limit("thread int " + repeated("*", million) + "p;");
  expect_limit("#if 1\n" + repeated("#if 1\n", million));
}

TEST_F(MsciLint, survives_what_multiplies) {
  std::string doubling = "#define A0 1 +\n";
  for (int i = 1; i < 40; ++i)
    doubling += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " A" +
                std::to_string(i - 1) + "\n";
  expect_limit(doubling + "constant int x = A39 1;");
  expect_error(
      "template <int a, int b> struct F { enum { v = F<a - 1, b>::v + F<a - 1, b + 1>::v }; };\n"
      "constant int x = F<1000, 0>::v;\n",
      "recursive template instantiation exceeded");
  expect_error(
      "constexpr int f(int n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); }\n"
      "constant constexpr int x = f(100);\n",
      "constexpr variable 'x' must be initialized by a constant expression");
}

TEST_F(MsciLint, writes_valid_json_whatever_the_source_holds) {
  expect_error("int \xff\xfe = \"\xc3\x28\";\n", "source file is not valid UTF-8");
  expect_error("/* \xe2\x80\xae */ float f(unknown\xc3\xa9 x);\n", "unknown type name");
  expect_limit(std::string(1 << 20, 'a') + ";");
}

}  // namespace
}  // namespace msci
