#include "lint/sarif.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "lint/pages.h"

namespace msci {
namespace {

using Json = nlohmann::json;

constexpr Rule warning;
constexpr Rule error{.severity = Severity::error};
constexpr std::string_view page =
    "# x\nFinds x. Always.\n## Why\nSo.\n```metal\nint x;\n```\nMore.\n";
const std::array<ListedRule, 3> rules{
    {{"hazard.x", page, &warning}, {"lint.y", page, &warning}, {"metal.x", page, &error}}};

Report report_on(std::string name) {
  return {.source = {std::move(name), "/* \xc3\xa9 */ int x;\n"},
          .findings = {{.rule = "metal.x",
                        .severity = Severity::error,
                        .range = {{1, 10}, {1, 13}},
                        .message = "wrong",
                        .notes = {{{{1, 14}, {1, 15}}, "this"}},
                        .fixes = {{.edits = {{{{1, 10}, {1, 13}}, "uint"}}, .safe = false}}}}};
}

Json run_of(const Linting& linting) { return Json::parse(to_sarif(linting, rules))["runs"][0]; }

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
}

TEST(Sarif, describes_the_rules_that_speak) {
  auto report = report_on("/abs.metal");
  report.allowed = {{{.rule = "hazard.x", .range = {{1, 1}, {1, 2}}}, "because"}};
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

TEST(Sarif, tells_of_files_that_could_not_be_checked) {
  EXPECT_EQ(run_of({})["invocations"][0], Json({{"executionSuccessful", true}}));
  const auto run = run_of({.errors = {{"cannot read \xff"}}});
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
            "cannot read \xef\xbf\xbd");
  EXPECT_EQ(run["results"], Json::array());
}

TEST(Page, says_what_the_rule_is_and_how_to_silence_it) {
  EXPECT_EQ(page_of(rules[0]),
            "# hazard.x\n\nSeverity: warning.\n\nFinds x. Always.\n\n## Why\n\nSo.\n\n"
            "```metal\nint x;\n```\n\nMore.\n\n## Silencing it\n\n"
            "At one place, on its line or the line before: "
            "`// msci: allow(hazard.x) why it is right here`.\n"
            "Everywhere: `--ignore hazard.x`, or in `.msci.json` `\"ignore\": [\"hazard.x\"]`.\n");
  EXPECT_NE(page_of(rules[1]).find("No comment can allow it"), std::string::npos);
  EXPECT_NE(page_of(rules[2]).find("As an error it cannot be allowed"), std::string::npos);
}

TEST(Pages, have_an_index_by_family) {
  const auto pages = pages_of(rules);
  EXPECT_EQ(pages.size(), 4u);
  EXPECT_NE(pages.at("README.md")
                .find("\n## metal\n\n| rule | severity | |\n|---|---|---|\n"
                      "| [metal.x](metal.x.md) | error | Finds x |\n"),
            std::string::npos);
  EXPECT_EQ(pages.at("lint.y.md"), page_of(rules[1]));
}

}  // namespace
}  // namespace msci
