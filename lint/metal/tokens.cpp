#include "lint/metal/tokens.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <map>
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
  bool is_name() const { return kind == tok::raw_identifier; }
  unsigned end() const { return offset + static_cast<unsigned>(text.size()); }
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

// The length of a vector type by its name, 0 for anything else: 4 for float4 and packed_half4.
unsigned vector_width(std::string_view name) {
  static const std::set<std::string_view> scalars{"float", "half",  "bfloat", "int",
                                                  "uint",  "short", "ushort", "char",
                                                  "uchar", "long",  "ulong",  "bool"};
  if (name.starts_with("packed_")) name.remove_prefix(7);
  if (name.size() < 2) return 0;
  const char width = name.back();
  name.remove_suffix(1);
  return width >= '2' && width <= '4' && scalars.contains(name) ? width - '0' : 0;
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
enum class Scope { none, function, record, other };

class Pass {
 public:
  explicit Pass(std::string_view metal) : metal_(metal), tokens_(lex(metal)) {}

  Rewritten run() {
    collect_type_names();
    for (at_ = 0; at_ < tokens_.size(); ++at_) visit();
    std::stable_sort(changes_.begin(), changes_.end(), [](const auto& a, const auto& b) {
      // What is inserted before a token comes before what replaces the token.
      return std::pair(a.offset, a.length > 0) < std::pair(b.offset, b.length > 0);
    });
    // Where brackets do not match, two may claim one text; the first one has it.
    unsigned free = 0;
    std::erase_if(changes_, [&](const Rewritten::Change& change) {
      if (change.offset < free) return true;
      free = change.offset + change.length;
      return false;
    });
    return Rewritten(metal_, changes_);
  }

 private:
  struct Block {
    Scope scope = Scope::none;
    int parens = 0;           // open when the block began
    std::size_t begin = 0;    // its '{'
    std::string_view record;  // the name of a struct or class
  };

  const Token& at(std::size_t index) const {
    return index < tokens_.size() ? tokens_[index] : end_;
  }
  const Token& before(std::size_t index) const {
    return index ? at(index - 1) : at(tokens_.size());
  }
  // The first token of `[[`.
  bool begins_attributes(std::size_t index) const {
    return at(index).kind == tok::l_square && at(index + 1).kind == tok::l_square;
  }

  void replace(const Token& token, std::string with) {
    changes_.push_back({token.offset, static_cast<unsigned>(token.text.size()), std::move(with)});
  }
  void insert(unsigned offset, std::string text) {
    changes_.push_back({offset, 0, std::move(text)});
  }

  // Blanks the tokens [first, last], keeping line breaks.
  void blank(std::size_t first, std::size_t last) {
    const auto begin = at(first).offset;
    std::string spaces(metal_.substr(begin, at(last).end() - begin));
    for (char& c : spaces)
      if (c != '\n' && c != '\r') c = ' ';
    changes_.push_back({begin, at(last).end() - begin, std::move(spaces)});
  }

  static bool opens(const Token& token) {
    return token.kind == tok::l_paren || token.kind == tok::l_brace || token.kind == tok::l_square;
  }
  static bool closes(const Token& token) {
    return token.kind == tok::r_paren || token.kind == tok::r_brace || token.kind == tok::r_square;
  }
  // Index of the bracket that closes the one at `open`, or tokens_.size().
  std::size_t closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      if (opens(at(i))) ++depth;
      if (closes(at(i)) && --depth == 0) return i;
    }
    return tokens_.size();
  }
  // Index of the bracket that opens the one closed at `close`, or 0.
  std::size_t opening(std::size_t close) const {
    int depth = 0;
    for (std::size_t i = close; i > 0; --i) {
      if (closes(at(i))) ++depth;
      if (opens(at(i)) && --depth == 0) return i;
    }
    return 0;
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
      const bool parameter =
          at(i).is("typename") || (at(i).is("class") && (before(i).is("<") || before(i).is(",")));
      if (parameter && at(i + 1).is_name() && !at(i + 2).is("::"))
        type_names_.insert(at(i + 1).text);
      if (at(i).is("using") && at(i + 2).is("=")) type_names_.insert(at(i + 1).text);
      if (at(i).is("typedef")) collect_typedef(i);
    }
  }
  void collect_typedef(std::size_t i) {
    for (; i + 1 < tokens_.size() && !at(i).is("{") && !at(i + 1).starts_line; ++i)
      if (at(i + 1).is(";")) {
        if (at(i).is_name()) type_names_.insert(at(i).text);
        return;
      }
  }

  void visit() {
    const auto& token = at(at_);
    if (token.kind == tok::hash && token.starts_line) return directive();
    if (begins_attributes(at_)) return attributes();
    if (token.kind == tok::l_brace) return open_brace();
    if (token.kind == tok::r_brace) return close_brace();
    if (token.kind == tok::l_paren) return open_paren();
    if (token.kind == tok::r_paren) return close_paren();
    if (token.kind == tok::numeric_constant) return number(token);
    if (token.is_name()) visit_name(token);
  }

  // 4.0H and 1.0bf end in ways that C++ keeps for itself.
  void number(const Token& token) {
    const auto& text = token.text;
    if (text.starts_with("0x") && text.find('p') == text.npos) return;
    std::string ours(text);
    if (text.ends_with("H"))
      ours.back() = 'h';
    else if (text.ends_with("bf") || text.ends_with("BF"))
      ours.replace(text.size() - 2, 2, "_b");
    else
      return;
    replace(token, std::move(ours));
  }

  void visit_name(const Token& token) {
    if (token.is("threadgroup")) return threadgroup_variable();
    if (token.is("template") && begins_attributes(at_ + 1)) return explicit_instantiation();
    if (token.is("__attribute__")) return gnu_attribute();
    if (token.is("coherent")) return coherent();
    // Metal's word is a specifier, and no list of attributes may stand behind one.
    if (token.is("kernel") && begins_attributes(at_ + 1)) return replace(token, "$kernel");
    if (token.is("static_cast") && at(at_ + 1).is("<")) return static_cast_to_vector();
    if (token.is("vec") && at(at_ + 1).is("<")) return vec();
    if (at_ < self_end_ && qualify_member(token)) return;
    if (array_parameter()) return;
    const auto& next = at(at_ + 1);
    if (next.kind == tok::l_paren || next.kind == tok::l_brace) return construct();
    if (next.is_name() && vector_width(token.text))
      vector_variable(at_, at_,
                      dollar(token.text).insert(0, before(at_).is("::") ? "metal::" : ""));
  }

  // What a macro stands for is looked at like a function's body; other directives are left alone.
  void directive() {
    auto end = at_ + 1;
    while (end < tokens_.size() && !at(end).starts_line) ++end;
    if (at(at_ + 1).is("define")) {
      const auto blocks = std::exchange(blocks_, {{.scope = Scope::function}});
      const auto parens = std::exchange(parens_, 0);
      for (at_ += 2; at_ < end; ++at_) visit();
      blocks_ = blocks;
      parens_ = parens;
    }
    at_ = end - 1;
  }

  // [[name(…), name]]: the names that Metal knows get their '$'.
  void attributes() {
    const auto end = std::min(closing(at_), tokens_.size() - 1);
    int depth = 0;
    for (auto i = at_; i < end; ++i) {
      if (at(i).kind == tok::l_paren) ++depth;
      if (at(i).kind == tok::r_paren) --depth;
      if (depth != 0 || !at(i).is_name() || at(i + 1).is("::")) continue;
      if (metal_attributes().contains(at(i).text)) replace(at(i), dollar(at(i).text));
      if (at(i).is("function_constant") && parens_ == 0 && scope() == Scope::none)
        declare_function_constant();
    }
    at_ = end;
  }

  // The host gives a function constant its value, so here it is only declared.
  void declare_function_constant() {
    const auto first = statement_begin(at_);
    if (at(first).is("static"))
      replace(at(first), "extern");
    else
      insert(at(first).offset, "extern ");
  }

  // `template [[host_name("f")]] [[kernel]] void f<float>(…);`: the parser takes attributes there
  // as GNU's only.
  void explicit_instantiation() {
    while (begins_attributes(at_ + 1)) {
      const auto end = closing(at_ + 1);
      if (end >= tokens_.size()) return;
      changes_.push_back(
          {at(at_ + 1).offset, at(at_ + 2).end() - at(at_ + 1).offset, "__attribute__(("});
      int depth = 0;
      for (auto i = at_ + 3; i + 1 < end; ++i) {
        if (at(i).kind == tok::l_paren) ++depth;
        if (at(i).kind == tok::r_paren) --depth;
        if (depth == 0 && at(i).is_name()) annotate(i);
      }
      changes_.push_back({at(end - 1).offset, at(end).end() - at(end - 1).offset, "))"});
      at_ = end;
    }
  }
  // __attribute__((max_total_threads_per_threadgroup(64)))
  void gnu_attribute() {
    if (at(at_ + 3).is("max_total_threads_per_threadgroup")) annotate(at_ + 3);
  }
  // name(value) → annotate("name", value)
  void annotate(std::size_t i) {
    std::string annotation = "annotate(\"";
    annotation.append(at(i).text);
    if (at(i + 1).kind == tok::l_paren)
      changes_.push_back({at(i).offset, at(i + 1).end() - at(i).offset, annotation.append("\", ")});
    else
      replace(at(i), annotation.append("\")"));
  }

  // `coherent device float*`, `coherent(device) device float*`: here all memory is coherent.
  void coherent() {
    const auto last = at(at_ + 1).kind == tok::l_paren ? closing(at_ + 1) : at_;
    if (!is_address_space(at(last + 1).text)) return;
    blank(at_, last);
    at_ = last;
  }

  void open_brace() {
    Block block{.scope = block_scope(), .parens = parens_, .begin = at_};
    if (block.scope == Scope::record) {
      block.record = record_name();
      collect_members(block.record);
    }
    blocks_.push_back(block);
    parens_ = 0;
  }
  void close_brace() {
    if (blocks_.empty()) return;
    parens_ = blocks_.back().parens;
    blocks_.pop_back();
  }
  void open_paren() {
    if (cast()) return;
    ++parens_;
  }
  void close_paren() {
    if (parens_) --parens_;
    if (scope() == Scope::record && parens_ == 0) member_function();
  }

  Scope scope() const { return blocks_.empty() ? Scope::none : blocks_.back().scope; }

  // The first token of the statement or declaration that `index` stands in.
  std::size_t statement_begin(std::size_t index) const {
    for (int depth = 0; index > 0; --index) {
      if (at(index).kind == tok::hash && at(index).starts_line) return next_line(index);
      const auto& previous = before(index);
      if (previous.kind == tok::r_paren) ++depth;
      if (previous.kind == tok::l_paren) --depth;
      if (depth <= 0 && (previous.is(";") || previous.is("{") || previous.is("}") ||
                         (previous.is(":") && !before(index - 1).is("?") &&
                          (before(index - 1).is("public") || before(index - 1).is("private")))))
        break;
    }
    return index;
  }
  std::size_t next_line(std::size_t index) const {
    ++index;
    while (index < tokens_.size() && !at(index).starts_line) ++index;
    return index;
  }

  // Looks back from the '{' at at_ to the start of its statement.
  Scope block_scope() const {
    const auto& previous = before(at_);
    const auto first = statement_begin(at_);
    const bool parameters = has_parameters(first);
    for (auto i = first; i < at_ && !parameters; ++i)
      if (at(i).is("struct") || at(i).is("union") || at(i).is("enum") ||
          (at(i).is("class") && !before(i).is("<") && !before(i).is(",")))
        return at(i).is("enum") ? Scope::other : Scope::record;
    if (scope() == Scope::function) return Scope::function;
    if (previous.is("=") || previous.is(",") || previous.is("(")) return Scope::other;
    if (previous.is("namespace") || before(at_ - 1).is("namespace") ||
        previous.kind == tok::string_literal)
      return Scope::none;
    return parameters ? Scope::function : Scope::other;
  }
  // Whether a parameter list stands in [first, at_); alignas(…) and attributes are none.
  bool has_parameters(std::size_t first) const {
    for (auto i = first; i < at_; ++i) {
      if (begins_attributes(i)) i = closing(i);
      if (at(i).kind != tok::l_paren) continue;
      const auto& name = before(i);
      if (!name.is("alignas") && !name.is("__attribute__") && !name.is("decltype")) return true;
      i = closing(i);
    }
    return false;
  }
  std::string_view record_name() const {
    std::string_view name;
    for (auto i = statement_begin(at_); i < at_ && !at(i).is(":") && !at(i).is("final"); ++i) {
      if (at(i).is("template") && at(i + 1).is("<")) i = closing_angle(i + 1).value_or(i);
      if (begins_attributes(i) || at(i).kind == tok::l_paren) i = closing(i);
      if (at(i).is("<")) i = closing_angle(i).value_or(i);
      if (at(i).is_name()) name = at(i).text;
    }
    return name == "struct" || name == "class" || name == "union" ? std::string_view() : name;
  }

  // Names that are declared directly in the record whose '{' is at at_, and, of its fields that are
  // vectors, their types.
  void collect_members(std::string_view record) {
    auto& members = members_[record];
    auto& vectors = vector_fields_[record];
    const auto end = closing(at_);
    auto first = at_ + 1;
    for (auto i = first; i < end; ++i) {
      if (begins_attributes(i)) {
        i = closing(i);
        continue;
      }
      if (at(i).is("<")) i = closing_angle(i).value_or(i);
      const bool ends_name = at(i).is(";") || at(i).is(",") || at(i).is("=") || at(i).is("[") ||
                             at(i).is("(") || at(i).is("{") || begins_attributes(i);
      if (ends_name && before(i).is_name() && i > first) {
        members.insert(before(i).text);
        for (auto j = first; j + 1 < i; ++j)
          if (vector_width(at(j).text)) vectors[before(i).text] = at(j).text;
      }
      if (at(i).is("=") || at(i).is("(") || at(i).is("{")) {  // on to the end of the member
        const bool body = at(i).is("{");
        while (i < end && !at(i).is(";") && !at(i).is("{"))
          i = opens(at(i)) ? closing(i) + 1 : i + 1;
        if (at(i).is("{")) i = closing(i);
        if (at(i + 1).is(";") && body) ++i;
        first = i + 1;
      } else if (at(i).is("[")) {
        i = closing(i);
      } else if (at(i).is(";") || at(i).is(":")) {
        first = i + 1;
      }
    }
  }

  // In a function, `threadgroup float tile[8];` declares a variable in that space, which C++ wants
  // `static`; `threadgroup float *p` declares a pointer to it.
  void threadgroup_variable() {
    if (scope() != Scope::function || parens_ > 0) return;
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

  // `threadgroup float tile[8][8]` as a parameter is a pointer, `threadgroup float (*tile)[8]`: an
  // array in an address space would not become one by itself.
  bool array_parameter() {
    if (parens_ == 0 || at(at_ + 1).kind != tok::l_square || begins_attributes(at_ + 1))
      return false;
    bool spaced = false;
    for (auto i = at_; i-- > 0 && !at(i).is(",") && at(i).kind != tok::l_paren;) {
      if (!at(i).is_name() && !at(i).is("::")) return false;
      spaced |= is_address_space(at(i).text) && !at(i).is("thread");
    }
    if (!spaced) return false;
    const auto end = closing(at_ + 1);
    const bool more = at(end + 1).kind == tok::l_square && !begins_attributes(end + 1);
    const std::string name(at(at_).text);
    std::string pointer = more ? "(*" : "*";
    replace(at(at_), pointer.append(name).append(more ? ")" : ""));
    blank(at_ + 1, end);
    at_ = end;
    return true;
  }

  // How many expressions the brackets [open, close] hold.
  std::size_t list_size(std::size_t open, std::size_t close) const {
    if (close <= open + 1) return 0;
    std::size_t size = 1;
    for (auto i = open + 1; i < close; ++i) {
      if (opens(at(i))) i = closing(i);
      if (at(i).is(",") && i + 1 < close) ++size;
    }
    return size;
  }

  // float4(…) becomes a call of the function $loat4(…), T(…) of $make<T>(…). Braces stay where they
  // hold one value for each element: they check for narrowing.
  void construct() {
    const auto& token = at(at_);
    const auto& previous = before(at_);
    const auto width = vector_width(token.text);
    if (!width && !type_names_.contains(token.text)) return;
    if (previous.is("operator") || previous.is("typename") || previous.is("struct") ||
        previous.is("class") || previous.is("new") || previous.is("~") || previous.is(".") ||
        previous.is("->"))
      return;
    if (at(at_ + 1).kind == tok::l_brace) return width ? construct_from_list(width) : void();
    if (begins_declarator(at_ + 1)) return;
    if (width)
      replace(token, dollar(token.text));
    else if (!previous.is("::"))
      replace(token, make(token.text));
  }
  // `(&rows)[4]`, `(*f)(int)` after a type.
  bool begins_declarator(std::size_t open) const {
    return (at(open + 1).is("&") || at(open + 1).is("*")) && at(open + 3).is(")") &&
           (at(open + 4).is("[") || at(open + 4).is("("));
  }
  // float4{a.xy, b, c} → $loat4(a.xy, b, c)
  void construct_from_list(std::size_t width) {
    const auto end = closing(at_ + 1);
    const auto size = list_size(at_ + 1, end);
    if (end >= tokens_.size() || size < 2 || size >= width) return;
    replace(at(at_), dollar(at(at_).text));
    replace(at(at_ + 1), "(");
    replace(at(end), ")");
  }
  static std::string make(std::string_view type) {
    std::string call = "$make<";
    return call.append(type).append(">");
  }

  // vec<T, N>(…) becomes $ec<T, N>(…), a call; vec<bool, N> a class of its own.
  void vec() {
    const auto end = closing_angle(at_ + 1);
    if (!end || before(at_).is("operator")) return;
    if (at(at_ + 2).is("bool") && at(at_ + 3).is(",")) {
      const bool calls = at(*end + 1).kind == tok::l_paren && !begins_declarator(*end + 1);
      changes_.push_back({at(at_).offset, at(at_ + 3).end() - at(at_).offset,
                          calls ? "$make<$bools<" : "$bools<"});
      if (calls) insert(at(*end).end(), ">");
      at_ += 3;
    } else if (at(*end + 1).kind == tok::l_paren) {
      if (!begins_declarator(*end + 1)) replace(at(at_), "$ec");
    } else if (at(*end + 1).is_name()) {
      vector_variable(at_, *end, make(source(at_, *end)));
    }
  }
  std::string_view source(std::size_t first, std::size_t last) const {
    return metal_.substr(at(first).offset, at(last).end() - at(first).offset);
  }

  // `float4 v(a, b);` is written `float4 v=$loat4(a, b);`. At namespace scope that would be a
  // function, unless it lies in `constant`.
  void vector_variable(std::size_t first, std::size_t last, std::string maker) {
    const auto open = last + 2;
    if (parens_ > 0 || at(open).kind != tok::l_paren) return;
    bool variable = scope() == Scope::function;
    for (auto i = statement_begin(first); i < first; ++i) variable |= at(i).is("constant");
    if (variable && !at(open + 1).is(")")) insert(at(open).offset, maker.insert(0, "="));
  }

  // Index of the last token of a type that begins at `first` and may be a vector, or nothing.
  std::optional<std::size_t> vector_type(std::size_t first) const {
    if (at(first).is("metal") && at(first + 1).is("::")) first += 2;
    if (vector_width(at(first).text) ||
        (at(first).is_name() && type_names_.contains(at(first).text)))
      return first;
    if (at(first).is("vec") && at(first + 1).is("<")) return closing_angle(first + 1);
    return std::nullopt;
  }
  // vec<bool, N> as what the parser knows it by.
  std::string type_text(std::size_t first, std::size_t last) const {
    std::string text(source(first, last));
    if (at(first).is("vec") && at(first + 2).is("bool") && at(first + 3).is(","))
      text.replace(0, at(first + 3).end() - at(first).offset, "$bools<");
    return text;
  }

  // (float4)x converts each element: `$as<float4>()->*x`. The '(' is at at_.
  bool cast() {
    const auto& previous = before(at_);
    const bool keyword = previous.is("return") || previous.is("case") || previous.is("else");
    if ((previous.is_name() && !keyword) || previous.is(")") || previous.is("]")) return false;
    const auto last = vector_type(at_ + 1);
    if (!last || at(*last + 1).kind != tok::r_paren) return false;
    const auto& operand = at(*last + 2);
    const bool starts = operand.is_name() || operand.kind == tok::numeric_constant ||
                        operand.kind == tok::l_paren || operand.is("-") || operand.is("+") ||
                        operand.is("~") || operand.is("!") || operand.is("*") || operand.is("&");
    if (!starts && operand.kind != tok::l_brace) return false;
    const auto type = type_text(at_ + 1, *last);
    std::string text = operand.kind == tok::l_brace ? type : "$as<" + type + ">()->*";
    changes_.push_back({at(at_).offset, at(*last + 1).end() - at(at_).offset, std::move(text)});
    at_ = *last + 1;
    return true;
  }
  void static_cast_to_vector() {
    const auto last = vector_type(at_ + 2);
    if (!last || !at(*last + 1).is(">") || at(*last + 2).kind != tok::l_paren) return;
    changes_.push_back(
        {at(at_).offset, at(*last + 1).end() - at(at_).offset, make(type_text(at_ + 2, *last))});
    at_ = *last + 1;
  }

  // `T& operator[](size_t i) const device {…}` becomes `T& operator[](this const device S& $self,
  // size_t i) {…}`, with the members in its body named as $self's. Called with its ')' at at_.
  void member_function() {
    auto end = at_ + 1;
    std::string qualifiers;
    bool spaced = false;
    while (at(end).is("const") || at(end).is("volatile") || at(end).is("noexcept") ||
           is_address_space(at(end).text)) {
      spaced |= is_address_space(at(end).text);
      if (!at(end).is("noexcept")) qualifiers.append(at(end).text).append(" ");
      ++end;
    }
    const auto open = opening(at_);
    const auto& record = blocks_.back().record;
    if (at(end).is(":")) initialise_vectors(end, record);
    if (!spaced) return;
    if (at(end).is("=") && at(end + 1).is("default")) return defaulted_member(open, end);
    if (before(open).is(record)) return constructor(open, end);
    blank(at_ + 1, end - 1);
    const bool alone = at(open + 1).is(")");
    insert(at(open).end(),
           "this " + qualifiers + std::string(record) + "& $self" + (alone ? "" : ", "));
    self_end_ = at(end).is("{") ? closing(end) : end;
    self_members_ = members_[record];
    for (auto i = open; i < at_; ++i) self_members_.erase(at(i).text);
    at_ = end - 1;
  }

  // What the compiler supplies copies between all spaces: only the plainest is declared.
  void defaulted_member(std::size_t open, std::size_t end) {
    const auto first = statement_begin(open);
    for (auto i = first; i < end; ++i)
      if (is_address_space(at(i).text) && !at(i).is("thread"))
        return remove(first, statement_end(end));
    constructor(open, end);
  }
  // An object of any space is built by one constructor; those that differ in it only go.
  void constructor(std::size_t open, std::size_t end) {
    std::string signature = std::to_string(blocks_.back().begin);
    for (auto i = open - 1; i <= at_; ++i) signature.append(" ").append(at(i).text);
    if (!constructors_.insert(signature).second)
      return remove(statement_begin(open), at(end).is("{") ? closing(end) : statement_end(end));
    blank(at_ + 1, end - 1);
    at_ = end - 1;
  }
  // Blanks a whole member, [first, last], and what was changed in it.
  void remove(std::size_t first, std::size_t last) {
    if (last >= tokens_.size()) return;
    std::erase_if(changes_, [&](const auto& c) { return c.offset >= at(first).offset; });
    blank(first, last);
    at_ = last;
  }
  std::size_t statement_end(std::size_t i) const {
    while (i < tokens_.size() && !at(i).is(";")) i = at(i).is("{") ? closing(i) : i + 1;
    return i;
  }

  // `S(float x) : v(x, 0) {`: what builds the vector v is named.
  void initialise_vectors(std::size_t colon, std::string_view record) {
    const auto& vectors = vector_fields_[record];
    for (auto i = colon + 1; i < tokens_.size() && !at(i).is("{"); ++i) {
      const auto field = vectors.find(at(i).text);
      if (at(i + 1).kind != tok::l_paren) continue;
      const auto close = closing(i + 1);
      if (field != vectors.end() && list_size(i + 1, close) > 1) {
        insert(at(i + 1).end(), dollar(field->second).append("("));
        insert(at(close).offset, ")");
      }
      i = close;
    }
  }

  bool qualify_member(const Token& token) {
    const auto& previous = before(at_);
    if (token.is("this")) {
      replace(token, "(&$self)");
      return true;
    }
    if (!self_members_.contains(token.text) || previous.is(".") || previous.is("->") ||
        previous.is("::"))
      return false;
    insert(token.offset, "$self.");
    return true;
  }

  std::string_view metal_;
  Token end_{tok::eof, static_cast<unsigned>(metal_.size()), "", false};  // behind the last one
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int parens_ = 0;  // open since the innermost brace
  std::vector<Block> blocks_;
  std::set<std::string_view> type_names_;
  // By the name of a record: its members, and the types of those that are vectors.
  std::map<std::string_view, std::set<std::string_view>> members_;
  std::map<std::string_view, std::map<std::string_view, std::string_view>> vector_fields_;
  std::set<std::string> constructors_;
  // Until which token a function with an explicit object goes, and the members it may name.
  std::size_t self_end_ = 0;
  std::set<std::string_view> self_members_;
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

unsigned Rewritten::rewritten_offset(unsigned offset) const {
  for (const auto& piece : pieces_)
    if (offset <= piece.original + piece.length)
      return piece.rewritten + (offset > piece.original ? offset - piece.original : 0);
  return static_cast<unsigned>(text_.size());
}

Rewritten rewrite_tokens(std::string_view metal) { return Pass(metal).run(); }

bool names_attribute(std::string_view metal, unsigned offset) {
  const auto tokens = lex(metal.substr(0, offset));
  int closed = 0;
  for (auto i = tokens.size(); i-- > 1;) {
    const auto kind = tokens[i].kind;
    if (kind == tok::r_square || kind == tok::r_paren || kind == tok::r_brace) ++closed;
    const bool opens = kind == tok::l_square || kind == tok::l_paren || kind == tok::l_brace;
    if (opens && closed-- == 0) return kind == tok::l_square && tokens[i - 1].kind == tok::l_square;
  }
  return false;
}

}  // namespace msci
