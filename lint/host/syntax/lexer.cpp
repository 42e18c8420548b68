#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "compiler/frontend/tokens/raw_lexer.h"
#include "lint/host/syntax/parser.h"

namespace msci::host {
namespace {

namespace tok = clang::tok;
using RawTokens = std::span<const RawToken>;

// No person writes more tokens. Macros that multiply stop here.
constexpr std::size_t most_tokens = 500'000;
constexpr unsigned deepest_macro = 16;

bool is_string(const RawToken& token) {
  return tok::isStringLiteral(token.kind) ||
         (token.kind == tok::unknown && token.text.find('"') != std::string_view::npos);
}

bool is_character(const RawToken& token) {
  switch (token.kind) {
    case tok::char_constant:
    case tok::wide_char_constant:
    case tok::utf8_char_constant:
    case tok::utf16_char_constant:
    case tok::utf32_char_constant:
      return true;
    default:
      return token.kind == tok::unknown && token.text.find('\'') != std::string_view::npos;
  }
}

// A string literal as it is decoded: without line continuations, which raw strings keep.
std::string literal_text(const RawToken& token) {
  const auto quote = token.text.find('"');
  const bool is_raw = quote > 0 && quote != std::string_view::npos && token.text[quote - 1] == 'R';
  return is_raw ? std::string(token.text) : spelling_of(token);
}

Token token_from(const RawToken& raw, const Lines& lines) {
  Token token{.spelling = {}, .range = {lines.at(raw.offset), lines.at(raw.end())}};
  if (raw.is_identifier()) {
    token.kind = Token::Kind::name;
    token.spelling = spelling_of(raw);
  } else if (raw.kind == tok::numeric_constant) {
    token.kind = Token::Kind::number;
    token.spelling = spelling_of(raw);
    std::erase(token.spelling, '\'');
  } else if (is_string(raw)) {
    token.kind = Token::Kind::string;
    token.spelling = decode_string(literal_text(raw));
  } else if (is_character(raw)) {
    token.kind = Token::Kind::number;
    token.spelling = std::to_string(decode_character(spelling_of(raw)));
  } else {
    token.kind = Token::Kind::punctuator;
    token.spelling = spelling_of(raw);
  }
  return token;
}

// Joins Objective-C's `@` with what it touches: @"text" is a string, @[ @{ @( are punctuators.
std::vector<Token> tokens_from(RawTokens raw, const Lines& lines) {
  std::vector<Token> tokens;
  tokens.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const bool touches =
        raw[i].kind == tok::at && i + 1 < raw.size() && raw[i].end() == raw[i + 1].offset;
    const bool opens = touches && (raw[i + 1].is("[") || raw[i + 1].is("{") || raw[i + 1].is("("));
    if (!touches || !(opens || is_string(raw[i + 1]))) {
      tokens.push_back(token_from(raw[i], lines));
      continue;
    }
    const auto begin = lines.at(raw[i].offset);
    auto joined = token_from(raw[++i], lines);
    joined.range.begin = begin;
    if (opens) joined.spelling.insert(0, "@");
    tokens.push_back(std::move(joined));
  }
  return tokens;
}

struct Macro {
  std::optional<std::vector<std::string>> parameters;  // none: an object-like macro
  std::vector<Token> body;
};

class Preprocessor {
 public:
  explicit Preprocessor(const Source& source)
      : lines_(source.text), input_(lex_raw(source.text, Dialect::objective_cxx)) {}

  Tokens run() {
    const RawTokens input = input_;
    for (std::size_t at = 0; at < input.size();) {
      const bool is_directive = begins_directive(input[at]);
      const auto end = is_directive ? end_of_line(at) : next_directive(at);
      if (is_directive)
        directive(input.subspan(at + 1, end - at - 1));
      else if (!skipping())
        keep(input.subspan(at, end - at));
      at = end;
    }
    expand_kept();
    const auto end = lines_.at(input.empty() ? 0 : input.back().end());
    result_.all.push_back({Token::Kind::end, "", {end, end}});
    return std::move(result_);
  }

 private:
  // Of one #if … #endif: no part is taken yet, this part is, or an earlier one was.
  enum State { waiting, taking, done };

  static bool begins_directive(const RawToken& token) { return token.starts_line && token.is("#"); }
  std::size_t end_of_line(std::size_t at) const {
    for (++at; at < input_.size() && !input_[at].starts_line;) ++at;
    return at;
  }
  std::size_t next_directive(std::size_t at) const {
    while (at < input_.size() && !begins_directive(input_[at])) ++at;
    return at;
  }

