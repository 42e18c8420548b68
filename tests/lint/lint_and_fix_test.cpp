#include "lint/lint_and_fix.h"

#include <gtest/gtest.h>

#include "lint/output/formats.h"
#include "tests/lint/program/lint_program.h"

namespace msci {
namespace {

// Its fix opens a bracket that nothing closes.
constinit const Rule faulty{.check = [](const Unit&, Reporter& report) {
  report(Place{"", {{1, 1}, {1, 2}}}, "something").fix({{{"", {{1, 1}, {1, 1}}}, "("}});
}};
constexpr ListedRule rules[] = {{"a.faulty", "# faulty\nFinds something.\n", &faulty}};

TEST(LintAndFix, warns_of_fixes_that_break_the_source) {
  const auto made = lint_and_fix({"k.metal", "int f() { return 1; }\n"}, rules, {}, {});
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->fixed);
  EXPECT_TRUE(made->fixes.empty());
  ASSERT_EQ(made->report.warnings.size(), 1u);
  EXPECT_TRUE(has(made->report.warnings[0], "the fixes of a.faulty are left out"));
  EXPECT_TRUE(has(to_sarif({.reports = {made->report}}, {.rules = rules}),
                  "\"text\": \"k.metal: the fixes of a.faulty are left out"));
}

TEST(FileReport, has_no_text_for_a_file_that_it_does_not_know) {
  const FileReport report{.source = {"k.metal", "int x;\n"}};
  const Place place{"elsewhere.h", {}};
  EXPECT_DEBUG_DEATH(EXPECT_EQ(report.source_of(place).name, "k.metal"), "a finding lies in");
}

}  // namespace
}  // namespace msci
