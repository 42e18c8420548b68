#include "tasks/battery.h"

#include <fmt/format.h>

namespace msci {
namespace {

// The lines of a text, one after the other, and their numbers.
class NumberedLines {
 public:
  explicit NumberedLines(std::string_view text) : rest_(text) {}
  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const auto end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? "" : rest_.substr(end + 1);
    ++number_;
    return true;
  }
  unsigned number() const { return number_; }

 private:
  std::string_view rest_;
  unsigned number_ = 0;
};

// Adds a line to what an edit's side holds already.
void extend(std::string& side, std::string_view line) {
  if (!side.empty()) side += '\n';
  side += line.substr(2);
}

// Advances to the first line of the block that holds the entries.
bool find_block(NumberedLines& lines) {
  bool in_section = false;
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with("## ")) in_section = line == "## Wrong kernels";
    if (in_section && line == "```diff") return true;
  }
  return false;
}

bool is_side(std::string_view line, char side) {
  return line.size() >= 2 && line[0] == side && line[1] == ' ';
}

}  // namespace

Result<std::vector<WrongKernel>> read_battery(std::string_view page) {
  std::vector<WrongKernel> kernels;
  NumberedLines lines(page);
  if (!find_block(lines)) return Error{"no `diff` block in a section \"## Wrong kernels\""};
  bool in_entry = false, after_replacement = true;
  for (std::string_view line; lines.next(line) && line != "```";) {
    if (line.empty()) {
      in_entry = false;
    } else if (!in_entry) {
      const auto colon = line.find(": ");
      if (colon == std::string_view::npos)
        return Error{fmt::format("line {}: \"name: what is wrong\" is expected", lines.number())};
      kernels.push_back({std::string(line.substr(0, colon)), std::string(line.substr(colon + 2))});
      in_entry = after_replacement = true;
    } else if (is_side(line, '-')) {
      if (after_replacement) kernels.back().edits.emplace_back();
      after_replacement = false;
      extend(kernels.back().edits.back().from, line);
    } else if (is_side(line, '+') && !kernels.back().edits.empty()) {
      after_replacement = true;
      extend(kernels.back().edits.back().to, line);
    } else {
      return Error{fmt::format("line {}: \"- old\" or \"+ new\" is expected", lines.number())};
    }
  }
  return kernels;
}

Result<std::string> spoil(std::string_view seed, const WrongKernel& kernel) {
  std::string text(seed);
  for (const auto& [from, to] : kernel.edits) {
    const auto at = text.find(from);
    if (at == std::string::npos)
      return Error{fmt::format("{}: \"{}\" is not in the seed", kernel.name, from)};
    if (text.find(from, at + 1) != std::string::npos)
      return Error{fmt::format("{}: \"{}\" is in the seed more than once", kernel.name, from)};
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace msci
