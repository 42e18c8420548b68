// Every host in this folder gets the findings that its comments expect, and no others.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/files/read_file.h"
#include "lint/lint.h"
#include "lint/run/isolated_host.h"
#include "rules/rules.h"
#include "tests/lint/examples.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(MSCI_SOURCE_DIR) / "tests/lint/host";

std::vector<fs::path> all_hosts() {
  std::vector<fs::path> all;
  for (const auto& each : fs::directory_iterator(folder / "hosts")) all.push_back(each.path());
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

class Hosts : public testing::TestWithParam<fs::path> {};

TEST_P(Hosts, get_the_expected_findings) {
  const auto kernels = read_source(folder / "kernels.metal");
  const auto host = read_source(GetParam());
  ASSERT_TRUE(kernels && host);
  LintRequest request{.contract = contract_of(host->text)};
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
                         [](const auto& info) { return info.param.stem().string(); });

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
