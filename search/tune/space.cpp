#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <regex>

#include "base/text.h"
#include "search/tune/tune.h"
#include "tasks/plan/file/plan_numbers.h"

namespace msci::search {
namespace {

constexpr std::string_view mark = "// msci: tune ";

// An entry of a cache file of Kernel Tuner has these beside the tuned values.
constexpr std::string_view names_of_results[] = {
    "time",           "times",         "compile_time",   "verification_time",
    "benchmark_time", "strategy_time", "framework_time", "timestamp",
    "GFLOP/s"};

struct Condition {
  std::string text;
  unsigned line = 0;
};

Error at_line(const Source& source, unsigned line, std::string_view what) {
  return {fmt::format("{}:{}: {}", source.name, line, what)};
}

// The text with blanks in the place of comments, so that places stay.
std::string comments_blanked(std::string text) {
  static const std::regex comment(R"(//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)");
  const std::string original = text;
  for (std::sregex_iterator found(original.begin(), original.end(), comment), end; found != end;
       ++found)
    for (auto at = found->position(); at < found->position() + found->length(); ++at)
      if (text[at] != '\n') text[at] = ' ';
  return text;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char letter : std::string(text) + " ") {
    if (!std::isspace(static_cast<unsigned char>(letter)))
      word += letter;
    else if (!word.empty())
      words.push_back(std::exchange(word, ""));
  }
  return words;
}

// Finds the one declaration of the tunable; `code` is the source without comments.
std::optional<Error> find_declaration(const Source& source, const std::string& code, unsigned line,
                                      Tunable& tunable) {
  const std::regex forms[] = {
      std::regex("(#[ \\t]*define[ \\t]+" + tunable.name + "[ \\t]+)([^\\n]*[^\\s])"),
      std::regex("(\\b(?:constant|constexpr)\\b[\\w\\s:]*\\s" + tunable.name +
                 "\\s*=\\s*)([^;]*[^;\\s])\\s*;"),
      std::regex("(\\bconstant\\b[\\w\\s:]*\\s" + tunable.name +
                 "\\s*\\[\\[\\s*function_constant\\s*\\([^)]*\\)\\s*\\]\\]\\s*;)()")};
  unsigned found_at = 0;
  for (const auto& form : forms) {
    const bool is_function_constant = &form == &forms[2];
    if (is_function_constant && found_at > 0) break;  // an earlier tuning has set it
    for (std::sregex_iterator found(code.begin(), code.end(), form), end; found != end; ++found) {
      const auto offset = static_cast<std::size_t>(found->position(2));
      const auto where = location_at(source, offset).line;
      if (found_at > 0)
        return at_line(source, line,
                       fmt::format("{} is declared on the lines {} and {}; a tuned value needs one "
                                   "declaration, so use one and derive the other from it",
                                   tunable.name, found_at, where));
      found_at = where;
      tunable.offset = offset;
      tunable.length = static_cast<std::size_t>(found->length(2));
      tunable.is_function_constant = is_function_constant;
    }
  }
  if (found_at == 0)
    return at_line(
        source, line,
        fmt::format(
            "nothing declares {0}; add `#define {0} VALUE`, `constant uint {0} = VALUE;` or "
            "`constant uint {0} [[function_constant(0)]];`",
            tunable.name));
  const auto declared = source.text.substr(tunable.offset, tunable.length);
  const auto value = std::ranges::find(tunable.values, declared);
  if (value != tunable.values.end()) tunable.declared = value - tunable.values.begin();
  return std::nullopt;
}

// `words`: a name and its values.
Result<Tunable> read_tunable(const Source& source, const std::string& code, unsigned line,
                             std::vector<std::string> words) {
  static const std::regex name(R"([A-Za-z_]\w*)");
  if (words.empty() || !std::regex_match(words[0], name))
    return at_line(source, line,
                   "expected the name of a constant; write `// msci: tune TILE 8 16 32`");
  if (std::ranges::find(names_of_results, words[0]) != std::end(names_of_results))
    return at_line(source, line,
                   fmt::format("{} is the name of a result in Kernel Tuner's files; rename the "
                               "constant",
                               words[0]));
  Tunable tunable{.name = words[0], .values = {words.begin() + 1, words.end()}};
  if (tunable.values.empty())
    return at_line(source, line,
                   fmt::format("{0} has no values; write `// msci: tune {0} 8 16 32`", words[0]));
  for (auto value = tunable.values.begin(); value != tunable.values.end(); ++value)
    if (std::find(tunable.values.begin(), value, *value) != value)
      return at_line(source, line,
                     fmt::format("{} has the value {} twice; remove one", words[0], *value));
  if (auto error = find_declaration(source, code, line, tunable)) return *error;
  return tunable;
}

// Whether a point meets the condition. Errors: the condition is none.
Result<bool> meets(const TuneSpace& space, const Configuration& point, const Condition& condition) {
  const auto value_of = [&](std::string_view name) -> Result<std::int64_t> {
    for (std::size_t i = 0; i < point.size(); ++i) {
      if (space.tunables[i].name != name) continue;
      const auto& text = space.tunables[i].values[point[i]];
      char* end = nullptr;
      const auto value = std::strtoll(text.c_str(), &end, 0);
      if (*end == 'u' || *end == 'U') ++end;
      if (*end == '\0') return static_cast<std::int64_t>(value);
      return Error{fmt::format("the value {} of {} is no integer", text, name)};
    }
    std::vector<std::string_view> names;
    for (const auto& tunable : space.tunables) names.push_back(tunable.name);
    return Error{fmt::format("{} is not tuned; tuned are {}", name, fmt::join(names, ", "))};
  };
  const auto value = evaluate_formula(condition.text, value_of);
  if (!value)
    return at_line(space.source, condition.line,
                   fmt::format("{}; write a condition like `// msci: tune where {} <= 1024`",
                               value.error().message, space.tunables.front().name));
  return *value != 0;
}

std::optional<Error> find_points(TuneSpace& space, const std::vector<Condition>& conditions) {
  std::size_t count = 1;
  for (const auto& tunable : space.tunables) {
    count *= tunable.values.size();
    if (count > most_points)
      return Error{fmt::format("{}: the tuned values have more than {} combinations; list fewer",
                               space.source.name, most_points)};
  }
  Configuration point(space.tunables.size(), 0);
  for (std::size_t number = 0; number < count; ++number) {
    for (std::size_t i = point.size(), rest = number; i-- > 0;) {
      point[i] = rest % space.tunables[i].values.size();
      rest /= space.tunables[i].values.size();
    }
    bool fits = true;
    for (const auto& condition : conditions) {
      const auto met = meets(space, point, condition);
      if (!met) return met.error();
      fits = fits && *met;
    }
    if (fits) space.points.push_back(point);
  }
  if (!space.points.empty()) return std::nullopt;
  return at_line(space.source, conditions.front().line,
                 "no combination of the tuned values meets all conditions; add values, or relax a "
                 "condition");
}

}  // namespace

