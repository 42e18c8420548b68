#include "base/process/redacted_command.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <utility>

#include "base/text.h"

namespace msci {
namespace {

constexpr std::size_t longest_command = 1 << 14;  // std::regex recurses once a character
constexpr std::size_t least_length = 6;           // shorter values are words of any text

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)); }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)); }

// The parts of "OPENAI_API_KEY", "api-key" or "apiKey", in lower case.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_mark = name[i] == '_' || name[i] == '-';
    if (is_mark || (i > 0 && is_upper(name[i]) && is_lower(name[i - 1]))) parts.emplace_back();
    if (!is_mark) parts.back() += lower_case(name.substr(i, 1));
  }
  return parts;
}

// Whether an option, a parameter or a header of that name holds a secret. `--key-env NAME` and
// `--token-file PATH` only say where one is.
bool names_secret(std::string_view name) {
  constexpr std::array secret = {"key",         "apikey", "token",  "secret",       "password",
                                 "passwd",      "pass",   "pwd",    "bearer",       "credential",
                                 "credentials", "auth",   "cookie", "authorization"};
  constexpr std::array place = {"env", "file", "path", "command"};
  const auto parts = words_of(name);
  return std::ranges::find(place, parts.back()) == place.end() &&
         std::ranges::any_of(parts, [&](const std::string& part) {
           return std::ranges::find(secret, part) != secret.end();
         });
}

bool is_variable(std::string_view value) {
  static const std::regex reference(R"re("?\$(\w+|\{\w+\})"?)re");
  return std::regex_match(value.begin(), value.end(), reference);
}

class Redactor {
 public:
  explicit Redactor(RedactedCommand& to) : to_(to) {}

  void command(std::string_view text) {
    begins_ = true;
    before_.clear();
    while (!text.empty()) {
      const auto length = word_length(text);
      if (length == 0) {
        separator(text.front());
        text.remove_prefix(1);
        continue;
      }
      word(text.substr(0, length));
      text.remove_prefix(length);
    }
  }

 private:
  static bool separates(char c) {
    return std::string_view(" \t\n;|&()<>").find(c) != std::string_view::npos;
  }

  void separator(char c) {
    to_.text += c;
    if (std::string_view("\n;|&(").find(c) == std::string_view::npos) return;
    begins_ = true;
    before_.clear();
  }

