#include <gtest/gtest.h>

#include <array>

#include "base/json.h"
#include "lint/output/formats.h"
#include "lint/output/rule_pages.h"

namespace msci {
namespace {

using Json = nlohmann::json;

constexpr Rule warning;
constexpr Rule error{.severity = Severity::error};
constexpr std::string_view page =
    "# x\nFinds x. Always.\n## Why\nSo.\n```metal\nint x;\n```\nMore.\n";
const std::array<ListedRule, 3> rules{
    {{"hazard.x", page, &warning}, {"lint.y", page, &warning}, {"metal.x", page, &error}}};

FileReport report_on(std::string name) {
  return {
      .source = {std::move(name), "/* \xc3\xa9 */ int x;\n"},
      .findings = {{.rule = "metal.x",
                    .severity = Severity::error,
                    .place = {"", {{1, 10}, {1, 13}}},
                    .message = "wrong",
                    .notes = {{{"", {{1, 14}, {1, 15}}}, "this"}},
                    .fixes = {{.edits = {{{"", {{1, 10}, {1, 13}}}, "uint"}}, .safe = false}}}}};
}

Json run_of(const RunResult& result) {
  return Json::parse(to_sarif(result, {.rules = rules}))["runs"][0];
}

TEST(Sarif, places_a_result_in_characters) {
  const auto result = run_of({.reports = {report_on("./a b.metal")}})["results"][0];
  EXPECT_EQ(result["ruleId"], "metal.x");
  EXPECT_EQ(result["ruleIndex"], 0);
  EXPECT_EQ(result["level"], "error");
  const auto& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "a%20b.metal");
  EXPECT_EQ(place["region"],
            Json({{"startLine", 1}, {"startColumn", 9}, {"endLine", 1}, {"endColumn", 12}}));
  EXPECT_EQ(result["relatedLocations"][0]["message"]["text"], "this");
  const auto& replacement = result["fixes"][0]["artifactChanges"][0]["replacements"][0];
  EXPECT_EQ(replacement["deletedRegion"], place["region"]);
  EXPECT_EQ(replacement["insertedContent"]["text"], "uint");
  EXPECT_EQ(result["fixes"][0]["description"]["text"],
            "replace 'int' with 'uint' (review it before you apply it)");
}

TEST(Sarif, describes_the_rules_that_speak) {
  auto report = report_on("/abs.metal");
  report.suppressed = {{{.rule = "hazard.x", .place = {"", {{1, 1}, {1, 2}}}}, "because"}};
  const auto run = run_of({.reports = {report}});
  const auto& described = run["tool"]["driver"]["rules"];
  ASSERT_EQ(described.size(), 2u);
  EXPECT_EQ(described[0]["id"], "hazard.x");
  EXPECT_EQ(described[0]["shortDescription"]["text"], "Finds x.");
  EXPECT_EQ(described[0]["help"]["markdown"], page_of(rules[0]));
  EXPECT_EQ(described[1]["defaultConfiguration"]["level"], "error");
  EXPECT_EQ(run["results"][0]["ruleIndex"], 1);
  EXPECT_EQ(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "file:///abs.metal");
  EXPECT_FALSE(run["results"][0].contains("suppressions"));
  EXPECT_EQ(run["results"][1]["suppressions"],
            Json::array({{{"kind", "inSource"}, {"justification", "because"}}}));
}

// Code scanning runs on another machine, which lacks the folder.
TEST(Sarif, has_no_links_to_files) {
  const auto text = to_sarif({.reports = {report_on("a.metal")}},
                             {.rules = rules, .rule_pages = RulePages("/usr/doc/rules")});
  EXPECT_EQ(text.find("file:///"), std::string::npos);
}

TEST(Sarif, links_to_pages_and_identifies_findings) {
  const auto report = report_on("a.metal");
  auto twice = report;
  twice.findings.push_back(twice.findings[0]);
  const RunResult result{.reports = {twice, report}};
  const auto run = Json::parse(to_sarif(
      result, {.rules = rules, .rule_pages = RulePages("https://docs.invalid/rules")}))["runs"][0];
  const auto& driver = run["tool"]["driver"];
  EXPECT_EQ(driver["informationUri"], "https://docs.invalid/rules/README.md");
  EXPECT_EQ(driver["rules"][0]["helpUri"], "https://docs.invalid/rules/metal/x.md");
  const auto fingerprint = [&](int i) -> std::string {
    return run["results"][i]["partialFingerprints"]["msciFinding/v1"];
  };
  EXPECT_EQ(fingerprint(0).size(), 16u);
  EXPECT_NE(fingerprint(0), fingerprint(1));  // equal findings of a report are counted
  EXPECT_EQ(fingerprint(0), fingerprint(2));  // and do not depend on other reports
  auto moved = report;
  moved.source.text.insert(0, "\n");
  for (auto* place : {&moved.findings[0].place.range.begin, &moved.findings[0].place.range.end})
    ++place->line;
  EXPECT_EQ(run_of({.reports = {moved}})["results"][0]["partialFingerprints"]["msciFinding/v1"],
            fingerprint(0));
  EXPECT_FALSE(run_of(result)["tool"]["driver"].contains("informationUri"));
}

TEST(Sarif, tells_of_files_that_could_not_be_checked) {
  EXPECT_EQ(run_of({})["invocations"][0], Json({{"executionSuccessful", true}}));
  const auto run = run_of({.errors = {{"cannot read \xff"}}});
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
            "cannot read \xef\xbf\xbd");
  EXPECT_EQ(run["results"], Json::array());
}

TEST(Page, says_what_the_rule_is_and_how_to_suppress_it) {
  EXPECT_EQ(
      page_of(rules[0]),
      "# hazard.x\n\nSeverity: warning.\n\nFinds x. Always.\n\n## Why\n\nSo.\n\n"
      "```metal\nint x;\n```\n\nMore.\n\n## Suppression\n\n"
      "For one place, on its line or the line before: `// msci: allow(hazard.x) reason`.\n"
      "For all files: `--ignore hazard.x`, or `\"ignore\": [\"hazard.x\"]` in `.msci.json`.\n");
  EXPECT_NE(page_of(rules[1]).find("Comments cannot suppress this rule"), std::string::npos);
  EXPECT_NE(page_of(rules[2]).find("Comments cannot suppress an error"), std::string::npos);
}

TEST(RuleIndex, lists_rules_by_family) {
  const auto index = index_of(rules);
  EXPECT_TRUE(index.starts_with("# Rules\n\n`msci-lint --explain RULE` prints a page."));
  EXPECT_NE(index.find("\n## metal\n\n| rule | severity | fix | summary |\n|---|---|---|---|\n"
                       "| [metal.x](metal/x.md) | error | none | Finds x |\n"),
            std::string::npos);
}

TEST(RuleIndex, takes_fixes_from_the_blocks_of_a_page) {
  const auto listed = [](std::string_view text) { return ListedRule{"hazard.x", text, &warning}; };
  EXPECT_EQ(fix_of(listed("```metal\n```\n")), FixAvailability::none);
  EXPECT_EQ(fix_of(listed("```metal\n```\n```metal fixed unsafe\n```\n")), FixAvailability::unsafe);
  EXPECT_EQ(fix_of(listed("```metal fixed unsafe\n```\n```metal fixed\n```\n")),
            FixAvailability::safe);
}

}  // namespace
}  // namespace msci
