// Each source of corpus/versions is accepted by the versions of Metal that it names, and refused by
// all others (corpus/README.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include "lint/at_versions.h"
#include "lint/flags/version_range.h"
#include "lint/lint.h"
#include "lint/target/targets.h"
#include "rules/rules.h"
#include "tests/support/folder.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

struct VersionCase {
  std::string name;
  unsigned first = 0, last = ~0u;   // accepted from and up to; none if first is greater
  std::string message;              // what the others say
  std::optional<GpuFamily> family;  // the oldest that has what the source uses; none: all
  std::string text;
};

std::ostream& operator<<(std::ostream& out, const VersionCase& each) { return out << each.name; }

unsigned number_of(const std::string& word) {
  const auto version = language_version(word);
  EXPECT_TRUE(version) << word;
  return version ? version->number : 0;
}

// "metal3.1..", "..metal4.0", "..", "none"
void read_range(const std::string& range, VersionCase& each) {
  if (range == "none") {
    each.first = ~0u, each.last = 0;
    return;
  }
  const auto dots = range.find("..");
  ASSERT_NE(dots, std::string::npos) << range;
  if (dots > 0) each.first = number_of(range.substr(0, dots));
  if (dots + 2 < range.size()) each.last = number_of(range.substr(dots + 2));
}

std::optional<GpuFamily> family_of(const std::string& word) {
  for (const auto& row : family_rows())
    if (row.name == word) return row.family;
  return std::nullopt;
}

// NAME: VERSIONS | FAMILY | MESSAGE
VersionCase read_head(const std::string& head) {
  VersionCase each;
  std::vector<std::string> parts;
  for (std::size_t at = 0; at != std::string::npos;) {
    const auto bar = head.find(" | ", at);
    parts.push_back(head.substr(at, bar == std::string::npos ? bar : bar - at));
    at = bar == std::string::npos ? bar : bar + 3;
  }
  const auto colon = parts[0].find(": ");
  each.name = parts[0].substr(0, colon);
  read_range(parts[0].substr(colon + 2), each);
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (const auto family = family_of(parts[i]))
      each.family = family;
    else
      each.message = parts[i];
  return each;
}

std::vector<VersionCase> all_cases() {
  constexpr std::string_view start = "// --- ";
  std::vector<VersionCase> all;
  for (const auto& entry : fs::directory_iterator(MSCI_CORPUS "/versions")) {
    if (entry.path().extension() != ".metal") continue;
    std::istringstream lines(contents(entry.path()));
    const auto first = all.size();
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(start)) {
        all.push_back(read_head(line.substr(start.size())));
        all.back().name = entry.path().stem().string() + "_" + all.back().name;
      } else if (all.size() > first) {
        all.back().text += line + "\n";
      }
  }
  std::ranges::sort(all, {}, &VersionCase::name);
  return all;
}

class Versions : public testing::TestWithParam<VersionCase> {};

TEST_P(Versions, accept_and_refuse) {
  const auto& expected = GetParam();
  // The headers of the oldest versions are not prebuilt, so only what they differ in is tried
  // there.
  const bool is_old = expected.first > 100 && expected.first <= 230;
  for (const auto version : language_versions()) {
    if (version.number < 230 && !is_old) continue;
    const auto report = examine({"source.metal", expected.text}, all_rules(),
                                {.compile = {.version = version}, .select = {"metal"}});
    ASSERT_TRUE(report) << report.error().message;
    const bool accepts = expected.first <= version.number && version.number <= expected.last;
    EXPECT_EQ(report->valid(), accepts) << spelling_of(version);
    std::string said;
    for (const auto& finding : report->findings)
      if (finding.severity == Severity::error) said += finding.message + "\n";
    if (accepts)
      EXPECT_EQ(said, "") << spelling_of(version);
    else
      EXPECT_NE(said.find(expected.message), std::string::npos) << spelling_of(version) << "\n"
                                                                << said;
  }
}

// What rules about devices say at the newest version that accepts a source.
std::vector<Finding> findings_on(const GpuTarget& gpu, const VersionCase& source) {
  LintRequest request{.select = {"resource.target", "resource.threadgroup_memory"}};
  for (const auto version : language_versions())
    if (source.first <= version.number && version.number <= source.last)
      request.compile.version = version;
  request.contract.targets.gpus = {gpu};
  const auto report = examine({"source.metal", source.text}, all_rules(), request);
  EXPECT_TRUE(report) << report.error().message;
  return report ? report->findings : std::vector<Finding>();
}

