#include "lint/metal/tokens.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace msci {
namespace {

using clang::tok::TokenKind;
namespace tok = clang::tok;

struct Token {
  TokenKind kind;
  unsigned offset;
  std::string_view text;
  bool starts_line;
  bool is(std::string_view spelling) const { return text == spelling; }
};

std::vector<Token> lex(std::string_view metal) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = language.CPlusPlus17 = true;
  language.LineComment = language.DollarIdents = language.HexFloats = true;
  const std::string text(metal);  // the lexer wants a terminating zero
  clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(),
                     text.data() + text.size());
  std::vector<Token> tokens;
  for (clang::Token token;;) {
    lexer.LexFromRawLexer(token);
    if (token.is(tok::eof)) return tokens;
    const auto offset =
        static_cast<unsigned>(lexer.getBufferLocation() - text.data()) - token.getLength();
    tokens.push_back({token.getKind(), offset, metal.substr(offset, token.getLength()),
                      token.isAtStartOfLine()});
  }
}

// Attributes that Metal knows. Inside [[ ]] their first letter becomes '$': the prelude defines a
// macro of that name for each, and a variable called the same stays what it is.
const std::set<std::string_view>& metal_attributes() {
  static const std::set<std::string_view> names{
#define MSCI_ATTRIBUTE(name, form) #name,
#include "lint/metal/attributes.def"
#undef MSCI_ATTRIBUTE
  };
  return names;
}

bool is_scalar_name(std::string_view name) {
  static const std::set<std::string_view> names{"float", "half",   "bfloat", "int",   "uint",
                                                "short", "ushort", "char",   "uchar", "long",
                                                "ulong", "bool",   "int8_t", "size_t"};
  return names.contains(name);
}

// float4, packed_half3: a scalar's name and a width, no matrix.
bool is_vector_name(std::string_view name) {
  if (name.starts_with("packed_")) name.remove_prefix(7);
  if (name.size() < 2) return false;
  const char width = name.back();
  name.remove_suffix(1);
  return width >= '2' && width <= '4' && is_scalar_name(name);
}

bool is_address_space(std::string_view word) {
  return word == "device" || word == "threadgroup" || word == "thread" || word == "constant" ||
         word == "threadgroup_imageblock" || word == "object_data" || word == "ray_data";
}

// buffer → $uffer: the name of ours that stands for one of Metal's, as long as that.
std::string dollar(std::string_view name) {
  std::string ours(name);
  ours.front() = '$';
  return ours;
}

// What an open brace belongs to.
enum class Block { none, function, record, other };

class Pass {
 public:
  explicit Pass(std::string_view metal) : metal_(metal), tokens_(lex(metal)) {}

  Rewritten run() {
    collect_type_names();
    for (at_ = 0; at_ < tokens_.size(); ++at_) visit();
    std::sort(changes_.begin(), changes_.end(),
              [](const auto& a, const auto& b) { return a.offset < b.offset; });
    return Rewritten(metal_, changes_);
  }

 private:
  const Token& at(std::size_t index) const {
    static const Token end{tok::eof, 0, "", false};
    return index < tokens_.size() ? tokens_[index] : end;
  }
  const Token& before(std::size_t index) const {
    return index ? at(index - 1) : at(tokens_.size());
  }

  void replace(const Token& token, std::string with) {
    changes_.push_back({token.offset, static_cast<unsigned>(token.text.size()), std::move(with)});
  }

  // Blanks the tokens [first, last], keeping line breaks.
  void blank(std::size_t first, std::size_t last) {
    const auto begin = at(first).offset;
    const auto end = at(last).offset + at(last).text.size();
    std::string spaces(metal_.substr(begin, end - begin));
    for (char& c : spaces)
      if (c != '\n' && c != '\r') c = ' ';
    changes_.push_back({begin, static_cast<unsigned>(end - begin), std::move(spaces)});
  }

