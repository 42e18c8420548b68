#include "lint/baseline.h"

#include <gtest/gtest.h>

#include "tests/support/folder.h"

namespace msci {
namespace {

Finding finding(unsigned line, std::string rule = "hazard.race",
                Severity severity = Severity::warning) {
  return {.rule = std::move(rule),
          .severity = severity,
          .place = {"", {{line, 1}, {line, 2}}},
          .message = "a race"};
}

FileReport report_on(std::string text, std::vector<Finding> findings) {
  return {
      .source = {"s.metal", std::move(text)}, .compiled = true, .findings = std::move(findings)};
}

// The number of findings in `after` that the baseline of `before` does not hold.
std::size_t new_findings(const FileReport& before, FileReport after) {
  auto baseline = baseline_of({before});
  remove_known(after, baseline);
  return after.findings.size();
}

TEST(Baseline, recognises_a_finding_after_its_line_moved) {
  const auto before = report_on("int a;\n", {finding(1)});
  EXPECT_EQ(new_findings(before, report_on("\n\n  int a;\n", {finding(3)})), 0u);
  EXPECT_EQ(new_findings(before, report_on("int b;\n", {finding(1)})), 1u);
  EXPECT_EQ(new_findings(before, report_on("int a;\n", {finding(1, "hazard.wrap")})), 1u);
}

TEST(Baseline, counts_equal_findings) {
  const auto before = report_on("int a;\n", {finding(1)});
  EXPECT_EQ(new_findings(before, report_on("int a;\nint a;\n", {finding(1), finding(2)})), 1u);
}

TEST(Baseline, keeps_files_apart) {
  const auto before = report_on("int a;\n", {finding(1)});
  auto after = before;
  after.source.name = "t.metal";
  EXPECT_EQ(new_findings(before, after), 1u);
}

TEST(Baseline, knows_a_finding_of_an_included_file_in_each_report) {
  auto includes = report_on("#include \"h.h\"\n", {finding(1)});
  includes.findings[0].place.file = "h.h";
  includes.included = {{"h.h", "int a;\n"}};
  auto other = includes;
  other.source.name = "t.metal";
  const auto baseline = baseline_of({includes, other});
  ASSERT_EQ(baseline.size(), 1u);
  EXPECT_EQ(baseline.begin()->second.count, 1u);
  for (const auto* name : {"s.metal", "t.metal", "new.metal"}) {
    auto after = includes;
    after.source.name = name;
    EXPECT_EQ(remove_known(after, baseline).size(), 1u) << name;
    EXPECT_TRUE(after.findings.empty()) << name;
  }
}

TEST(Baseline, never_hides_errors_of_the_compiler) {
  const auto refused = report_on("int a;\n", {finding(1, "metal.restrict", Severity::error)});
  EXPECT_EQ(new_findings(refused, refused), 1u);
  const auto raised = report_on("int a;\n", {finding(1, "hazard.race", Severity::error)});
  EXPECT_EQ(new_findings(raised, raised), 0u);
}

TEST(Baseline, is_read_as_it_was_written) {
  const Folder folder;
  auto report = report_on("int \"a\xff\";\nint \"a\xff\";\n", {finding(1), finding(2)});
  report.findings.push_back(finding(1, "metal.restrict", Severity::error));
  report.findings.push_back(finding(1, "hazard.wrap", Severity::note));
  const auto baseline = baseline_of({report});
  EXPECT_EQ(baseline.size(), 3u);
  const auto path = folder / "known.json";
  folder.write("known.json", to_json(baseline, path));
  EXPECT_EQ(*read_baseline(path), baseline);
  EXPECT_EQ(*read_baseline(folder.write("empty.json", to_json(Baseline{}, path))), Baseline{});
}

TEST(Baseline, names_files_relative_to_its_folder) {
  const Folder folder;
  auto report = report_on("int a;\n", {finding(1)});
  report.source.name = folder / "src/s.metal";
  const auto text = to_json(baseline_of({report}), folder / "known.json");
  EXPECT_NE(text.find(R"("file":"src/s.metal")"), std::string::npos) << text;
}

TEST(Baseline, is_read_without_severities) {
  const Folder folder;
  const auto path = folder.write(
      "known.json", R"({"msci_baseline": 1, "findings": [{"file": "s.metal", "rule": "hazard.race",
                        "message": "a race", "line": "int a;", "count": 1}]})");
  auto report = report_on("int a;\n", {finding(1)});
  report.source.name = folder / "s.metal";
  const auto baseline = read_baseline(path);
  ASSERT_TRUE(baseline) << baseline.error().message;
  EXPECT_EQ(remove_known(report, *baseline).size(), 1u);
}

TEST(Baseline, says_what_is_none) {
  const Folder folder;
  EXPECT_FALSE(read_baseline(folder / "absent.json"));
  for (const auto* text : {"[]", "{}", "no json", R"({"msci_baseline": 2, "findings": []})",
                           R"({"msci_baseline": 1, "findings": [{"file": 3}]})"})
    EXPECT_FALSE(read_baseline(folder.write("b.json", text))) << text;
}

}  // namespace
}  // namespace msci
