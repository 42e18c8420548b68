#include "base/io/report.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

TEST(Report, passes_no_control_characters_to_a_terminal) {
  EXPECT_EQ(report_text("the worker said: \033]0;x\a\033[31m\r"), "the worker said: ?]0;x??[31m?");
}

TEST(Report, indents_the_lines_after_the_first) {
  EXPECT_EQ(report_text("one\nmsci-eval: two\nthree\n"), "one\n  msci-eval: two\n  three");
}

TEST(Report, writes_the_program_and_returns_2) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(report_error("msci-x", {"cannot read \033a"}), 2);
  report_warning("msci-x", "odd\033");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "msci-x: cannot read ?a\nmsci-x: warning: odd?\n");
}

}  // namespace
}  // namespace msci
