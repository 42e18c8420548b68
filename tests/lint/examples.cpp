#include "tests/lint/examples.h"

#include <algorithm>
#include <cassert>
#include <sstream>

namespace msci {
namespace {

constexpr std::string_view fence = "```";
constexpr std::string_view expect = "// expect: ";

std::vector<std::string> words_of(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

void read_expectations(Example& example) {
  std::istringstream lines(example.text);
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
    for (auto& each : waiting) example.expected.push_back({number, std::move(each)});
    waiting.clear();
    if (at != std::string::npos) example.expected.push_back({number, message});
  }
}

}  // namespace

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
      Example example{number + 1, section, words_of(line.substr(fence.size())), "", {}, ""};
      examples.push_back(std::move(example));
    } else if (inside) {
      examples.back().text += line + "\n";
    } else if (line.starts_with("## ")) {
      section = line.substr(3);
    }
  }
  std::erase_if(examples, [](const Example& each) {
    return each.words.empty() || each.words.front() != "metal";
  });
  for (std::size_t i = examples.size(); i-- > 1;)
    if (std::find(examples[i].words.begin(), examples[i].words.end(), "fixed") !=
        examples[i].words.end()) {
      examples[i - 1].fixed = examples[i].text;
      examples.erase(examples.begin() + static_cast<std::ptrdiff_t>(i));
    }
  for (auto& example : examples) read_expectations(example);
  return examples;
}

}  // namespace msci
