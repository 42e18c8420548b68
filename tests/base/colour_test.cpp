#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "base/io/terminal.h"

namespace msci {
namespace {

bool has_colour(const std::map<std::string, std::string>& environment, std::string_view choice,
                bool is_terminal) {
  for (const auto* name : {"NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM"}) ::unsetenv(name);
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  return colour_for(choice, is_terminal) == Colour::ansi;
}

TEST(Colour, is_for_terminals_by_default) {
  EXPECT_TRUE(has_colour({}, "auto", true));
  EXPECT_FALSE(has_colour({}, "auto", false));
  EXPECT_FALSE(has_colour({{"TERM", "dumb"}}, "auto", true));
}

TEST(Colour, follows_the_environment) {
  EXPECT_FALSE(has_colour({{"NO_COLOR", "1"}}, "auto", true));
  EXPECT_TRUE(has_colour({{"NO_COLOR", ""}}, "auto", true));  // empty counts as unset
  EXPECT_TRUE(has_colour({{"FORCE_COLOR", "1"}}, "auto", false));
  EXPECT_FALSE(has_colour({{"FORCE_COLOR", "0"}}, "auto", false));
  EXPECT_TRUE(has_colour({{"CLICOLOR_FORCE", "1"}, {"TERM", "dumb"}}, "auto", false));
  EXPECT_FALSE(has_colour({{"NO_COLOR", "1"}, {"FORCE_COLOR", "1"}}, "auto", true));
}

TEST(Colour, follows_the_option_before_the_environment) {
  EXPECT_TRUE(has_colour({{"NO_COLOR", "1"}}, "always", false));
  EXPECT_FALSE(has_colour({{"FORCE_COLOR", "1"}}, "never", true));
}

}  // namespace
}  // namespace msci
