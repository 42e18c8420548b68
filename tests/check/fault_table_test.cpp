// docs/checked_mode.md agrees with faults.def.
#include "instrument/check/fault_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace msci {
namespace {

std::string page() {
  std::ifstream file(MSCI_CHECKED_MODE_PAGE);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The text between two words of the page.
std::string part(const std::string& from, const std::string& to) {
  const auto text = page();
  const auto begin = text.find(from);
  const auto end = text.find(to, begin + from.size());
  EXPECT_TRUE(begin != std::string::npos && end != std::string::npos) << from;
  return begin == std::string::npos ? "" : text.substr(begin, end - begin);
}

std::set<std::string> matches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
    found.insert((*at)[1]);
  return found;
}

// A kind of the table with that name; null if there is none.
const FaultKind* find_kind(const std::string& name) {
  const auto found = std::ranges::find(all_fault_kinds(), name, &FaultKind::name);
  return found == all_fault_kinds().end() ? nullptr : &*found;
}

TEST(FaultTable, is_in_the_order_of_the_kinds) {
  ASSERT_EQ(all_fault_kinds().size(), fault_kinds);
  for (unsigned i = 0; i < fault_kinds; ++i)
    EXPECT_EQ(all_fault_kinds()[i].kind, static_cast<Fault::Kind>(i));
}

TEST(FaultTable, has_the_kinds_that_the_page_names) {
  auto names = matches(page(), "`check\\.(\\w+)`");
  EXPECT_FALSE(names.empty());
  names.erase("assumption");  // of the author; the page says that the table lacks it
  for (const auto& name : names) EXPECT_TRUE(find_kind(name)) << name << " is not in faults.def";
}

TEST(FaultTable, lists_each_kind_with_its_severity_and_meaning) {
  const auto list = list_fault_kinds();
  for (const auto& kind : all_fault_kinds()) {
    EXPECT_FALSE(kind.meaning.empty()) << kind.name;
    const std::regex line("check\\." + std::string(kind.name) + " +" +
                          std::string(to_string(kind.severity)) + " +[a-z][^\n]*[^.\n]\n");
    EXPECT_TRUE(std::regex_search(list, line)) << kind.name << " in\n" << list;
  }
}

TEST(FaultTable, confirms_the_rules_of_the_page) {
  const auto text = part("| fault | rules, all `hazard.` |", "The other kinds have no rule");
  std::set<std::string> named;
  const std::regex row("\\n\\|([^|\\n]*check\\.[^|\\n]*)\\|([^|\\n]*)\\|");
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    std::set<std::string> rules;
    for (const auto& rule : matches((*at)[2], "`(\\w+)`")) rules.insert("hazard." + rule);
    for (const auto& name : matches((*at)[1], "`check\\.(\\w+)`")) {
      named.insert(name);
      const auto* kind = find_kind(name);
      ASSERT_TRUE(kind) << name << " is not in faults.def";
      EXPECT_EQ(std::set<std::string>(kind->rules.begin(), kind->rules.end()), rules) << name;
    }
  }
  EXPECT_FALSE(named.empty());
  for (const auto& kind : all_fault_kinds())
    EXPECT_TRUE(kind.rules.empty() || named.contains(std::string(kind.name)))
        << "the page does not say which rules " << kind.name << " confirms";
}

}  // namespace
}  // namespace msci
