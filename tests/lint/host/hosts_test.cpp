// Every host of this folder gets the findings that it asks for, and no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "lint/lint.h"
#include "lint/metal/read_file.h"
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

// What "// needs: saxpy row_sum" in the first line says, and "// first: message" anywhere: a
// finding in the first line, where no comment can stand above.
Expectation expectation_of(const std::string& text) {
  Expectation expectation{.from = "the test"};
  std::istringstream first(text.substr(0, text.find('\n')));
  for (std::string word; first >> word;)
    if (word != "//" && word != "needs:") expectation.kernels.push_back(word);
  return expectation;
}

std::vector<ExpectedFinding> expected_in(const std::string& text) {
  auto expected = expectations_in(text);
  constexpr std::string_view mark = "// first: ";
  if (const auto at = text.find(mark); at != std::string::npos)
    expected.push_back({1, text.substr(at + mark.size(), text.find('\n', at) - at - mark.size())});
  return expected;
}

class Hosts : public testing::TestWithParam<fs::path> {};

TEST_P(Hosts, get_the_findings_that_they_ask_for) {
  const auto kernels = read_source(folder / "kernels.metal");
  const auto host = read_source(GetParam());
  ASSERT_TRUE(kernels && host);
  Request request{.expectation = expectation_of(host->text), .host = {*host}};
  request.select = {"degenerate", "binding"};
  const auto report = examine(*kernels, all_rules(), request);
  ASSERT_TRUE(report);
  auto waiting = expected_in(host->text);
  for (const auto& finding : report->findings) {
    const auto found = std::find_if(waiting.begin(), waiting.end(), [&](const ExpectedFinding& each) {
      return !finding.file.empty() && each.line == finding.range.begin.line &&
             finding.message.find(each.message) != std::string::npos;
    });
    if (found == waiting.end())
      ADD_FAILURE() << "not expected: " << finding.file << ":" << finding.range.begin.line << ": "
                    << finding.message << " [" << finding.rule << "]";
    else
      waiting.erase(found);
  }
  for (const auto& each : waiting)
    ADD_FAILURE() << "missing: " << each.line << ": " << each.message;
}

INSTANTIATE_TEST_SUITE_P(All, Hosts, testing::ValuesIn(all_hosts()),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace msci
