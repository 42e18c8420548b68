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

TEST(Fixed, changes_nothing_without_fixes) { EXPECT_EQ(fixed(source, {Finding{}}), source.text); }

}  // namespace
}  // namespace msci
