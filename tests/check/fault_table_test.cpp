// faults.def is complete, and docs/reference/faults.md agrees with it.
#include "analysis/check/fault_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace msci {
namespace {

std::string page() {
  std::ifstream file(MSCI_FAULTS_PAGE);
  return {std::istreambuf_iterator<char>(file), {}};
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
  const auto names = matches(page(), "`check\\.(\\w+)`");
  EXPECT_FALSE(names.empty());
  for (const auto& name : names) EXPECT_TRUE(find_kind(name)) << name << " is not in faults.def";
}

TEST(FaultTable, has_each_kind_on_the_page) {
  const auto names = matches(page(), "`check\\.(\\w+)`");
  for (const auto& kind : all_fault_kinds())
    EXPECT_TRUE(names.contains(std::string(kind.name))) << kind.name << " is not on the page";
}

TEST(FaultTable, confirms_rules_that_exist) {
  const auto docs = std::filesystem::path(MSCI_FAULTS_PAGE).parent_path().parent_path();
  for (const auto& kind : all_fault_kinds())
    for (const auto rule : kind.rules) {
      auto page = std::string(rule) + ".md";
      page.replace(page.find('.'), 1, "/");
      EXPECT_TRUE(std::filesystem::exists(docs.parent_path() / "rules" / page)) << rule;
    }
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

TEST(FaultTable, lists_the_rules_that_a_kind_confirms) {
  EXPECT_TRUE(find_kind("misaligned")->rules.empty());
  const std::regex with_rules("\ncheck.inactive_lane [^\n]*\n {38}confirms hazard.simd_lane\n");
  const std::regex without_rules("\ncheck.misaligned [^\n]*\ncheck.");
  EXPECT_TRUE(std::regex_search(list_fault_kinds(), with_rules)) << list_fault_kinds();
  EXPECT_TRUE(std::regex_search(list_fault_kinds(), without_rules)) << list_fault_kinds();
}

// Faults of a kind, of all accesses and with all that decides their words.
std::vector<Fault> faults_of(Fault::Kind kind) {
  std::vector<Fault> faults;
  for (const auto access :
       {AccessKind::read, AccessKind::write, AccessKind::update, AccessKind::atomic_write,
        AccessKind::call_entry, AccessKind::call_pointer, AccessKind::add, AccessKind::store_back})
    for (const bool has_other : {false, true})
      for (const auto* other_kernel : {"", "other"})
        for (const auto* object : {"", "x"})
          for (const std::size_t numbers : {0, 5}) {
            Fault fault{.kind = kind,
                        .kernel = "k",
                        .access = {.kind = access},
                        .other_kernel = other_kernel,
                        .object = object,
                        .numbers = std::vector<std::uint64_t>(numbers)};
            if (has_other) fault.conflicting_access = {.location_id = 1, .kind = access};
            faults.push_back(std::move(fault));
          }
  return faults;
}

TEST(FaultTable, has_words_for_each_fault) {
  const auto is_filled = [](const std::string& words) {
    return !words.empty() && words.find_first_of("{}") == std::string::npos;
  };
  for (const auto& kind : all_fault_kinds())
    for (const auto& fault : faults_of(kind.kind)) {
      const auto finding = describe(fault, {});
      EXPECT_EQ(finding.id, finding_id(kind.kind));
      EXPECT_EQ(finding.severity, kind.severity);
      EXPECT_TRUE(is_filled(finding.message)) << kind.name << ": " << finding.message;
      for (const auto& note : finding.notes)
        EXPECT_TRUE(is_filled(note.message)) << kind.name << ": " << note.message;
    }
}

TEST(FaultTable, finds_a_kind_by_the_id_of_its_findings) {
  for (const auto& kind : all_fault_kinds())
    EXPECT_EQ(kind_of_finding(finding_id(kind.kind)), &kind) << kind.name;
  for (const auto* id : {"", "race", "check.", "check.nothing", "hazard.race"})
    EXPECT_EQ(kind_of_finding(id), nullptr) << id;
}

}  // namespace
}  // namespace msci
