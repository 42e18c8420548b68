#include "base/process/failure_reason.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

#include "base/text.h"

namespace msci {
namespace {

// How much a line of standard error tells about the failure, in increasing order.
enum class Relevance { empty, points_to_help, text, names_program, error };

// "Run with --help for more information.", "curl: try 'curl --help'": the line after the error.
bool points_to_help(std::string_view line) {
  constexpr std::array<std::string_view, 6> ways = {"run ", "try ", "see ",
                                                    "use ", "for ", "usage"};
  if (const auto name = line.find(": "); name < line.find(' ')) line.remove_prefix(name + 2);
  return std::any_of(ways.begin(), ways.end(), [&](auto way) { return line.starts_with(way); }) &&
         (line.starts_with("usage") || line.find("help") != std::string_view::npos);
}

// "msci-eval: no device matches": the name of a program before its message.
bool names_a_program(std::string_view line) {
  constexpr std::array<std::string_view, 4> kinds = {"note", "info", "warning", "debug"};
  const auto name = line.substr(0, line.find(": "));
  if (name.empty() || name.size() == line.size()) return false;
  return std::find(kinds.begin(), kinds.end(), name) == kinds.end() &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::islower(c) || std::isdigit(c) ||
                  std::string_view("-_./+").find(static_cast<char>(c)) != std::string_view::npos;
         });
}

// Removes a clause that ends in a colon: the lines that it announces are not quoted.
std::string_view without_announcement(std::string_view line) {
  const auto last = line.find_last_not_of(" \t\r");
  if (last == std::string_view::npos || line[last] != ':') return line;
  return line.substr(0, line.rfind(';', last));
}

Relevance relevance_of(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return Relevance::empty;
  const auto line = lower_case(text.substr(begin));
  if (line.starts_with("error") || line.find("error:") != std::string::npos)
    return Relevance::error;
  if (points_to_help(line)) return Relevance::points_to_help;
  return names_a_program(text) ? Relevance::names_program : Relevance::text;
}

// The last of the most relevant lines.
std::string most_relevant_line(const std::string& text) {
  std::string found;
  auto most = Relevance::empty;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const auto here = relevance_of(line); here >= most && here != Relevance::empty) {
      most = here;
      found = without_announcement(line);
    }
  return found;
}

}  // namespace

std::string failure_reason(const CommandResult& result) {
  if (result.timed_out) return fmt::format("it took more than {:.0f} s", result.seconds);
  const auto line = most_relevant_line(result.err);
  const auto how = describe(result.exit);
  return line.empty() ? how : how + ": " + line;
}

}  // namespace msci
