// Each option of msci-eval changes what it names, in each mode that accepts it, or is refused
// there.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "base/command_line/parse.h"
#include "evaluator/options/eval_options.h"
#include "tests/support/run_program.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// A line of options/examples.txt.
struct Example {
  std::string mode, option, command, words, shows;

  // The test that shows it instead; empty if a command does.
  std::string elsewhere() const {
    constexpr std::string_view mark = "elsewhere ";
    return shows.starts_with(mark) ? shows.substr(mark.size()) : "";
  }
};

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::vector<Example> read_examples() {
  std::vector<Example> examples;
  std::ifstream file(MSCI_OPTIONS "/examples.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with("#")) continue;
    std::array<std::string, 5> parts;
    std::size_t begin = 0;
    for (auto& part : parts) {
      const auto end = line.find('~', begin);
      part = trimmed(line.substr(begin, end - begin));
      begin = end == line.npos ? line.size() : end + 1;
    }
    examples.push_back({parts[0], parts[1], parts[2], parts[3], parts[4]});
  }
  return examples;
}

const std::vector<Example>& examples() {
  static const auto all = read_examples();
  return all;
}

std::string name_of(const OptionRow& row) {
  const std::string names = row.names;
  return names.substr(0, names.find(','));
}

// What an example in a mode names: the kind of an option, or the option.
std::string group_of(const OptionRow& row) {
  return *row.traits.kind ? row.traits.kind : name_of(row);
}

std::vector<OptionRow> rows_of_msci_eval() {
  static EvaluatorOptions options;
  std::vector<OptionRow> rows;
  for (const auto& group : table_of(options))
    rows.insert(rows.end(), group.rows.begin(), group.rows.end());
  return rows;
}

bool is_mode(const OptionRow& row) { return row.traits.kind == std::string_view("mode"); }

const Example* find_example(const std::string& mode, const std::string& option) {
  const auto& all = examples();
  const auto found = std::ranges::find_if(
      all, [&](const Example& each) { return each.mode == mode && each.option == option; });
  return found == all.end() ? nullptr : &*found;
}

// The words that set an option: those of any example of it.
std::string words_of(const std::string& option) {
  for (const auto& each : examples())
    if (each.option == option && !each.words.empty()) return each.words;
  return option;
}

// Why the command line is refused; empty if it is not.
std::string refusal_of(const std::string& line) {
  EvaluatorOptions options;
  CLI::App app("", "msci-eval");
  declare(app, options);
  std::istringstream text("msci-eval " + line);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  const auto parsed = parse_command_line(app, static_cast<int>(argv.size()), argv.data());
  return parsed ? "" : parsed.error().message;
}

TEST(OptionEffects, each_option_has_an_example) {
  for (const auto& row : rows_of_msci_eval())
    EXPECT_TRUE(std::ranges::any_of(
        examples(), [&](const Example& each) { return each.option == name_of(row); }))
        << "tests/evaluator/options/examples.txt must say what " << name_of(row) << " changes";
}

TEST(OptionEffects, an_option_beside_a_mode_has_an_example_there_or_is_refused) {
  const auto rows = rows_of_msci_eval();
  for (const auto& mode : rows) {
    if (!is_mode(mode)) continue;
    const auto mode_words = words_of(name_of(mode));
    for (const auto& row : rows) {
      const auto option = name_of(row);
      if (option == name_of(mode) || option == "--color") continue;  // of text alone
      if (mode_words.find(option) != mode_words.npos) continue;
      const auto refusal = refusal_of(mode_words + " " + words_of(option));
      const auto name = name_of(mode).substr(2);
      const bool has_example = find_example(name, group_of(row)) || find_example(name, option);
      EXPECT_EQ(refusal.empty(), has_example)
          << mode_words << " " << words_of(option) << ": "
          << (refusal.empty() ? "accepted, without an example" : refusal);
    }
  }
}

class OptionEffect : public testing::TestWithParam<Example> {
 protected:
  std::string output_of(const std::string& words) {
    const Folder folder;
    fs::copy(MSCI_OPTIONS "/files", folder.path(), fs::copy_options::recursive);
    const auto programs = fs::path(program_path("msci-eval")).parent_path().string();
    const auto script =
        folder.write("run.sh", "cd '" + folder.path().string() + "'\n" + GetParam().command + "\n");
    const auto ran = run_command("XDG_CACHE_HOME='" MSCI_TEST_CACHE "' PATH='" + programs +
                                     "':\"$PATH\" words='" + words + "' sh " + script,
                                 folder);
    return ran.out + ran.err;
  }
};

TEST_P(OptionEffect, shows_with_the_option_only) {
  auto shows = GetParam().shows;
  constexpr std::string_view mark = "not ";
  const bool hides = shows.starts_with(mark);
  const std::regex pattern(hides ? shows.substr(mark.size()) : shows,
                           std::regex::ECMAScript | std::regex::multiline);
  const auto plain = output_of(""), with = output_of(GetParam().words);
  EXPECT_EQ(std::regex_search(plain, pattern), hides) << "without:\n" << plain;
  EXPECT_EQ(std::regex_search(with, pattern), !hides) << "with " << GetParam().words << ":\n"
                                                      << with;
}

std::vector<Example> examples_to_run() {
  std::vector<Example> run;
  for (const auto& each : examples())
    if (each.elsewhere().empty()) run.push_back(each);
  return run;
}

INSTANTIATE_TEST_SUITE_P(MsciEval, OptionEffect, testing::ValuesIn(examples_to_run()),
                         [](const auto& info) {
                           auto name = info.param.mode + info.param.option;
                           std::erase_if(name, [](char each) { return !std::isalnum(each); });
                           return name + "_" + std::to_string(info.index);
                         });

}  // namespace
}  // namespace msci