// A family that lacks what a source uses gets a warning, since only the device refuses it. The
// oldest that has it gets none, and neither does Mac2.
TEST_P(Versions, warn_for_families_that_lack_something) {
  const auto& source = GetParam();
  if (source.first > source.last) return;  // no version accepts it
  const auto newest = source.family.value_or(GpuFamily::Apple2);
  for (const auto& row : family_rows()) {
    if (row.apple_generation() > 0 && row.family > newest) continue;
    const auto findings = findings_on({"the_gpu", row.family}, source);
    const bool lacks = source.family && row.apple_generation() > 0 && row.family < *source.family;
    EXPECT_EQ(findings.empty(), !lacks)
        << row.name << (findings.empty() ? "" : findings[0].message);
    for (const auto& finding : findings) EXPECT_EQ(finding.severity, Severity::warning);
  }
}

// Where a finding holds, as "rule line:column message" and the versions.
using Where = std::map<std::string, std::vector<unsigned>>;

void add(Where& where, const Finding& finding, std::span<const LanguageVersion> versions) {
  const auto begin = finding.place.range.begin;
  auto& at = where[finding.rule + " " + finding.place.file + " " + std::to_string(begin.line) +
                   ":" + std::to_string(begin.column) + " " + finding.message];
  for (const auto version : versions) at.push_back(version.number);
}

// All versions at once say what each of them says alone.
TEST_P(Versions, say_together_what_each_says) {
  const Source source{"source.metal", GetParam().text};
  Where alone, together;
  const auto versions = *language_version_range("2.3..");
  for (const auto version : versions) {
    const auto report = examine(source, all_rules(), {.compile = {.version = version}});
    ASSERT_TRUE(report) << report.error().message;
    for (const auto& finding : report->findings) add(alone, finding, {{version}});
  }
  const auto report = examine(source, all_rules(), {.versions = versions});
  ASSERT_TRUE(report) << report.error().message;
  for (const auto& finding : report->findings) add(together, finding, finding.versions);
  EXPECT_EQ(together, alone);
}

INSTANTIATE_TEST_SUITE_P(Metal, Versions, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.name; });

std::string spelled(std::string_view text) {
  const auto versions = language_version_range(text);
  if (!versions) return versions.error().message;
  std::string list;
  for (const auto version : *versions) list += spelling_of(version) + " ";
  return list;
}

TEST(VersionRange, is_a_version_a_range_a_list_or_all) {
  EXPECT_EQ(spelled("metal3.1"), "metal3.1 ");
  EXPECT_EQ(spelled("3.0..4.0"), "metal3.0 metal3.1 metal3.2 metal4.0 ");
  EXPECT_EQ(spelled("metal4.0.."), "metal4.0 metal4.1 ");
  EXPECT_EQ(spelled("..metal1.1"), "metal1.0 metal1.1 ");
  EXPECT_EQ(spelled("4.1,macos-metal2.3"), "metal2.3 metal4.1 ");
  EXPECT_EQ(spelled("metal3.1,3.1"), "metal3.1 ");
  EXPECT_EQ(language_version_range("all")->size(), language_versions().size());
}

TEST(VersionRange, says_what_is_wrong) {
  EXPECT_NE(spelled("metal9.9").find("metal9.9"), std::string::npos);
  EXPECT_NE(spelled("").find("metal4.1"), std::string::npos);
  EXPECT_EQ(spelled("4.0..3.0"),
            "the range of versions '4.0..3.0' is empty: metal4.0 is newer than metal3.0");
}

TEST(VersionsText, names_runs) {
  const auto text = [](std::string_view versions) {
    return versions_text({.versions = *language_version_range(versions)});
  };
  EXPECT_EQ(text("3.0..4.0,4.1"), "metal3.0 to metal4.1");
  EXPECT_EQ(text("2.3..3.0,4.0,4.1"), "metal2.3 to metal3.0, metal4.0, metal4.1");
  EXPECT_EQ(text("3.1"), "metal3.1");
  EXPECT_EQ(versions_text({}), "");
}

TEST(VersionCases, are_many) {
  const auto all = all_cases();
  EXPECT_GE(all.size(), 120u);
  EXPECT_GE(std::ranges::count_if(all, [](const auto& each) { return each.family.has_value(); }),
            60);
}

}  // namespace
}  // namespace msci