  // Index of the bracket that closes the one at `open`, or tokens_.size().
  std::size_t closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      if (at(i).kind == tok::l_paren || at(i).kind == tok::l_brace || at(i).kind == tok::l_square)
        ++depth;
      if (at(i).kind == tok::r_paren || at(i).kind == tok::r_brace || at(i).kind == tok::r_square)
        if (--depth == 0) return i;
    }
    return tokens_.size();
  }

  // Index of the '>' that closes the '<' at `open`, or nothing where it is a comparison.
  std::optional<std::size_t> closing_angle(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      const auto& token = at(i);
      if (token.is("<")) ++depth;
      if (token.is(">") && --depth == 0) return i;
      if (token.is(">>")) {
        depth -= 2;
        if (depth <= 0) return depth == 0 ? std::optional(i) : std::nullopt;
      }
      if (token.kind == tok::l_paren) i = closing(i);
      if (token.is(";") || token.kind == tok::l_brace || token.is("&&") || token.is("||"))
        return std::nullopt;
    }
    return std::nullopt;
  }

  // Template type parameters, and aliases that may name a vector: `T(a, b)` must build one.
  void collect_type_names() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (at(i).is("typename") || (at(i).is("class") && (before(i).is("<") || before(i).is(","))))
        if (at(i + 1).kind == tok::raw_identifier && !at(i + 2).is("::"))
          type_names_.insert(at(i + 1).text);
      if (at(i).is("using") && at(i + 2).is("=")) type_names_.insert(at(i + 1).text);
      if (at(i).is("typedef"))
        for (auto j = i + 1; j + 1 < tokens_.size() && !at(j).is("{"); ++j)
          if (at(j + 1).is(";")) {
            if (at(j).kind == tok::raw_identifier) type_names_.insert(at(j).text);
            break;
          }
    }
  }

  void visit() {
    const auto& token = at(at_);
    if (token.kind == tok::hash && token.starts_line) return skip_include();
    if (token.kind == tok::l_square && at(at_ + 1).kind == tok::l_square) return attributes();
    if (token.kind == tok::l_brace) return open_brace();
    if (token.kind == tok::r_brace) return close_brace();
    if (token.kind == tok::l_paren) ++parens_;
    if (token.kind == tok::r_paren && parens_) --parens_;
    if (token.kind == tok::r_paren) member_qualifier();
    if (token.kind != tok::raw_identifier) return;
    if (token.is("threadgroup")) return threadgroup_variable();
    if (at(at_ + 1).kind == tok::l_paren && constructs()) return construct();
    if (token.is("vec") && at(at_ + 1).is("<")) return construct_vec();
  }

  void skip_include() {
    if (!at(at_ + 1).is("include") && !at(at_ + 1).is("import")) return;
    while (at_ + 1 < tokens_.size() && !at(at_ + 1).starts_line) ++at_;
  }

  // [[name(…), name]]: the names that Metal knows get their '$'.
  void attributes() {
    const auto end = closing(at_);
    int depth = 0;
    for (auto i = at_; i < end && i < tokens_.size(); ++i) {
      if (at(i).kind == tok::l_paren) ++depth;
      if (at(i).kind == tok::r_paren) --depth;
      if (depth == 0 && at(i).kind == tok::raw_identifier &&
          metal_attributes().contains(at(i).text) && !at(i + 1).is("::"))
        replace(at(i), dollar(at(i).text));
    }
    at_ = std::min(end, tokens_.size() - 1);
  }

  void open_brace() {
    blocks_.push_back({block_kind(), parens_});
    parens_ = 0;
  }

  void close_brace() {
    if (blocks_.empty()) return;
    parens_ = blocks_.back().parens;
    blocks_.pop_back();
  }

  Block enclosing() const { return blocks_.empty() ? Block::none : blocks_.back().kind; }

  // Looks back from the '{' at at_ to the start of its statement.
  Block block_kind() const {
    const auto& previous = before(at_);
    if (enclosing() == Block::function && !statement_has_record_word()) return Block::function;
    if (statement_has_record_word()) return Block::record;
    if (previous.is("=") || previous.is(",") || previous.is("(")) return Block::other;
    if (previous.is("namespace") || before(at_ - 1).is("namespace") ||
        previous.kind == tok::string_literal)
      return Block::none;
    return statement_has_parameters() ? Block::function : Block::other;
  }

  template <typename Predicate>
  bool statement_has(Predicate predicate) const {
    for (auto i = at_; i-- > 0;) {
      if (at(i).is(";") || at(i).is("{") || at(i).is("}")) return false;
      if (predicate(i)) return true;
    }
    return false;
  }
  bool statement_has_record_word() const {
    return statement_has([&](std::size_t i) {
      const auto& token = at(i);
      const bool record = token.is("struct") || token.is("union") || token.is("enum") ||
                          (token.is("class") && !before(i).is("<") && !before(i).is(","));
      // `struct S f() {` is a function; `template <struct T>` is not a record.
      return record && !statement_has_parameters();
    });
  }
  bool statement_has_parameters() const {
    int depth = 0;
    for (auto i = at_; i-- > 0;) {
      if (depth == 0 && (at(i).is(";") || at(i).is("{") || at(i).is("}"))) return false;
      if (at(i).is("]") || at(i).is("[")) continue;
      if (at(i).kind == tok::r_paren) {
        // alignas(…) and attributes are no parameter lists.
        ++depth;
      }
      if (at(i).kind == tok::l_paren && --depth == 0) {
        const auto& name = before(i);
        if (name.is("alignas") || name.is("__attribute__") || name.is("decltype") ||
            in_attribute(i))
          continue;
        return true;
      }
    }
    return false;
  }
  // Whether the '(' at `open` stands within [[ ]].
  bool in_attribute(std::size_t open) const {
    for (auto i = open; i-- > 0;) {
      if (at(i).is(";") || at(i).is("{") || at(i).is("}") || at(i).is("]")) return false;
      if (at(i).is("[") && before(i).is("[")) return true;
    }
    return false;
  }

  // In a function, `threadgroup float tile[8];` declares a variable in that space, which C++ wants
  // `static`; `threadgroup float *p` declares a pointer to it.
  void threadgroup_variable() {
    if (enclosing() != Block::function || parens_ > 0) return;
    for (auto i = at_ + 1; i < tokens_.size(); ++i) {
      const auto& token = at(i);
      if (token.is("<")) {
        const auto end = closing_angle(i);
        if (!end) return;
        i = *end;
        continue;
      }
      if (token.is("*") || token.is("&") || token.kind == tok::l_paren) return;
      if (token.is(";") || token.is("=") || token.is(",") || token.kind == tok::l_brace ||
          token.kind == tok::l_square)
        return replace(at(at_), "$threadgrou");
    }
  }

  // Whether the name before a '(' builds a value there, and does not declare something.
  bool constructs() const {
    const auto& token = at(at_);
    if (!is_vector_name(token.text) && !type_names_.contains(token.text)) return false;
    const auto& previous = before(at_);
    if (previous.is("operator") || previous.is("typename") || previous.is("struct") ||
        previous.is("new") || previous.is("~") || previous.is(".") || previous.is("->"))
      return false;
    // `float4 (&rows)[4]`, `float4 (*p)[2]`: a declarator.
    const bool declarator = (at(at_ + 2).is("&") || at(at_ + 2).is("*")) && at(at_ + 4).is(")") &&
                            (at(at_ + 5).is("[") || at(at_ + 5).is("("));
    return !declarator;
  }

  // float4(…) becomes the function $loat4(…); an alias or template parameter, $make<T>(…).
  void construct() {
    const auto& token = at(at_);
    if (is_vector_name(token.text))
      replace(token, dollar(token.text));
    else if (!before(at_).is("::"))
      replace(token, "$make<" + std::string(token.text) + ">");
  }

  // vec<T, N>(…) becomes the function $ec<T, N>(…).
  void construct_vec() {
    const auto end = closing_angle(at_ + 1);
    if (end && at(*end + 1).kind == tok::l_paren && !before(at_).is("operator"))
      replace(at(at_), "$ec");
  }

  // `T operator[](size_t i) const device {…}`: all overloads of one signature that differ in their
  // address space only are served by one, whose object is in the default space; the later ones go.
  void member_qualifier() {
    if (enclosing() != Block::record || parens_ > 0) return;
    auto i = at_ + 1;
    std::vector<std::size_t> spaces;
    for (; at(i).is("const") || at(i).is("volatile") || at(i).is("noexcept") ||
           is_address_space(at(i).text);
         ++i)
      if (is_address_space(at(i).text)) spaces.push_back(i);
    if (spaces.empty()) return;
    const auto first = member_begin();
    const auto last = at(i).kind == tok::l_brace ? closing(i) : i;
    if (last >= tokens_.size()) return;
    if (!members_.insert(member_signature(i)).second) {
      changes_.erase(std::remove_if(changes_.begin(), changes_.end(),
                                    [&](const auto& c) { return c.offset >= at(first).offset; }),
                     changes_.end());
      blank(first, last);
      at_ = last;
      return;
    }
    for (auto space : spaces) blank(space, space);
  }
  std::size_t member_begin() const {
    auto i = at_;
    while (i > 0 && !before(i).is(";") && !before(i).is("{") && !before(i).is("}") &&
           !before(i).is(":"))
      --i;
    return i;
  }
  // Class, name, parameters and const of the member function whose body or ';' is at `end`.
  std::string member_signature(std::size_t end) const {
    std::string signature = std::to_string(blocks_.size()) + "@";
    for (auto i = at_; i-- > 0;)
      if (at(i).is("struct") || at(i).is("class")) {
        signature += std::to_string(i);
        break;
      }
    auto open = at_;
    for (int depth = 0; open > 0; --open) {
      if (at(open).kind == tok::r_paren) ++depth;
      if (at(open).kind == tok::l_paren && --depth == 0) break;
    }
    // operator [], operator (): the name is the tokens back to `operator`; else one identifier.
    auto name = open ? open - 1 : 0;
    for (auto i = name; i + 4 > open && i > 0; --i)
      if (at(i).is("operator")) name = i;
    for (auto i = name; i < end; ++i)
      if (!is_address_space(at(i).text)) signature.append(" ").append(at(i).text);
    return signature;
  }

  struct Open {
    Block kind;
    int parens;
  };
  std::string_view metal_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int parens_ = 0;  // open since the innermost brace
  std::vector<Open> blocks_;
  std::set<std::string_view> type_names_;
  std::set<std::string> members_;
  std::vector<Rewritten::Change> changes_;
};

}  // namespace

Rewritten::Rewritten(std::string_view original, const std::vector<Change>& changes) {
  text_.reserve(original.size());
  unsigned copied = 0;
  const auto copy_until = [&](unsigned end) {
    pieces_.push_back({static_cast<unsigned>(text_.size()), copied, end - copied});
    text_.append(original.substr(copied, end - copied));
    copied = end;
  };
  for (const auto& change : changes) {
    copy_until(change.offset);
    const bool same_length = change.replacement.size() == change.length;
    pieces_.push_back(
        {static_cast<unsigned>(text_.size()), change.offset, same_length ? change.length : 0});
    text_.append(change.replacement);
    copied = change.offset + change.length;
  }
  copy_until(static_cast<unsigned>(original.size()));
}

unsigned Rewritten::original_offset(unsigned offset) const {
  auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                       [](unsigned value, const Piece& piece) { return value < piece.rewritten; });
  const auto& piece = *std::prev(after);
  const auto within = offset - piece.rewritten;
  return piece.original + std::min(within, piece.length);
}

Rewritten rewrite_tokens(std::string_view metal) { return Pass(metal).run(); }

}  // namespace msci
