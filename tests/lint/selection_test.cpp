#include "lint/selection.h"

#include <gtest/gtest.h>

#include <array>

namespace msci {
namespace {

constexpr Rule rule;
const std::array<ListedRule, 4> rules{{{"hazard.race", "", &rule},
                                       {"hazard.wrap", "", &rule},
                                       {"metal.restrict", "", &rule},
                                       {"slow.pow", "", &rule}}};

// The rules that speak, by their names without the family.
std::string speaking(const LintRequest& request) {
  std::string names;
  for (const auto& each : rules)
    if (selected(each, request)) names += std::string(each.id.substr(each.id.find('.') + 1)) + " ";
  return names;
}

std::string error_of(const LintRequest& request) {
  const auto result = validated(request, rules);
  return result ? "none" : result.error().message;
}

TEST(Selection, takes_ids_and_families_with_or_without_the_dot) {
  EXPECT_EQ(speaking({}), "race wrap restrict pow ");
  EXPECT_EQ(speaking({.select = {"hazard"}}), "race wrap ");
  EXPECT_EQ(speaking({.select = {"hazard."}}), "race wrap ");
  EXPECT_EQ(speaking({.select = {"slow", "hazard.wrap"}}), "wrap pow ");
  EXPECT_EQ(speaking({.ignore = {"hazard."}}), "restrict pow ");
}

TEST(Selection, counts_an_id_for_more_than_a_family) {
  EXPECT_EQ(speaking({.select = {"hazard.race"}, .ignore = {"hazard"}}), "race ");
  EXPECT_EQ(speaking({.select = {"hazard"}, .ignore = {"hazard.race"}}), "wrap ");
  EXPECT_EQ(speaking({.select = {"hazard"}, .ignore = {"hazard"}}), "");
}

TEST(Selection, turns_rules_off) {
  EXPECT_EQ(speaking({.overrides = {{"hazard", {}}}}), "restrict pow ");
  EXPECT_EQ(speaking({.overrides = {{"hazard.race", Severity::note}, {"hazard", {}}}}),
            "race restrict pow ");
}

TEST(Selection, lays_severities_over_the_rules_own) {
  const LintRequest request{.overrides = {{"hazard", Severity::error},
                                          {"hazard.", Severity::note},
                                          {"slow.pow", Severity::error},
                                          {"slow", Severity::note}}};
  EXPECT_EQ(severity_of(Severity::warning, rules[0], request), Severity::note);  // the last one
  EXPECT_EQ(severity_of(Severity::warning, rules[2], request), Severity::warning);
  EXPECT_EQ(severity_of(Severity::warning, rules[3], request), Severity::error);  // the id
}

TEST(Selection, names_the_nearest_of_an_unknown_word) {
  EXPECT_EQ(error_of({.select = {"hazard.", "metal.restrict"}}), "none");
  EXPECT_EQ(error_of({.select = {"hazrd"}}),
            "no rule or family is called \"hazrd\"; did you mean \"hazard\"?");
  EXPECT_EQ(error_of({.ignore = {"metal.restict"}}),
            "no rule or family is called \"metal.restict\"; did you mean \"metal.restrict\"?");
  EXPECT_EQ(error_of({.overrides = {{"wrap", Severity::note}}}),
            "no rule or family is called \"wrap\"; did you mean \"hazard.wrap\"?");
  EXPECT_EQ(error_of({.select = {"xyzzy"}}),
            "no rule or family is called \"xyzzy\"; see --list-rules");
  EXPECT_NE(error_of({.select = {""}}), "none");
  EXPECT_NE(error_of({.select = {"."}}), "none");
  EXPECT_NE(error_of({.select = {"hazard.r"}}), "none");
}

TEST(Selection, reads_overrides) {
  EXPECT_EQ(*override_from("hazard=note"), (Override{"hazard", Severity::note}));
  EXPECT_EQ(*override_from("slow.pow=off"), (Override{"slow.pow", {}}));
  EXPECT_FALSE(override_from("hazard"));
  EXPECT_FALSE(override_from("=note"));
  EXPECT_FALSE(override_from("hazard="));
  EXPECT_FALSE(override_from("hazard=fatal"));
}

}  // namespace
}  // namespace msci
