#include "lint/host/token.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>

namespace msci::host {
namespace {

// More than any host that a person wrote; macros must not multiply beyond it.
constexpr std::size_t most_tokens = 500'000;
constexpr unsigned deepest_macro = 16;

// Longest first.
constexpr std::array<std::string_view, 28> long_marks = {
    "<<=", ">>=", "...", "->*", "::", "->", "++", "--", "<<", "<=", ">=", "==", "!=", "&&",
    "||",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "##", ".*", "@[", "@{", "@("};

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Cuts a text into tokens; directives come out as one token of kind `mark` that begins with "#".
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Token next() {
    skip_blanks();
    begin_ = place_;
    if (at_ >= text_.size()) return made(Token::Kind::end, {});
    const char c = text_[at_];
    if (c == '#' && line_begins_) return directive();
    line_begins_ = false;
    if (begins_name(c)) return name();
    if (std::isdigit(static_cast<unsigned char>(c)) ||
        (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1)))))
      return number();
    if (c == '"') return text();
    if (c == '\'') return character();
    if (c == '@' && peek(1) == '"') return step(), text();
    return mark();
  }

 private:
  char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void step() {
    if (text_[at_++] == '\n')
      ++place_.line, place_.column = 1, line_begins_ = true;
    else
      ++place_.column;
  }
  void step(std::size_t count) {
    while (count-- > 0 && at_ < text_.size()) step();
  }
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (starts("//")) {
        while (at_ < text_.size() && text_[at_] != '\n') step();
      } else if (starts("/*")) {
        const bool began = line_begins_;
        step(2);
        while (at_ < text_.size() && !starts("*/")) step();
        step(2);
        line_begins_ = line_begins_ && began;
      } else if (starts("\\\n")) {
        step(2);
      } else if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        step();
      } else {
        return;
      }
    }
  }

  Token made(Token::Kind kind, std::string spelling) const {
    return {kind, std::move(spelling), {begin_, place_}};
  }

  // The rest of the line, with continued lines joined.
  Token directive() {
    std::string line;
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (starts("\\\n")) {
        step(2);
        line += ' ';
      } else if (starts("//")) {
        while (at_ < text_.size() && text_[at_] != '\n') step();
      } else {
        line += text_[at_];
        step();
      }
    }
    return made(Token::Kind::mark, line);
  }

  Token name() {
    const auto from = at_;
    while (at_ < text_.size() && continues_name(text_[at_])) step();
    const auto spelling = text_.substr(from, at_ - from);
    const bool prefix = spelling == "R" || spelling == "u8R" || spelling == "LR";
    if (prefix && peek(0) == '"') return raw_text();
    return made(Token::Kind::name, std::string(spelling));
  }

  Token raw_text() {
    step();
    std::string close = ")";
    while (at_ < text_.size() && text_[at_] != '(') close += text_[at_], step();
    close += '"';
    step(1);
    const auto from = at_;
    while (at_ < text_.size() && !starts(close)) step();
    std::string body(text_.substr(from, at_ - from));
    step(close.size());
    return made(Token::Kind::text, std::move(body));
  }

  Token number() {
    const auto from = at_;
    const auto continues = [&] {
      const char c = peek(0);
      const bool sign = (c == '+' || c == '-') && std::tolower(text_[at_ - 1]) == 'e';
      return continues_name(c) || c == '.' || c == '\'' || sign;
    };
    while (at_ < text_.size() && continues()) step();
    std::string spelling(text_.substr(from, at_ - from));
    std::erase(spelling, '\'');
    return made(Token::Kind::number, std::move(spelling));
  }

  Token text() {
    step();
    std::string body;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      if (text_[at_] == '\\') step();
      if (at_ >= text_.size()) break;
      body += text_[at_];
      step();
    }
    step(1);
    return made(Token::Kind::text, std::move(body));
  }

  Token character() {
    step();
    while (at_ < text_.size() && text_[at_] != '\'' && text_[at_] != '\n')
      step(text_[at_] == '\\' ? 2 : 1);
    step(1);
    return made(Token::Kind::number, "0x20");
  }

  Token mark() {
    for (const auto each : long_marks)
      if (starts(each)) {
        step(each.size());
        return made(Token::Kind::mark, std::string(each));
      }
    std::string one(1, text_[at_]);
    step();
    return made(Token::Kind::mark, std::move(one));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Location place_{1, 1};
  Location begin_{1, 1};
  bool line_begins_ = true;
};

std::vector<Token> scanned(std::string_view text) {
  Scanner scanner(text);
  std::vector<Token> all;
  for (auto token = scanner.next(); token.kind != Token::Kind::end; token = scanner.next())
    all.push_back(std::move(token));
  return all;
}

struct Macro {
  std::optional<std::vector<std::string>> parameters;
  std::vector<Token> body;
};

class Preprocessor {
 public:
  explicit Preprocessor(const Source& source) : input_(scanned(source.text)) {}

  Tokens run() {
    for (const auto& token : input_) {
      if (token.kind == Token::Kind::mark && token.spelling.starts_with('#') &&
          token.spelling != "##" && token.spelling != "#")
        directive(token.spelling);
      else if (!skipping())
        kept_.push_back(token);
    }
    flush();
    Location end{1, 1};
    if (!input_.empty()) end = input_.back().range.end;
    result_.all.push_back({Token::Kind::end, "", {end, end}});
    return std::move(result_);
  }