  // A shell's word at the beginning, with its quoted parts and substitutions.
  static std::size_t word_length(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size() && !separates(text[i])) i += part_length(text.substr(i));
    return i;
  }
  static std::size_t part_length(std::string_view text) {
    if (text[0] == '\\') return std::min<std::size_t>(2, text.size());
    if (text.starts_with("$(")) return nested_length(text);
    if (text[0] != '\'' && text[0] != '"' && text[0] != '`') return 1;
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (text[i] == '\\' && text[0] != '\'')
        ++i;
      else if (text[i] == text[0])
        return i + 1;
    }
    return text.size();
  }
  static std::size_t nested_length(std::string_view text) {
    std::size_t depth = 0;
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (text[i] == '(') ++depth;
      if (text[i] == ')' && --depth == 0) return i + 1;
    }
    return text.size();
  }

  void word(std::string_view text) {
    const auto name = std::exchange(before_, "");
    if (!name.empty() && !text.starts_with('-') && (!is_user(name) || has_password(text)))
      return value(text, true);
    if (assignment(text)) return;
    begins_ = false;
    if (option(text)) return;
    const bool is_quoted =
        text.size() > 2 && (text[0] == '\'' || text[0] == '"') && text.back() == text[0];
    if (!is_quoted) return parts(text);
    const auto inner = text.substr(1, text.size() - 2);
    if (is_header(inner)) {
      to_.text += plain(std::string(text));
      return;
    }
    to_.text += text[0];
    if (inner.find(' ') != std::string_view::npos)
      to_.text += nested(inner);
    else if (!assignment(inner))
      parts(inner);
    to_.text += text[0];
  }

  // A command in a command, such as that of `sh -c`. It may also be a text with headers.
  std::string nested(std::string_view inner) {
    RedactedCommand own;
    Redactor(own).command(inner);
    to_.values.insert(to_.values.end(), own.values.begin(), own.values.end());
    to_.secrets.insert(to_.secrets.end(), own.secrets.begin(), own.secrets.end());
    return plain(own.text);
  }

  // A word and the substitutions in it: `$(…)` and those in backquotes.
  void parts(std::string_view text) {
    std::string literal;
    while (!text.empty()) {
      const auto part = text.substr(0, part_length(text));
      text.remove_prefix(part.size());
      const std::size_t open = part.starts_with("$(") ? 2 : part[0] == '`' ? 1 : 0;
      if (open == 0 || part.size() <= open + 1) {
        literal += part;
        continue;
      }
      to_.text += plain(std::exchange(literal, ""));
      to_.text += part.substr(0, open);
      to_.text += nested(part.substr(open, part.size() - open - 1));
      to_.text += part.back();
    }
    to_.text += plain(literal);
  }

  // curl's option for "user:password".
  static bool is_user(std::string_view option) { return option == "-u" || option == "--user"; }
  static bool has_password(std::string_view user) {
    return user.find(':') != std::string_view::npos;
  }

  // NAME=value: at the start of a command any name, elsewhere those in capitals and those of
  // secrets.
  bool assignment(std::string_view text) {
    static const std::regex pattern(R"(([A-Za-z_]\w*)=([\s\S]+))");
    std::match_results<std::string_view::const_iterator> parts;
    if (!std::regex_match(text.begin(), text.end(), parts, pattern)) return false;
    const std::string name = parts[1];
    const bool is_capital =
        std::ranges::none_of(name, [](unsigned char c) { return std::islower(c); });
    if (!begins_ && !is_capital && !names_secret(name)) return false;
    to_.text += name + "=";
    value(text.substr(name.size() + 1), names_secret(name));
    return true;
  }

  // --api-key=value, or the option before a value.
  bool option(std::string_view text) {
    if (text.starts_with("-u") && has_password(text)) {
      to_.text += "-u";
      value(text.substr(2), true);
      return true;
    }
    static const std::regex pattern(R"((--?[A-Za-z][\w-]*)(=[\s\S]*)?)");
    std::match_results<std::string_view::const_iterator> parts;
    if (!std::regex_match(text.begin(), text.end(), parts, pattern)) return false;
    const std::string name = parts[1];
    if (!names_secret(name) && !is_user(name)) return false;
    if (is_user(name) && parts[2].matched && !has_password(text)) return false;
    to_.text += name;
    if (!parts[2].matched) {
      before_ = name;
      return true;
    }
    to_.text += '=';
    value(text.substr(name.size() + 1), true);
    return true;
  }

  void value(std::string_view text, bool is_secret) {
    if (is_variable(text)) {
      to_.text += text;
      return;
    }
    to_.text += redacted_value;
    keep(text, is_secret || is_secret_form(text));
  }

  void keep(std::string_view value, bool is_secret) {
    std::string bare(value);
    std::erase_if(bare, [](char c) { return c == '\'' || c == '"'; });
    if (bare.size() < least_length) return;
    to_.values.push_back(bare);
    if (is_secret) to_.secrets.push_back(bare);
  }

  static const std::regex& token_pattern() {
    static const std::regex tokens(
        R"((^|[^\w-])((?:sk|pk|rk)-(?=[\w-]*\d)[\w-]{6,}|gh[pousr]_\w{8,}|xox[a-z]-[\w-]{8,}|)"
        R"(hf_\w{8,}|AKIA\w{8,}|eyJ[\w.-]{8,}))");
    return tokens;
  }
  static bool is_secret_form(std::string_view text) {
    return std::regex_search(text.begin(), text.end(), token_pattern());
  }
  // `Authorization: value`, and a member of JSON such as "api_key": "value".
  static const std::regex& header_pattern() {
    static const std::regex header(
        R"(((?:proxy-)?authorization|cookie|[\w-]*(?:api[-_]?key|token|secret|password)))"
        R"((\\?["']?\s*:\s*\\?["']?)([^'"\\]+))",
        std::regex::icase);
    return header;
  }
  static bool is_header(std::string_view text) {
    return std::regex_search(text.begin(), text.end(), header_pattern(),
                             std::regex_constants::match_continuous);
  }

  // A word without headers, users and parameters of URLs, and tokens.
  std::string plain(std::string text) {
    static const std::regex user("(://[^/@:\\s]*:)([^/@\\s]+)(@)");
    static const std::regex parameter(R"(([?&])([\w-]+)=([^&'"\s]+))");
    text = replaced(text, header_pattern(), 3, [](const auto&) { return true; });
    text = replaced(text, user, 2, [](const auto&) { return true; });
    text = replaced(text, parameter, 3,
                    [](const auto& match) { return names_secret(match[2].str()); });
    return replaced(text, token_pattern(), 2, [](const auto&) { return true; });
  }

  template <typename IsSecret>
  std::string replaced(const std::string& text, const std::regex& pattern, std::size_t group,
                       IsSecret is_secret) {
    std::string result;
    auto rest = text.cbegin();
    for (std::sregex_iterator each(text.begin(), text.end(), pattern), end; each != end; ++each) {
      const auto& part = (*each)[group];
      if (!is_secret(*each) || is_variable(part.str())) continue;
      result.append(rest, part.first);
      result += redacted_value;
      keep(part.str(), true);
      rest = part.second;
    }
    return result.append(rest, text.cend());
  }

  RedactedCommand& to_;
  bool begins_ = true;  // assignments may follow
  std::string before_;  // an option whose value follows
};

}  // namespace

RedactedCommand redact_command(std::string_view command) {
  if (command.size() > longest_command)
    return {.text = std::string(redacted_value), .values = {}, .secrets = {}};
  RedactedCommand redacted;
  Redactor(redacted).command(command);
  return redacted;
}

std::string without_values(std::string text, const std::vector<std::string>& values) {
  auto longest_first = values;
  std::ranges::sort(longest_first, std::ranges::greater{}, &std::string::size);
  for (const auto& value : longest_first)
    for (auto at = text.find(value); at != std::string::npos;
         at = text.find(value, at + redacted_value.size()))
      text.replace(at, value.size(), redacted_value);
  return text;
}

}  // namespace msci