  bool skipping() const {
    return std::any_of(taken_.begin(), taken_.end(), [](State s) { return s != taking; });
  }

  void keep(RawTokens raw) {
    auto tokens = tokens_from(raw, lines_);
    kept_.insert(kept_.end(), std::move_iterator(tokens.begin()), std::move_iterator(tokens.end()));
  }

  // `line` begins behind the #.
  void directive(RawTokens line) {
    if (line.empty()) return;
    const auto word = spelling_of(line.front());
    const bool never = line.size() > 1 && (line[1].is("0") || line[1].is("false"));
    if (word == "if" || word == "ifdef" || word == "ifndef")
      taken_.push_back(word == "if" && never ? waiting : taking);
    else if ((word == "else" || word == "elif") && !taken_.empty())
      taken_.back() = next_state(taken_.back(), word == "elif" && never);
    else if (word == "endif" && !taken_.empty())
      taken_.pop_back();
    else if ((word == "define" || word == "undef") && !skipping() && line.size() > 1)
      define_or_undefine(word == "define", line.subspan(1));
  }

  static State next_state(State state, bool never) {
    if (state != waiting) return done;
    return never ? waiting : taking;
  }

  void define_or_undefine(bool defines, RawTokens line) {
    expand_kept();  // a macro holds behind its definition only
    if (defines)
      macros_[spelling_of(line.front())] = macro_from(line);
    else
      macros_.erase(spelling_of(line.front()));
  }

  Macro macro_from(RawTokens line) {
    Macro macro;
    std::size_t body = 1;
    // A parameter list touches the name.
    if (line.size() > 1 && line[1].is("(") && line[1].offset == line[0].end()) {
      macro.parameters.emplace();
      for (body = 2; body < line.size() && !line[body].is(")"); ++body)
        if (!line[body].is(",")) macro.parameters->push_back(spelling_of(line[body]));
      ++body;
    }
    if (body < line.size()) macro.body = tokens_from(line.subspan(body), lines_);
    for (const auto& token : macro.body)
      if (token.is("##")) result_.complete = false;
    return macro;
  }

  void expand_kept() {
    expand(kept_, 0, std::nullopt);
    kept_.clear();
  }

  // The arguments of a macro's use whose parenthesis opens behind `at`; `at` ends on the closing
  // one.
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

  // Appends the tokens to the result; `use` is where the macro that they come from is used.
  void expand(const std::vector<Token>& tokens, unsigned depth, std::optional<Range> use) {
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
        if (use) result_.all.back().range = *use;
        continue;
      }
      const auto range = use ? *use : tokens[i].range;
      auto body = macro->second.body;
      if (needs_list) body = substituted(macro->second, arguments(tokens, i));
      expand(body, depth + 1, range);
    }
  }

  // The body with the arguments in place of the parameters.
  static std::vector<Token> substituted(const Macro& macro,
                                        const std::vector<std::vector<Token>>& arguments) {
    std::vector<Token> all;
    bool quotes = false;
    for (const auto& token : macro.body) {
      const bool was_quoted = std::exchange(quotes, token.is("#"));
      if (quotes) continue;
      if (was_quoted)
        all.push_back({Token::Kind::string, "", token.range});  // used in messages only
      else
        append_substituted(all, token, *macro.parameters, arguments);
      if (all.size() > most_tokens) break;
    }
    return all;
  }

  static void append_substituted(std::vector<Token>& all, const Token& token,
                                 const std::vector<std::string>& parameters,
                                 const std::vector<std::vector<Token>>& arguments) {
    const bool is_rest = token.is_name("__VA_ARGS__");
    const auto found = std::find(parameters.begin(), parameters.end(),
                                 is_rest ? std::string("...") : token.spelling);
    if (token.kind != Token::Kind::name || found == parameters.end()) {
      all.push_back(token);
      return;
    }
    const auto index = static_cast<std::size_t>(found - parameters.begin());
    const auto end = std::min(is_rest ? arguments.size() : index + 1, arguments.size());
    for (auto i = index; i < end; ++i) {
      if (i > index) all.push_back({Token::Kind::punctuator, ",", token.range});
      all.insert(all.end(), arguments[i].begin(), arguments[i].end());
    }
  }

  Lines lines_;
  std::vector<RawToken> input_;
  std::vector<Token> kept_;  // not yet expanded
  std::vector<State> taken_;
  std::map<std::string, Macro> macros_;
  std::size_t steps_ = 0;
  Tokens result_;
};

}  // namespace

Tokens lex(const Source& source) { return Preprocessor(source).run(); }

}  // namespace msci::host
