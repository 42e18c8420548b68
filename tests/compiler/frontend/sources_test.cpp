// Every file of accept/ compiles, and no rule calls anything in it an error; every file of refuse/
// is refused just where it says, by
//   // expect: a part of the message      at the end of the line
// A first line `// language: metal2.3` sets the language version.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "compiler/frontend/module.h"
#include "compiler/frontend/unit.h"
#include "lint/lint.h"
#include "rules/rules.h"
#include "tests/support/folder.h"

namespace msci {
namespace {

std::vector<std::filesystem::path> files(const std::string& folder) {
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::directory_iterator(MSCI_SOURCES "/" + folder))
    if (entry.path().extension() == ".metal") all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

Result<Unit> parse_file(const std::filesystem::path& path) {
  auto text = contents(path);
  constexpr std::string_view word = "// language: ";
  if (!text.starts_with(word)) return parse({path.filename(), std::move(text)});
  const auto version =
      language_version(std::string_view(text).substr(word.size(), text.find('\n') - word.size()));
  if (!version) return version.error();
  return parse({path.filename(), std::move(text)}, *version);
}

std::multimap<unsigned, std::string> errors(const Unit& unit) {
  std::multimap<unsigned, std::string> all;
  for (const auto& diagnostic : unit.diagnostics())
    if (diagnostic.severity == Severity::error)
      all.emplace(diagnostic.place.range.begin.line, diagnostic.message);
  return all;
}

class Accepted : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Accepted, compiles) {
  auto unit = parse_file(GetParam());
  ASSERT_TRUE(unit) << unit.error().message;
  for (const auto& [line, message] : errors(*unit))
    ADD_FAILURE() << "line " << line << ": " << message;
  ASSERT_TRUE(unit->compiled());
  const auto module = lower(*unit);
  EXPECT_TRUE(module) << module.error().message;
}

TEST_P(Accepted, is_no_error_to_any_rule) {
  const auto unit = parse_file(GetParam());
  ASSERT_TRUE(unit) << unit.error().message;
  for (const auto& finding : lint(*unit, all_rules(), {.compile = {.version = unit->version()}}))
    if (finding.severity == Severity::error)
      ADD_FAILURE() << "line " << finding.place.range.begin.line << ": " << finding.message << " ["
                    << finding.rule << "]";
}

class Refused : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Refused, says_what_is_wrong_and_where) {
  const auto unit = parse_file(GetParam());
  ASSERT_TRUE(unit) << unit.error().message;
  auto found = errors(*unit);
  std::istringstream text(unit->source().text);
  std::string line;
  for (unsigned number = 1; std::getline(text, line); ++number) {
    constexpr std::string_view word = "// expect: ";
    const auto at = line.find(word);
    if (at == std::string::npos) continue;
    const auto expected = line.substr(at + word.size());
    const auto error = found.find(number);
    if (error == found.end()) {
      ADD_FAILURE() << "line " << number << " should be refused: " << expected;
      continue;
    }
    EXPECT_NE(error->second.find(expected), std::string::npos)
        << "line " << number << " says: " << error->second;
    found.erase(number);
  }
  for (const auto& [number, message] : found)
    ADD_FAILURE() << "line " << number << " should be accepted: " << message;
}

std::string stem(const testing::TestParamInfo<std::filesystem::path>& info) {
  return info.param.stem().string();
}
INSTANTIATE_TEST_SUITE_P(Metal, Accepted, testing::ValuesIn(files("accept")), stem);
// Each file has what projects in public ship and what was once refused: one cause, five times.
INSTANTIATE_TEST_SUITE_P(Projects, Accepted, testing::ValuesIn(files("accept/projects")), stem);
INSTANTIATE_TEST_SUITE_P(Metal, Refused, testing::ValuesIn(files("refuse")), stem);

}  // namespace
}  // namespace msci
