#include "lint/output/formats.h"

#include <gtest/gtest.h>

#include <set>

#include "base/json.h"

namespace msci {
namespace {

FileReport report_on(std::string text, Range range) {
  return {.source = {"s.metal", std::move(text)},
          .compiled = true,
          .kernels = {"f"},
          .findings = {{.rule = "metal.restrict",
                        .severity = Severity::error,
                        .place = {"", range},
                        .message = "expected ')'"}}};
}

TEST(Text, puts_the_caret_below_the_place_after_tabs) {
  EXPECT_EQ(to_text(report_on("\tint x;\n", {{1, 6}, {1, 7}})),
            "s.metal:1:6: error: expected ')' [metal.restrict]\n"
            "    \tint x;\n"
            "    \t    ^\n");
}

TEST(Text, marks_a_range_to_the_end_of_its_line) {
  EXPECT_EQ(to_text(report_on("one\ntwo\n", {{1, 2}, {2, 2}})),
            "s.metal:1:2: error: expected ')' [metal.restrict]\n"
            "    one\n"
            "     ^~\n");
}

TEST(Text, cuts_long_lines_around_the_caret) {
  const auto text = to_text(report_on(std::string(100000, 'x'), {{1, 50001}, {1, 50002}}));
  EXPECT_LT(text.size(), 500u);
  EXPECT_NE(text.find("\n    " + std::string(160, 'x') + "\n    " + std::string(80, ' ') + "^\n"),
            std::string::npos);
}

TEST(Text, removes_control_characters_from_file_names) {
  auto report = report_on("x\n", {{1, 1}, {1, 2}});
  report.source.name = "\033[2Js.metal";
  EXPECT_EQ(to_text(report).find('\033'), std::string::npos);
}

TEST(Text, links_to_the_page_of_the_rule_on_terminals) {
  const auto report = report_on("x\n", {{1, 1}, {1, 2}});
  const RulePages pages("/usr/doc/rules/");
  EXPECT_EQ(to_text(report, {.rule_pages = pages}).find('\033'), std::string::npos);
  const auto text = to_text(report, {.colour = Colour::ansi, .rule_pages = pages});
  EXPECT_NE(text.find("[\033]8;;file:///usr/doc/rules/metal/restrict.md\033\\metal.restrict"
                      "\033]8;;\033\\]\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(to_text(report, {.colour = Colour::ansi}).find("]8;;"), std::string::npos);
}

TEST(RulePages, have_addresses_in_a_folder_or_on_a_site) {
  EXPECT_EQ(RulePages("https://docs.invalid/rules/").url_of("metal.restrict"),
            "https://docs.invalid/rules/metal/restrict.md");
  const RulePages site("https://docs.invalid/rules/{rule}/#why");
  EXPECT_EQ(site.url_of("metal.restrict"), "https://docs.invalid/rules/metal/restrict/#why");
  EXPECT_EQ(site.index(), "https://docs.invalid/rules/");
  EXPECT_EQ(RulePages("/a b").index(), "file:///a%20b/README.md");
  EXPECT_EQ(RulePages("").url_of("metal.restrict"), "");
}

TEST(Json, links_to_the_page_of_the_rule) {
  const auto url = [](const RulePages& pages) {
    const auto json = to_json(report_on("x\n", {{1, 1}, {1, 2}}), pages);
    return nlohmann::json::parse(json)["diagnostics"][0]["url"];
  };
  EXPECT_EQ(url(RulePages("/rules")), "file:///rules/metal/restrict.md");
  EXPECT_EQ(url({}), nullptr);
}

TEST(Summary, counts) {
  Totals totals;
  totals.files = 2;
  EXPECT_EQ(summary(totals), "2 files: nothing found\n");
  totals.counts = {.errors = 1, .warnings = 2};
  EXPECT_EQ(summary(totals), "2 files: 1 error, 2 warnings, 0 notes\n");
}

TEST(Summary, says_what_is_not_proved) {
  auto report = report_on("x\n", {{1, 1}, {1, 2}});
  report.findings.clear();
  const auto text = [&] { return summary(totals_of({.reports = {report}})); };
  report.proofs = ProofCoverage{.kernels = std::vector<std::string>(9)};
  EXPECT_EQ(text(), "1 file: nothing found\n");
  report.proofs->unproved = {{"f", "budget", ""}, {"g", "budget", ""}};
  EXPECT_EQ(text(), "1 file: nothing found; not proved: 2 of 9 kernels: budget\n");
  report.proofs->unproved.push_back({"h", "too large", ""});
  EXPECT_EQ(text(), "1 file: nothing found; not proved: 3 of 9 kernels: 2 budget, 1 too large\n");
  report.proofs->unproved[0] = {"f", "not translated", "it uses meshes"};
  EXPECT_EQ(to_statistics({.reports = {report}}, {.summary = false}),
            "not proved: s.metal: f: not translated: it uses meshes\n"
            "not proved: s.metal: g: budget\nnot proved: s.metal: h: too large\n");
  report.proofs->off = "libz3.so.4 is missing";
  EXPECT_EQ(text(), "1 file: nothing found; proofs are off: libz3.so.4 is missing\n");
}

TEST(Json, names_the_type_of_regression) {
  const auto type = [](std::string rule) {
    auto report = report_on("x\n", {{1, 1}, {1, 2}});
    report.findings[0].rule = std::move(rule);
    return nlohmann::json::parse(to_json(report))["regression_type"];
  };
  EXPECT_EQ(type("metal.restrict"), nullptr);
  EXPECT_EQ(type("degenerate.no_kernel"), 1);
  EXPECT_EQ(type("degenerate.undispatched_kernel"), 2);
  EXPECT_EQ(type("degenerate.single_thread"), 3);
}

TEST(Json, replaces_malformed_utf8) {
  auto report = report_on("x\n", {{1, 1}, {1, 2}});
  report.source.name = "\xff.metal";
  EXPECT_EQ(nlohmann::json::parse(to_json(report))["file"], "\xef\xbf\xbd.metal");
}

TEST(Formats, tell_of_a_source_that_was_not_checked_to_its_end) {
  RunResult result{.reports = {FileReport{.source = {"k.metal", "text"}}}};
  result.reports[0].error = "it takes more than 10 s of processor time";
  const std::string why =
      "k.metal could not be checked to its end: it takes more than 10 s of processor time";
  const auto json = nlohmann::json::parse(to_json(result.reports[0]));
  EXPECT_TRUE(json["valid"].is_null());
  EXPECT_EQ(json["error"], *result.reports[0].error);
  const auto run = nlohmann::json::parse(to_sarif(result, {}))["runs"][0]["invocations"][0];
  EXPECT_EQ(run["executionSuccessful"], false);
  EXPECT_EQ(run["toolExecutionNotifications"][0]["message"]["text"], why);
  EXPECT_EQ(to_github(result, {}), "::error title=msci-lint::" + why + "\n");
  EXPECT_NE(to_junit(result, {}).find("failures=\"0\" errors=\"1\""), std::string::npos);
  EXPECT_EQ(to_text(result, {}), "1 file: nothing found; 1 not checked to the end\n");
}

TEST(Github, writes_a_command_for_each_finding) {
  auto report = report_on("x y\n", {{1, 1}, {1, 2}});
  report.source.name = "a,b:c.metal";
  report.findings[0].message = "50% of\nit";
  EXPECT_EQ(to_github({.reports = {report}, .errors = {}}, {}),
            "::error file=a%2Cb%3Ac.metal,line=1,endLine=1,col=1,endColumn=2,"
            "title=metal.restrict::50%25 of%0Ait\n");
  report.findings[0].severity = Severity::note;
  report.findings[0].place.range.end = {2, 1};
  EXPECT_EQ(to_github({.reports = {report}, .errors = {}}, {}),
            "::notice file=a%2Cb%3Ac.metal,line=1,endLine=2,title=metal.restrict::50%25 of%0Ait\n");
}

TEST(Github, annotates_a_shared_finding_once) {
  auto report = report_on("x y\n", {{1, 1}, {1, 2}});
  report.included.push_back({"shared.h", "x y\n"});
  report.findings[0].place.file = "shared.h";
  auto other = report;
  other.source.name = "other.metal";
  const auto once = to_github({.reports = {report}, .errors = {}}, {});
  EXPECT_EQ(once.find("::error file=shared.h,"), 0u) << once;
  EXPECT_EQ(to_github({.reports = {report, other}, .errors = {}}, {}), once);
  SharedFindings said;
  EXPECT_EQ(to_github({.reports = {report}, .errors = {}}, {.said = &said}), once);
  EXPECT_EQ(to_github({.reports = {other}, .errors = {}}, {.said = &said}), "");
}

TEST(Formats, print_reports_under_their_names) {
  const RunResult result{.reports = {report_on("x\n", {{1, 1}, {1, 2}})}, .errors = {}};
  std::set<std::string_view> names;
  for (const auto& format : output_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_FALSE(format.description.empty()) << format.name;
    EXPECT_NE(format.write(result, {}).find("metal.restrict"), std::string::npos) << format.name;
  }
  EXPECT_EQ(output_formats().front().name, "text") << "the default";
}

TEST(Gitlab, keeps_fingerprints_when_lines_move_and_distinguishes_equal_findings) {
  const auto prints = [](const FileReport& report) {
    std::vector<std::string> prints;
    for (const auto& each :
         nlohmann::json::parse(to_gitlab({.reports = {report}, .errors = {}}, {})))
      prints.push_back(each["fingerprint"]);
    return prints;
  };
  auto report = report_on("x y\n", {{1, 1}, {1, 2}});
  report.source.name = "./src/a.metal";
  const auto once = nlohmann::json::parse(to_gitlab({.reports = {report}, .errors = {}}, {}));
  EXPECT_EQ(once[0]["severity"], "major");
  EXPECT_EQ(once[0]["check_name"], "metal.restrict");
  EXPECT_EQ(once[0]["location"],
            (nlohmann::json{{"path", "src/a.metal"}, {"lines", {{"begin", 1}}}}));

  auto moved = report;
  moved.source.text = "\n\nx y\n";
  moved.findings[0].place.range = {{3, 1}, {3, 2}};
  EXPECT_EQ(prints(moved), prints(report));

  auto twice = report;
  twice.findings.push_back(twice.findings[0]);
  EXPECT_EQ(prints(twice)[0], prints(report)[0]);
  EXPECT_NE(prints(twice)[1], prints(report)[0]);
  EXPECT_EQ(nlohmann::json::parse(to_gitlab({}, {})), nlohmann::json::array());
}

TEST(Checkstyle, has_an_element_for_each_file_and_finding) {
  auto report = report_on("x < y\n", {{1, 3}, {1, 4}});
  report.source.name = "a&b.metal";
  report.findings[0].severity = Severity::note;
  report.error = "it took too long";
  EXPECT_EQ(to_checkstyle({.reports = {report}, .errors = {{"cannot read c"}}}, {}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<checkstyle version=\"4.3\">\n"
            "  <file name=\"a&amp;b.metal\">\n"
            "    <error line=\"1\" column=\"3\" severity=\"info\" message=\"expected &#39;)&#39;\" "
            "source=\"metal.restrict\"/>\n"
            "    <error severity=\"error\" message=\"it took too long\" source=\"msci-lint\"/>\n"
            "  </file>\n"
            "  <file name=\"msci-lint\">\n"
            "    <error severity=\"error\" message=\"cannot read c\" source=\"msci-lint\"/>\n"
            "  </file>\n"
            "</checkstyle>\n");
}

TEST(Statistics, count_the_findings_and_the_safe_fixes_of_each_rule) {
  auto report = report_on("x\n", {{1, 1}, {1, 2}});
  const auto restricted = report.findings[0];
  report.findings = {restricted, restricted, restricted};
  report.findings[0].rule = "hazard.simd_lane";
  report.findings[1].fixes = {{.edits = {}, .safe = true}};
  report.findings[2].fixes = {{.edits = {}, .safe = false}};
  EXPECT_EQ(to_statistics({.reports = {report}, .errors = {}}, {}),
            "     2  metal.restrict  1 with a safe fix\n"
            "     1  hazard.simd_lane\n"
            "1 file: 3 errors, 0 warnings, 0 notes\n");
}

TEST(Junit, only_errors_are_failures) {
  auto report = report_on("x\n", {{1, 1}, {1, 2}});
  report.findings[0].message = "'<' & \"\x01\"";
  report.findings.push_back(report.findings[0]);
  report.findings[1].severity = Severity::warning;
  FileReport clean{.source = {"clean.metal", ""}};
  EXPECT_EQ(
      to_junit({.reports = {report, clean}, .errors = {{"cannot read b"}}}, {}),
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"s.metal\" tests=\"2\" failures=\"1\" errors=\"0\">\n"
      "    <testcase name=\"metal.restrict at 1:1\" classname=\"s.metal\"><failure "
      "type=\"metal.restrict\" message=\"&#39;&lt;&#39; &amp; "
      "&quot;\xef\xbf\xbd&quot;\">s.metal:1:1: "
      "error: "
      "&#39;&lt;&#39; &amp; &quot;\xef\xbf\xbd&quot;</failure></testcase>\n"
      "    <testcase name=\"metal.restrict at 1:1\" classname=\"s.metal\"><system-out>s.metal:1:1: "
      "warning: &#39;&lt;&#39; &amp; &quot;\xef\xbf\xbd&quot;</system-out></testcase>\n"
      "  </testsuite>\n"
      "  <testsuite name=\"clean.metal\" tests=\"1\" failures=\"0\" errors=\"0\">\n"
      "    <testcase name=\"msci-lint\" classname=\"clean.metal\"></testcase>\n"
      "  </testsuite>\n"
      "  <testsuite name=\"msci-lint\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
      "    <testcase name=\"cannot read b\" classname=\"msci-lint\"><error message=\"cannot read "
      "b\"/></testcase>\n"
      "  </testsuite>\n"
      "</testsuites>\n");
}

}  // namespace
}  // namespace msci
