#include <gtest/gtest.h>

#include <array>

#include "lint/fix.h"
#include "lint/lint.h"

namespace msci {
namespace {

constexpr Rule rule;
const std::array<ListedRule, 4> rules{{{"hazard.race", "", &rule},
                                       {"hazard.wrap", "", &rule},
                                       {"lint.bad_suppression", "", &rule},
                                       {"lint.unused_suppression", "", &rule}}};

Finding finding(std::string id, unsigned line, Severity severity = Severity::warning) {
  return {.rule = std::move(id), .severity = severity, .place = {"", {{line, 1}, {line, 2}}}};
}

// What is left of the findings, and what is said about suppressions: "line rule".
std::string left(const std::string& text, std::vector<Finding> findings, bool complete = true) {
  take_suppressed(findings, suppressions_in({"s.metal", text}, rules), complete);
  std::string said;
  for (const auto& each : findings)
    said += std::to_string(each.place.range.begin.line) + " " + each.rule + "\n";
  return said;
}

std::string after_fix(const std::string& text) {
  const Source source{"s.metal", text};
  std::vector<Finding> findings;
  take_suppressed(findings, suppressions_in(source, rules), true);
  return apply_fixes(source, findings, Fixes::safe).text;
}

TEST(Suppressions, allow_on_their_line) {
  EXPECT_EQ(left("int a;\nint b;  // msci: allow(hazard.race) why\nint c;\n",
                 {finding("hazard.race", 1), finding("hazard.race", 2), finding("hazard.race", 3)}),
            "1 hazard.race\n3 hazard.race\n");
  EXPECT_EQ(left("int b; /* msci: allow(hazard.race) why */\n", {finding("hazard.race", 1)}), "");
  EXPECT_EQ(left("/* msci: allow(hazard.race) why */ int b;\n", {finding("hazard.race", 1)}), "");
}

TEST(Suppressions, allow_on_the_next_line_of_code) {
  EXPECT_EQ(left("// msci: allow(hazard.race) why\nint a;\nint b;\n",
                 {finding("hazard.race", 2), finding("hazard.race", 3)}),
            "3 hazard.race\n");
  EXPECT_EQ(left("  // msci: allow(hazard.race) why,\n  // in two lines\n\nint a;\n",
                 {finding("hazard.race", 4)}),
            "");
  EXPECT_EQ(left("// msci: allow(hazard.race) why\n// msci: allow(hazard.wrap) why\nint a;\n",
                 {finding("hazard.race", 3), finding("hazard.wrap", 3)}),
            "");
}

TEST(Suppressions, on_the_line_of_a_note_say_where_the_finding_is) {
  auto race = finding("hazard.race", 3);
  race.notes = {{{"", {{1, 1}, {1, 2}}}, "the first access"}};
  std::vector<Finding> findings{race};
  const Source source{"s.metal", "int a;  // msci: allow(hazard.race) why\nint b;\nint c;\n"};
  take_suppressed(findings, suppressions_in(source, rules), true);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[1].message,
            "hazard.race reports line 3 and only explains this one; move the suppression there");
  EXPECT_TRUE(findings[1].fixes.empty());
}

TEST(Suppressions, allow_only_what_they_name) {
  EXPECT_EQ(left("int a;  // msci: allow(hazard.race, hazard.wrap) why\n",
                 {finding("hazard.race", 1), finding("hazard.wrap", 1)}),
            "");
  EXPECT_EQ(left("int a;  // msci: allow(hazard.race) why\n",
                 {finding("hazard.race", 1), finding("hazard.race", 1), finding("hazard.wrap", 1)}),
            "1 hazard.wrap\n");
}

TEST(Suppressions, allow_in_a_whole_file) {
  EXPECT_EQ(left("int a;\nint b;\n// msci: allow-file(hazard.race) why\n",
                 {finding("hazard.race", 1), finding("hazard.race", 2), finding("hazard.wrap", 2)}),
            "2 hazard.wrap\n");
}

TEST(Suppressions, allow_in_a_block) {
  const std::string text =
      "int a;\n"
      "// msci: allow-begin(hazard.race, hazard.wrap) why\n"
      "int b;\n"
      "// msci: allow-end(hazard.wrap)\n"
      "int c;  // msci: allow-end(hazard.race)\n"
      "int d;\n";
  const auto on_every_line = [](const char* rule) {
    std::vector<Finding> findings;
    for (unsigned line : {1, 3, 5, 6}) findings.push_back(finding(rule, line));
    return findings;
  };
  EXPECT_EQ(left(text, on_every_line("hazard.race"), false), "1 hazard.race\n6 hazard.race\n");
  EXPECT_EQ(left(text, on_every_line("hazard.wrap"), false),
            "1 hazard.wrap\n5 hazard.wrap\n6 hazard.wrap\n");
}

TEST(Suppressions, are_bad_where_a_block_lacks_an_end_or_a_beginning) {
  EXPECT_EQ(left("// msci: allow-begin(hazard.race) why\nint a;\n", {finding("hazard.race", 2)}),
            "2 hazard.race\n1 lint.bad_suppression\n");
  EXPECT_EQ(left("int a;\n// msci: allow-end(hazard.race)\n", {finding("hazard.race", 1)}),
            "1 hazard.race\n2 lint.bad_suppression\n");
  EXPECT_EQ(left("// msci: allow-begin(hazard.race)\nint a;\n", {}), "1 lint.bad_suppression\n");
}

TEST(Suppressions, keep_the_reason) {
  std::vector<Finding> findings{finding("hazard.race", 1)};
  const auto allowed = take_suppressed(
      findings, suppressions_in({"s", "int a;  //  msci:allow( hazard.race )  my own\r\n"}, rules),
      true);
  ASSERT_EQ(allowed.size(), 1u);
  EXPECT_EQ(allowed[0].reason, "my own");
  EXPECT_EQ(allowed[0].finding.rule, "hazard.race");
}

TEST(Suppressions, never_allow_an_error) {
  EXPECT_EQ(left("int a;  // msci: allow(hazard.race) why\n",
                 {finding("hazard.race", 1, Severity::error)}),
            "1 hazard.race\n1 lint.bad_suppression\n");
}

TEST(Suppressions, are_bad_without_a_reason_or_a_rule) {
  const std::string bad = "1 hazard.race\n1 lint.bad_suppression\n";
  for (const auto* comment :
       {"allow(hazard.race)", "allow(hazard.race)   ", "allow(hazard) why", "allow() why",
        "allow(hazard.rce) why", "allow(lint.unused_suppression) why", "allow hazard.race why",
        "ignore(hazard.race) why", "allow(hazard.race why", ""})
    EXPECT_EQ(left(std::string("int a;  // msci: ") + comment + "\n", {finding("hazard.race", 1)}),
              bad)
        << comment;
}

TEST(Suppressions, are_unused_only_where_every_rule_could_look) {
  const auto* text = "int a;  // msci: allow(hazard.race) why\n";
  EXPECT_EQ(left(text, {}), "1 lint.unused_suppression\n");
  EXPECT_EQ(left(text, {}, /*complete=*/false), "");
}

TEST(Suppressions, are_not_called_unused_where_another_build_may_use_them) {
  const std::string comment = "int a;  // msci: allow(hazard.race) why\n";
  EXPECT_EQ(left("#if 0\n" + comment + "#endif\n", {}), "");
  EXPECT_EQ(left("# ifdef A\nint b;\n#else\n" + comment + "#endif\n", {}), "");
  EXPECT_EQ(left("#ifndef A\n#endif\n" + comment, {}), "3 lint.unused_suppression\n");
}

TEST(Suppressions, are_not_read_from_code) {
  EXPECT_EQ(left("constant char a[] = \"// msci: allow(hazard.race)\";\n", {}), "");
  EXPECT_EQ(left("// What msci: says\n", {}), "");
  EXPECT_EQ(left("//", {}), "");
  EXPECT_EQ(left("/* msci: allow(hazard.race) why", {}), "");  // no comment without its end
}

TEST(Suppressions, go_where_they_are_unused) {
  EXPECT_EQ(after_fix("int a;  // msci: allow(hazard.race) why\nint b;\n"), "int a;\nint b;\n");
  EXPECT_EQ(after_fix("int a;\n  // msci: allow(hazard.race) why\nint b;\n"), "int a;\nint b;\n");
  EXPECT_EQ(after_fix("/* msci: allow(hazard.race) why */ int a;\n"), " int a;\n");
  EXPECT_EQ(
      after_fix("// msci: allow-begin(hazard.race) why\nint a;\n// msci: allow-end(hazard.race)\n"),
      "int a;\n");
}

TEST(Suppressions, lose_only_the_rule_that_is_unused) {
  const Source source{"s", "int a;  // msci: allow(hazard.race, hazard.wrap) why\n"};
  const auto without = [&](const char* used) {
    std::vector<Finding> findings{finding(used, 1)};
    take_suppressed(findings, suppressions_in(source, rules), true);
    return apply_fixes(source, findings, Fixes::safe).text;
  };
  EXPECT_EQ(without("hazard.race"), "int a;  // msci: allow(hazard.race) why\n");
  EXPECT_EQ(without("hazard.wrap"), "int a;  // msci: allow(hazard.wrap) why\n");
}

}  // namespace
}  // namespace msci
