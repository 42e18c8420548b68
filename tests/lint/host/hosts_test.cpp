// Every host in this folder gets the findings that its comments expect, and no others.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/files/read_file.h"
#include "lint/lint.h"
#include "lint/run/lint_files.h"
#include "rules/rules.h"
#include "tests/lint/examples.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(MSCI_SOURCE_DIR) / "tests/lint/host";

std::vector<fs::path> all_hosts() {
  std::vector<fs::path> all;
  for (const auto* room : {"applications", "hosts", "structs", "text_hosts"})
    for (const auto& each : fs::directory_iterator(folder / room))
      if (each.path().extension() != ".metal") all.push_back(each.path());
  std::sort(all.begin(), all.end());
  return all;
}

// The kernels of the first line: "// needs: saxpy row_sum".
Contract contract_of(const std::string& text) {
  Contract contract{.from = "the test"};
  std::istringstream first(text.substr(0, text.find('\n')));
  for (std::string word; first >> word;)
    if (word != "//" && word != "needs:") contract.kernels.push_back({word});
  return contract;
}

// "// first: message", anywhere, expects a finding in the first line, which no comment can precede.
std::vector<ExpectedFinding> expected_in(const std::string& text) {
  auto expected = expected_findings_in(text);
  constexpr std::string_view mark = "// first: ";
  if (const auto at = text.find(mark); at != std::string::npos)
    expected.push_back({1, text.substr(at + mark.size(), text.find('\n', at) - at - mark.size())});
  return expected;
}

// The kernels of the hosts in C++ and its relatives, or of those in other languages.
fs::path kernels_of(const fs::path& host) {
  const auto own = host.parent_path() / "kernels.metal";
  return fs::exists(own) ? own : folder / "kernels.metal";
}

std::string name_of(const fs::path& host) {
  return host.parent_path().filename().string() + "_" + host.stem().string() + "_" +
         host.extension().string().substr(1);
}

class Hosts : public testing::TestWithParam<fs::path> {};

TEST_P(Hosts, get_the_expected_findings) {
  const auto kernels = read_source(kernels_of(GetParam()));
  const auto host = read_source(GetParam());
  ASSERT_TRUE(kernels && host);
  LintRequest request;
  if (host->text.starts_with("// needs: ")) request.contract = contract_of(host->text);
  request.contract.host = std::make_shared<const Host>(read_host({*host}));
  request.select = {"degenerate", "binding"};
  const auto report = examine(*kernels, all_rules(), request);
  ASSERT_TRUE(report);
  auto waiting = expected_in(host->text);
  for (const auto& finding : report->findings) {
    const auto found =
        std::find_if(waiting.begin(), waiting.end(), [&](const ExpectedFinding& each) {
          return !finding.place.file.empty() && each.line == finding.place.range.begin.line &&
                 finding.message.find(each.message) != std::string::npos;
        });
    if (found == waiting.end())
      ADD_FAILURE() << "not expected: " << finding.place.file << ":"
                    << finding.place.range.begin.line << ": " << finding.message << " ["
                    << finding.rule << "]";
    else
      waiting.erase(found);
  }
  for (const auto& each : waiting)
    ADD_FAILURE() << "missing: " << each.line << ": " << each.message;
}

INSTANTIATE_TEST_SUITE_P(All, Hosts, testing::ValuesIn(all_hosts()),
                         [](const auto& info) { return name_of(info.param); });

// Nothing is said about kernels that a host which was not read may dispatch.
TEST(HostLimits, leave_a_host_that_exceeds_them_unread) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer needs more memory than any limit of this test";
#endif
  std::string text = "int main() {\n";
  for (int i = 0; i < 100'000; ++i) text += "  f(x, 1);\n";
  const auto host = read_host_isolated({{"host.mm", text + "}\n"}}, {.memory_bytes = 1 << 20});
  ASSERT_TRUE(host) << host.error().message;
  EXPECT_EQ((*host)->failure, "it takes more than 1 MiB of memory");
  const auto kernels = read_source(folder / "kernels.metal");
  ASSERT_TRUE(kernels);
  LintRequest request{.select = {"security", "degenerate", "binding"}};
  request.contract.host = *host;
  const auto report = examine(*kernels, all_rules(), request);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->findings.empty());
}

