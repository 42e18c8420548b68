// What corpus/faults says of its kernels. A comment behind a line names what each layer finds
// there:
// `// lint: hazard.threadgroup_race; check: race`. A line of its own says why a layer misses the
// fault: `// missed by lint: reason`, `// missed by check: reason`. `// says: words` has a message
// or a note of the checked mode, word for word.
#pragma once

#include <fmt/format.h>

#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace msci {

// "12: race", once each.
using FaultLabels = std::set<std::string>;

// What a layer ("lint", "check") finds, by line.
inline FaultLabels labels_for(std::string_view layer, const std::string& text) {
  FaultLabels labels;
  std::istringstream lines(text);
  unsigned number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    const auto comment = line.find("  // ");
    if (comment == std::string::npos) continue;
    std::istringstream parts(line.substr(comment + 5));
    for (std::string part; std::getline(parts >> std::ws, part, ';');) {
      std::istringstream words(part);
      std::string word;
      if (!(words >> word) || word != fmt::format("{}:", layer)) continue;
      while (words >> word) labels.insert(fmt::format("{}: {}", number, word));
    }
  }
  return labels;
}

// The messages and notes that the checked mode must give, among others.
inline std::set<std::string> words_for(const std::string& text) {
  constexpr std::string_view mark = "// says: ";
  std::set<std::string> words;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(mark)) words.insert(line.substr(mark.size()));
  return words;
}

// Whether the text says why the layer misses the fault.
inline bool says_why_missed(std::string_view layer, const std::string& text) {
  return text.find(fmt::format("// missed by {}: ", layer)) != std::string::npos;
}

}  // namespace msci