 private:
  enum State { waiting, taking, done };

  bool skipping() const {
    return std::any_of(taken_.begin(), taken_.end(), [](State s) { return s != taking; });
  }

  void directive(std::string_view line) {
    const auto tokens = scanned(line.substr(1));
    if (tokens.empty()) return;
    const auto& word = tokens.front().spelling;
    const bool never = tokens.size() > 1 && (tokens[1].spelling == "0" || tokens[1].named("false"));
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      taken_.push_back(word == "if" && never ? waiting : taking);
    } else if ((word == "else" || word == "elif") && !taken_.empty()) {
      taken_.back() = taken_.back() == waiting && !(word == "elif" && never) ? taking
                      : taken_.back() == waiting                             ? waiting
                                                                             : done;
    } else if (word == "endif" && !taken_.empty()) {
      taken_.pop_back();
    } else if (word == "define" && !skipping() && tokens.size() > 1) {
      flush();  // what stands before does not see it
      define(line.substr(1), tokens);
    } else if (word == "undef" && !skipping() && tokens.size() > 1) {
      flush();
      macros_.erase(tokens[1].spelling);
    }
  }

  void define(std::string_view line, const std::vector<Token>& tokens) {
    Macro macro;
    std::size_t body = 2;
    // A parameter list touches the name.
    const auto after = static_cast<std::size_t>(tokens[1].range.end.column) - 1;
    if (tokens.size() > 2 && tokens[2].is("(") && after < line.size() && line[after] == '(') {
      macro.parameters.emplace();
      for (body = 3; body < tokens.size() && !tokens[body].is(")"); ++body)
        if (!tokens[body].is(",")) macro.parameters->push_back(tokens[body].spelling);
      ++body;
    }
    for (; body < tokens.size(); ++body) {
      if (tokens[body].is("##")) result_.complete = false;
      macro.body.push_back(tokens[body]);
    }
    macros_[tokens[1].spelling] = std::move(macro);
  }

  void flush() {
    expand(kept_, 0, std::nullopt);
    kept_.clear();
  }

  // The arguments of a macro's use that begins behind `at`; `at` ends on the closing parenthesis.
  static std::vector<std::vector<Token>> arguments(const std::vector<Token>& tokens,
                                                   std::size_t& at) {
    std::vector<std::vector<Token>> all(1);
    unsigned depth = 0;
    for (at += 1; at < tokens.size(); ++at) {
      if (tokens[at].is("(")) ++depth;
      if (tokens[at].is(")") && --depth == 0) break;
      if (tokens[at].is("(") && depth == 1) continue;
      if (tokens[at].is(",") && depth == 1)
        all.emplace_back();
      else
        all.back().push_back(tokens[at]);
    }
    return all;
  }

  void expand(const std::vector<Token>& tokens, unsigned depth, std::optional<Range> place) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (++steps_ > most_tokens || depth > deepest_macro) {
        result_.complete = false;
        return;
      }
      const auto macro =
          tokens[i].kind == Token::Kind::name ? macros_.find(tokens[i].spelling) : macros_.end();
      const bool needs_list = macro != macros_.end() && macro->second.parameters;
      const bool has_list = i + 1 < tokens.size() && tokens[i + 1].is("(");
      if (macro == macros_.end() || (needs_list && !has_list)) {
        result_.all.push_back(tokens[i]);
        if (place) result_.all.back().range = *place;
        continue;
      }
      const auto use = place ? *place : tokens[i].range;
      auto body = macro->second.body;
      if (needs_list) body = substituted(macro->second, arguments(tokens, i));
      expand(body, depth + 1, use);
    }
  }

  std::vector<Token> substituted(const Macro& macro,
                                 const std::vector<std::vector<Token>>& arguments) {
    std::vector<Token> all;
    for (const auto& token : macro.body) {
      if (token.is("#")) continue;
      const auto& names = *macro.parameters;
      const bool rest = token.named("__VA_ARGS__");
      const auto found =
          std::find(names.begin(), names.end(), rest ? std::string("...") : token.spelling);
      const auto index = static_cast<std::size_t>(found - names.begin());
      const bool quotes = &token != &macro.body.front() && (&token - 1)->is("#");
      if (quotes) {
        all.push_back({Token::Kind::text, "", token.range});  // its words are for messages
      } else if (token.kind != Token::Kind::name || found == names.end()) {
        all.push_back(token);
      } else {
        for (auto i = index; i < (rest ? arguments.size() : index + 1); ++i) {
          if (i >= arguments.size()) break;
          if (i > index) all.push_back({Token::Kind::mark, ",", token.range});
          all.insert(all.end(), arguments[i].begin(), arguments[i].end());
        }
      }
      if (all.size() > most_tokens) break;
    }
    return all;
  }

  std::vector<Token> input_;
  std::vector<Token> kept_;  // not yet expanded
  std::vector<State> taken_;
  std::map<std::string, Macro> macros_;
  std::size_t steps_ = 0;
  Tokens result_;
};

}  // namespace

Tokens tokens_of(const Source& source) { return Preprocessor(source).run(); }

}  // namespace msci::host