Result<TuneSpace> read_tune_space(Source source) {
  TuneSpace space{.source = std::move(source)};
  const auto code = comments_blanked(space.source.text);
  std::vector<Condition> conditions;
  const auto lines = location_at(space.source, space.source.text.size()).line;
  for (unsigned line = 1; line <= lines; ++line) {
    const auto text = line_at(space.source.text, line);
    const auto at = text.find(mark);
    if (at == text.npos) continue;
    auto words = words_of(text.substr(at + mark.size()));
    if (!words.empty() && words[0] == "where") {
      conditions.push_back(
          {fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " ")), line});
      continue;
    }
    auto tunable = read_tunable(space.source, code, line, std::move(words));
    if (!tunable) return tunable.error();
    for (const auto& other : space.tunables)
      if (other.name == tunable->name)
        return at_line(
            space.source, line,
            fmt::format("{} is tuned twice; list all its values in one comment", other.name));
    space.tunables.push_back(*std::move(tunable));
  }
  if (space.tunables.empty())
    return Error{
        fmt::format("{} says of no value that it may change; add a comment like `// msci: tune "
                    "TILE 8 16 32` for a constant TILE",
                    space.source.name)};
  if (auto error = find_points(space, conditions)) return *error;
  return space;
}

std::string with_values(const TuneSpace& space, const Configuration& configuration) {
  std::vector<std::size_t> order(space.tunables.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&](std::size_t one, std::size_t other) {
    return space.tunables[one].offset > space.tunables[other].offset;
  });
  auto text = space.source.text;
  for (const auto i : order) {
    const auto& tunable = space.tunables[i];
    const auto& value = tunable.values[configuration[i]];
    text.replace(tunable.offset, tunable.length,
                 tunable.is_function_constant ? "\n#define " + tunable.name + " " + value : value);
  }
  return text;
}

std::optional<Configuration> own_point(const TuneSpace& space) {
  Configuration point;
  for (const auto& tunable : space.tunables) {
    if (!tunable.declared) return std::nullopt;
    point.push_back(*tunable.declared);
  }
  return point;
}

std::string to_string(const TuneSpace& space, const Configuration& configuration) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < configuration.size(); ++i)
    words.push_back(space.tunables[i].name + "=" + space.tunables[i].values[configuration[i]]);
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace msci::search
