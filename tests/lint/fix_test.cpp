#include "lint/fix.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

const Source source{"s.metal", "one two\nthree\n"};

Finding with(std::vector<Edit> edits) { return {.fixes = {{.edits = std::move(edits)}}}; }

// The text after the fixes.
std::string fixed(const std::vector<Finding>& findings) {
  return apply_fixes(source, findings, Fixes::all).text;
}

TEST(ApplyFixes, replaces_inserts_and_removes) {
  EXPECT_EQ(fixed({with({{{"", {{1, 1}, {1, 4}}}, "1"}})}), "1 two\nthree\n");
  EXPECT_EQ(fixed({with({{{"", {{2, 1}, {2, 1}}}, "and "}})}), "one two\nand three\n");
  EXPECT_EQ(fixed({with({{{"", {{1, 4}, {2, 1}}}, ""}})}), "onethree\n");
}

TEST(ApplyFixes, takes_the_edits_of_several_findings_in_any_order) {
  const auto three = with({{{"", {{2, 1}, {2, 6}}}, "3"}});
  const auto one = with({{{"", {{1, 1}, {1, 4}}}, "1"}});
  EXPECT_EQ(fixed({three, one}), "1 two\n3\n");
}

TEST(ApplyFixes, leaves_out_a_fix_that_touches_another) {
  const auto first = with({{{"", {{1, 1}, {1, 4}}}, "1"}});
  const auto clash = with({{{"", {{1, 2}, {1, 6}}}, "x"}, {{"", {{2, 1}, {2, 6}}}, "y"}});
  EXPECT_EQ(fixed({first, clash}), "1 two\nthree\n");
}

TEST(ApplyFixes, inserts_before_what_it_replaces) {
  const auto replaces = with({{{"", {{1, 1}, {1, 4}}}, "1"}});
  const auto inserts = with({{{"", {{1, 1}, {1, 1}}}, "0 "}});
  EXPECT_EQ(fixed({replaces, inserts}), "0 1 two\nthree\n");
}

TEST(ApplyFixes, takes_the_same_insertion_once) {
  const auto inserts = with({{{"", {{1, 1}, {1, 1}}}, "0 "}});
  EXPECT_EQ(fixed({inserts, inserts}), "0 one two\nthree\n");
}

TEST(ApplyFixes, keeps_the_line_ends_of_the_source) {
  const Source dos{"s.metal", "one\r\ntwo\r\n"};
  const auto inserts = with({{{"", {{2, 1}, {2, 1}}}, "a\nb\r\n"}});
  EXPECT_EQ(apply_fixes(dos, {inserts}, Fixes::all).text, "one\r\na\r\nb\r\ntwo\r\n");
}

TEST(ApplyFixes, keeps_the_line_end_of_each_line) {
  const Source mixed{"s.metal", "one\r\ntwo\nthree\r\nfour"};
  const auto at = [](unsigned line) { return with({{{"", {{line, 1}, {line, 1}}}, "a\n"}}); };
  EXPECT_EQ(apply_fixes(mixed, {at(1), at(2), at(3), at(4)}, Fixes::all).text,
            "a\r\none\r\na\ntwo\na\r\nthree\r\na\r\nfour");
  EXPECT_EQ(apply_fixes({"s.metal", "one"}, {at(1)}, Fixes::all).text, "a\none");
}

TEST(Fix, is_safe_where_it_must_be) {
  Finding finding = with({{{"", {{1, 1}, {1, 4}}}, "unsafe"}});
  finding.fixes[0].safe = false;
  EXPECT_EQ(apply_fixes(source, {finding}, Fixes::safe).fixes.size(), 0u);
  EXPECT_EQ(apply_fixes(source, {finding}, Fixes::safe).text, source.text);
  EXPECT_EQ(apply_fixes(source, {finding}, Fixes::all).text, "unsafe two\nthree\n");
  finding.fixes.push_back({.edits = {{{"", {{1, 1}, {1, 4}}}, "safe"}}});
  EXPECT_EQ(apply_fixes(source, {finding}, Fixes::safe).text, "safe two\nthree\n");
  EXPECT_EQ(apply_fixes(source, {finding}, Fixes::safe).fixes.size(), 1u);
}

TEST(ApplyFixes, lists_the_edits_and_the_rules) {
  auto first = with({{{"", {{2, 1}, {2, 6}}}, "3"}});
  auto second = with({{{"", {{1, 1}, {1, 4}}}, "1"}});
  first.rule = "a.first";
  second.rule = "a.second";
  const auto done = apply_fixes(source, {first, second}, Fixes::safe);
  EXPECT_EQ(done.edits, (std::vector<Edit>{second.fixes[0].edits[0], first.fixes[0].edits[0]}));
  EXPECT_EQ(done.fixes, (std::vector<std::string>{"a.first", "a.second"}));
}

TEST(ApplyFixes, changes_nothing_without_fixes) { EXPECT_EQ(fixed({Finding{}}), source.text); }

}  // namespace
}  // namespace msci
