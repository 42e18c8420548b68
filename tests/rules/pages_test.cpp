// Every block of every rule's page does what the page says.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>

#include "evaluator/find_kernel_resources.h"
#include "lint/fix.h"
#include "lint/lint.h"
#include "lint/output/rule_pages.h"
#include "lint/run/lint_files.h"
#include "rules/rules.h"
#include "tasks/plan/task.h"
#include "tests/lint/examples.h"

namespace msci {
namespace {

struct PageExample {
  ListedRule rule;
  Example example;
};

std::vector<PageExample> all_examples() {
  std::vector<PageExample> all;
  for (const auto& rule : all_rules())
    for (auto& example : examples_in(rule.page)) all.push_back({rule, std::move(example)});
  return all;
}

std::string name_of(const testing::TestParamInfo<PageExample>& info) {
  std::string name(info.param.rule.id);
  std::replace(name.begin(), name.end(), '.', '_');
  return name + "_line_" + std::to_string(info.param.example.page_line);
}

// A task of the benchmark, or a plan of the corpus.
void expect_task(Contract& contract, const std::string& name) {
  setenv("MSCI_TASK_PATH", MSCI_CORPUS "/images", 0);
  const auto task = find_task(name);
  if (!task) return ADD_FAILURE() << task.error().message, void();
  contract.from = "the task " + name;
  for (const auto& kernel : (*task)->kernels) contract.kernels.push_back(kernel);
}

// The extension of the files of a language.
std::string extension_of(const std::string& language) {
  if (language == "python") return ".py";
  if (language == "rust") return ".rs";
  return language == "swift" ? ".swift" : ".mm";
}

LintRequest request_for(const PageExample& page) {
  LintRequest request{.select = {std::string(page.rule.id)}};
  for (const auto& word : page.example.words) {
    if (const auto version = language_version(word)) request.compile.version = *version;
    if (word.starts_with("target=")) {
      const auto targets = targets_from(word.substr(7));
      EXPECT_TRUE(targets) << word;
      if (targets) request.contract.targets = *targets;
    }
    if (word.starts_with("kernel=")) request.contract.kernels.push_back({word.substr(7)});
  }
  request.contract.from = "the example";
  if (std::ranges::count(page.example.words, "occupancy") > 0)
    request.find_resources = find_kernel_resources;
  for (const auto& word : page.example.words)
    if (word.starts_with("task=")) expect_task(request.contract, word.substr(5));
  if (!page.example.host.empty())
    request.contract.host = std::make_shared<const Host>(
        read_host({{"host" + extension_of(page.example.host_language), page.example.host}}));
  return request;
}

Result<FileReport> examine(const PageExample& page) {
  const auto& example = page.example;
  if (!is_embedded(example))
    return examine({"example.metal", example.text}, all_rules(), request_for(page));
  const Source host{"example" + extension_of(example.words.front()), example.text};
  auto result = lint_embedded(host, all_rules(), request_for(page), std::nullopt);
  if (!result) return result.error();
  return std::move(result->report);
}

std::string described(const Finding& finding) {
  return std::to_string(finding.place.range.begin.line) + ": " + finding.message + " [" +
         finding.rule + "]";
}

class Pages : public testing::TestWithParam<PageExample> {};

TEST_P(Pages, ExampleHolds) {
  const auto& [rule, example] = GetParam();
  const auto report = examine(GetParam());
  ASSERT_TRUE(report) << report.error().message;
  auto in_source = example.expected;
  auto in_host = example.expected_of_host;
  for (const auto& finding : report->findings) {
    auto& waiting = finding.place.file.empty() ? in_source : in_host;
    const auto found =
        std::find_if(waiting.begin(), waiting.end(), [&](const ExpectedFinding& expected) {
          return expected.line == finding.place.range.begin.line && finding.rule == rule.id &&
                 finding.message.find(expected.message) != std::string::npos;
        });
    if (found == waiting.end())
      ADD_FAILURE() << "not expected: " << described(finding) << "\n"
                    << example.text << example.host;
    else
      waiting.erase(found);
  }
  for (const auto* waiting : {&in_source, &in_host})
    for (const auto& expected : *waiting)
      ADD_FAILURE() << "missing: " << expected.line << ": " << expected.message << "\n"
                    << example.text << example.host;
  if (!example.fixed.empty()) {
    const auto which = example.fix_is_safe ? Fixes::safe : Fixes::all;
    EXPECT_EQ(apply_fixes(report->source, report->findings, which).text, example.fixed);
    EXPECT_EQ(!apply_fixes(report->source, report->findings, Fixes::safe).fixes.empty(),
              example.fix_is_safe);
  }
  for (const auto& finding : report->findings)
    for (const auto& each : finding.fixes)
      EXPECT_GE(fix_of(rule), each.safe ? FixAvailability::safe : FixAvailability::unsafe)
          << "the page needs a `metal fixed` block for " << described(finding);
}

// The findings of a file with their notes. Places in the file have no name.
std::multiset<std::string> findings_in(const std::string& file, const FileReport& report) {
  const auto text_of = [&](Place place) {
    if (place.file == file) place.file.clear();
    return to_string(place, "");
  };
  std::multiset<std::string> all;
  for (const auto& finding : report.findings) {
    if (finding.place.file != file) continue;
    auto text = fmt::format("{}: {}", text_of(finding.place), described(finding));
    for (const auto& note : finding.notes)
      text += fmt::format("; {}: {}", text_of(note.place), note.message);
    all.insert(std::move(text));
  }
  return all;
}

// A rule does not notice whether it reports in the source or in a file that the source includes.
TEST_P(Pages, ExampleHoldsInAnIncludedFile) {
  const auto& [rule, example] = GetParam();
  // These speak of the source as a whole, or of what only the source itself may have.
  constexpr std::array of_source = {"lint.bad_suppression", "lint.unused_suppression",
                                    "degenerate.no_kernel", "degenerate.missing_kernel",
                                    "lint.partial_source",  "security.include"};
  if (std::ranges::count(of_source, rule.id) > 0)
    GTEST_SKIP() << "this rule speaks of the source as a whole";
  const auto folder = std::filesystem::temp_directory_path() /
                      fmt::format("msci_pages_{}_{}", ::getpid(), example.page_line);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "example.h") << example.text;
  auto request = request_for(GetParam());
  const auto alone = examine({"example.metal", example.text}, all_rules(), request);
  request.compile.readable_folders.push_back(folder.string());
  const auto included = examine({(folder / "kernel.metal").string(), "#include \"example.h\"\n"},
                                all_rules(), request);
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(alone && included);
  EXPECT_EQ(findings_in("", *alone), findings_in((folder / "example.h").string(), *included))
      << example.text;
}

INSTANTIATE_TEST_SUITE_P(Rules, Pages, testing::ValuesIn(all_examples()), name_of);

// Examples show more than one shape of a flaw, and more than one thing that only looks like it.
constexpr std::size_t fewest_examples = 3;

class Page : public testing::TestWithParam<ListedRule> {};

TEST_P(Page, HasTheUsualSections) {
  const auto& rule = GetParam();
  const auto stem = rule.id.substr(rule.family().size() + 1);
  EXPECT_TRUE(rule.page.starts_with("# " + std::string(stem) + "\n"));
  EXPECT_FALSE(rule.summary().empty());
  EXPECT_NE(rule.page.find("\n## Why\n"), std::string_view::npos);
  const auto examples = examples_in(rule.page);
  std::size_t flagged = 0, not_flagged = 0;
  for (const auto& example : examples) {
    if (example.section == "Flagged")
      flagged += example.expected.size() + example.expected_of_host.size();
    if (example.section == "Not flagged") ++not_flagged;
  }
  EXPECT_GE(flagged, fewest_examples);
  EXPECT_GE(not_flagged, fewest_examples);
  for (const auto& example : examples)
    EXPECT_EQ(example.section == "Flagged",
              !example.expected.empty() || !example.expected_of_host.empty())
        << example.text;
}

INSTANTIATE_TEST_SUITE_P(Rules, Page, testing::ValuesIn(all_rules().begin(), all_rules().end()),
                         [](const auto& info) {
                           std::string name(info.param.id);
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace msci
