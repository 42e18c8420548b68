#include "tests/lint/examples.h"

#include <algorithm>
#include <cassert>
#include <sstream>

namespace msci {
namespace {

constexpr std::string_view fence = "```";
constexpr std::string_view expect = "// expect: ";

std::vector<std::string> raw_tokens(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool has_word(const Example& example, std::string_view word) {
  return std::find(example.words.begin(), example.words.end(), word) != example.words.end();
}

}  // namespace

bool is_embedded(const Example& example) { return has_word(example, "embedded"); }

std::vector<ExpectedFinding> expected_findings_in(const std::string& text) {
  std::istringstream lines(text);
  std::vector<ExpectedFinding> expected;
  unsigned number = 0;
  std::vector<std::string> waiting;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto at = line.find(expect);
    const auto message = at == std::string::npos ? "" : line.substr(at + expect.size());
    if (at != std::string::npos && line.find_first_not_of(' ') == at) {
      waiting.push_back(message);
      continue;
    }
    for (auto& each : waiting) expected.push_back({number, std::move(each)});
    waiting.clear();
    if (at != std::string::npos) expected.push_back({number, message});
  }
  return expected;
}

std::vector<Example> examples_in(std::string_view page) {
  std::istringstream lines{std::string(page)};
  std::vector<Example> examples;
  std::string section;
  unsigned number = 0;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with(fence)) {
      inside = !inside;
      if (!inside) continue;
      examples.push_back({.page_line = number + 1,
                          .section = section,
                          .words = raw_tokens(line.substr(fence.size()))});
    } else if (inside) {
      examples.back().text += line + "\n";
    } else if (line.starts_with("## ")) {
      section = line.substr(3);
    }
  }
  std::erase_if(examples, [](const Example& each) {
    return each.words.empty() ||
           (each.words.front() != "metal" && !has_word(each, "host") && !is_embedded(each));
  });
  for (std::size_t i = examples.size(); i-- > 1;) {
    const bool is_fixed = has_word(examples[i], "fixed");
    if (!is_fixed && !has_word(examples[i], "host")) continue;
    (is_fixed ? examples[i - 1].fixed : examples[i - 1].host) = examples[i].text;
    if (!is_fixed) examples[i - 1].host_language = examples[i].words.front();
    if (is_fixed) examples[i - 1].fix_is_safe = !has_word(examples[i], "unsafe");
    examples.erase(examples.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (auto& example : examples) {
    example.expected = expected_findings_in(example.text);
    example.expected_of_host = expected_findings_in(example.host);
  }
  return examples;
}

}  // namespace msci
