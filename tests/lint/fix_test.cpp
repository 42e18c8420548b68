#include "lint/fix.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

const Source source{"s.metal", "one two\nthree\n"};

Finding with(std::vector<Edit> edits) { return {.fixes = {{.edits = std::move(edits)}}}; }

TEST(Fixed, replaces_inserts_and_removes) {
  EXPECT_EQ(fixed(source, {with({{{{1, 1}, {1, 4}}, "1"}})}), "1 two\nthree\n");
  EXPECT_EQ(fixed(source, {with({{{{2, 1}, {2, 1}}, "and "}})}), "one two\nand three\n");
  EXPECT_EQ(fixed(source, {with({{{{1, 4}, {2, 1}}, ""}})}), "onethree\n");
}

TEST(Fixed, takes_the_edits_of_several_findings_in_any_order) {
  const auto three = with({{{{2, 1}, {2, 6}}, "3"}});
  const auto one = with({{{{1, 1}, {1, 4}}, "1"}});
  EXPECT_EQ(fixed(source, {three, one}), "1 two\n3\n");
}

TEST(Fixed, leaves_out_a_fix_that_touches_another) {
  const auto first = with({{{{1, 1}, {1, 4}}, "1"}});
  const auto clash = with({{{{1, 2}, {1, 6}}, "x"}, {{{2, 1}, {2, 6}}, "y"}});
  EXPECT_EQ(fixed(source, {first, clash}), "1 two\nthree\n");
}

TEST(Fixed, inserts_before_what_it_replaces) {
  const auto replaces = with({{{{1, 1}, {1, 4}}, "1"}});
  const auto inserts = with({{{{1, 1}, {1, 1}}, "0 "}});
  EXPECT_EQ(fixed(source, {replaces, inserts}), "0 1 two\nthree\n");
}

TEST(Fixed, takes_the_same_insertion_once) {
  const auto inserts = with({{{{1, 1}, {1, 1}}, "0 "}});
  EXPECT_EQ(fixed(source, {inserts, inserts}), "0 one two\nthree\n");
}

TEST(Fix, is_safe_where_it_must_be) {
  Finding finding = with({{{{1, 1}, {1, 4}}, "unsafe"}});
  finding.fixes[0].safe = false;
  EXPECT_EQ(fix(source, {finding}, Fixes::safe).fixes, 0u);
  EXPECT_EQ(fix(source, {finding}, Fixes::safe).text, source.text);
  EXPECT_EQ(fix(source, {finding}, Fixes::all).text, "unsafe two\nthree\n");
  finding.fixes.push_back({.edits = {{{{1, 1}, {1, 4}}, "safe"}}});
  EXPECT_EQ(fix(source, {finding}, Fixes::safe).text, "safe two\nthree\n");
  EXPECT_EQ(fix(source, {finding}, Fixes::safe).fixes, 1u);
}

TEST(Fixed, changes_nothing_without_fixes) { EXPECT_EQ(fixed(source, {Finding{}}), source.text); }

}  // namespace
}  // namespace msci