// Each of these ends, in little time, with what can be said.
TEST(HostileHosts, are_read_to_their_end) {
  const auto repeated = [](std::string_view part, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += part;
    return all;
  };
  const std::vector<std::string> texts = {
      "",
      repeated("(", 300'000),
      repeated("f(", 200'000) + repeated(")", 100'000),
      repeated("([{", 100'000) + repeated(")]}", 100'000),
      repeated("\"", 100'001),
      repeated("let a = \"\\(", 50'000),
      "r#####\"" + repeated("\"####", 50'000),
      "\"\"\"" + repeated("\xff\xfe\0'", 50'000),
      "a = (b)\nb = (a)\ne.setComputePipelineState(a)\n"
      "e.dispatchThreads(a, threadsPerThreadgroup: b)\ne.setBuffer(a, offset: a, index: b)\n",
      "a = " + repeated("b * ", 5'000) + "b\nb = " + repeated("a * ", 5'000) +
          "a\ne.setBuffer(x, offset: 0, index: a)\n",
      "struct S { var a: " + repeated("[", 100'000) + "}",
      "#[repr(C)] struct S { a: " + repeated("[", 5'000) + "f32" + repeated("; 1]", 5'000) + "}",
      "struct S { var a: S }\nvar s: S = S()\ne.setBytes(&s, length: MemoryLayout<S>.size, index: "
      "0)",
      repeated("e = c.makeComputeCommandEncoder()\n", 50'000),
      "fn f(e: &ComputeCommandEncoderRef) {\ne.set_bytes(0, std::mem::size_of::<"
      "[[[[u32; 1048576]; 1048576]; 1048576]; 4]>() as u64, &n as *const _ as *const _);\n}",
      repeated("/*", 300'000),
      repeated("func f(", 100'000),
      repeated("func f() { class A { ", 20'000) + repeated("let a = a\n", 50'000),
      repeated("fn f() { impl A for B { ", 20'000) + repeated("a = self.a;\n", 50'000),
      repeated("def f(): class A: ", 20'000) + repeated("global a, b\na = b\n", 20'000),
      repeated("for a, b, c ", 50'000),
      repeated("|a, b, ", 50'000),
      repeated("x = torch.mps.compile_shader(x)\nx.f(*x, **x, , )\n", 20'000),
  };
  for (const auto* name : {"host.swift", "host.rs", "host.py"})
    for (const auto& text : texts) {
      const auto host = read_host({{name, text}});
      EXPECT_FALSE(host.dispatches_known) << name;
    }
}

// Files of several languages are one program, and each finding names its file.
TEST(MixedHosts, keep_their_places) {
  const std::string cpp = "int main() {\n  work();\n}\n";
  const std::string swift = "\nlet f = library.makeFunction(name: \"fill\")\n";
  for (const bool swift_first : {false, true}) {
    const Source a{"a.cpp", cpp}, b{"b.swift", swift};
    const auto host = read_host(swift_first ? std::vector{b, a} : std::vector{a, b});
    ASSERT_EQ(host.fetched.size(), 1u);
    const auto [file, range] = host.place(host.fetched[0].range);
    EXPECT_EQ(file->name, "b.swift");
    EXPECT_EQ(range.begin.line, 2u);
  }
}

TEST(HostLimits, do_not_change_what_is_read_within_them) {
  for (const auto& path : all_hosts()) {
    const auto host = read_source(path);
    ASSERT_TRUE(host);
    const auto isolated = read_host_isolated({*host});
    ASSERT_TRUE(isolated);
    EXPECT_EQ(**isolated, read_host({*host})) << path;
  }
}

}  // namespace
}  // namespace msci
