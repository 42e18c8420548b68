#include "frontend/tokens/tokens.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "frontend/tokens/choices.h"
#include "frontend/tokens/token_stream.h"

namespace msci {
namespace {

namespace tok = clang::tok;
using Tokens = std::vector<clang::Token>;

// What follows an attribute's name in its parentheses.
enum class AttributeForm { flag, value, words };

const std::map<std::string_view, AttributeForm>& metal_attributes() {
  static const std::map<std::string_view, AttributeForm> all{
#define MSCI_ATTRIBUTE(name, form) {#name, AttributeForm::form},
#include "frontend/attributes.def"
#undef MSCI_ATTRIBUTE
  };
  return all;
}

// Metal's keywords that C++ does not have, in words of the SYCL-device dialect.
const std::map<std::string_view, std::string_view>& metal_keywords() {
  static const std::map<std::string_view, std::string_view> all{
#define MSCI_KEYWORD(name, meaning) {#name, meaning},
#include "frontend/tokens/keywords.def"
#undef MSCI_KEYWORD
  };
  return all;
}

bool is_scalar(std::string_view name) {
  static const std::set<std::string_view> scalars{"float", "half",  "bfloat", "int",
                                                  "uint",  "short", "ushort", "char",
                                                  "uchar", "long",  "ulong",  "bool"};
  return scalars.contains(name);
}

// The length of a vector type by its name, 0 for anything else: 4 for float4 and packed_half4.
unsigned vector_width(std::string_view name) {
  if (name.starts_with("packed_")) name.remove_prefix(7);
  if (name.size() < 2) return 0;
  const char width = name.back();
  name.remove_suffix(1);
  return width >= '2' && width <= '4' && is_scalar(name) ? width - '0' : 0;
}

bool is_address_space(std::string_view word) {
  return word == "device" || word == "threadgroup" || word == "thread" || word == "constant" ||
         word == "threadgroup_imageblock" || word == "object_data" || word == "ray_data";
}
// The space of what a thread keeps for itself is the default one here: whatever has no other.
bool is_other_space(std::string_view word) { return is_address_space(word) && word != "thread"; }

bool is_class_key(const Token& token) {
  return token.is("struct") || token.is("class") || token.is("union");
}

// Whether a name behind this token is used, where behind any other name it would be declared.
bool precedes_expression(const Token& token) {
  return token.is("return") || token.is("case") || token.is("else") || token.is("do") ||
         token.is("goto");
}

// float4 → $loat4: the function of ours that builds one.
std::string dollar(std::string_view name) {
  std::string ours(name);
  ours.front() = '$';
  return ours;
}

// What an open brace belongs to.
enum class Scope { none, function, record, other };

class Pass {
 public:
  Pass(clang::Preprocessor& preprocessor, const Tokens& metal, LanguageVersion version)
      : stream_(preprocessor, metal), version_(version) {}

  Tokens run() {
    collect_type_names();
    for (at_ = 0; at_ < stream_.size(); ++at_) visit();
    return stream_.changed();
  }

 private:
  struct Block {
    Scope scope = Scope::none;
    int parens = 0;           // open when the block began
    std::size_t begin = 0;    // its '{'
    std::string_view record;  // the name of a struct or class
  };

  const Token& at(std::size_t index) const { return stream_.at(index); }
  const Token& before(std::size_t index) const { return stream_.before(index); }
  std::size_t size() const { return stream_.size(); }
  std::size_t closing(std::size_t open) const { return stream_.closing(open); }
  std::optional<std::size_t> closing_angle(std::size_t open) const {
    return stream_.closing_angle(open);
  }
  bool begins_attributes(std::size_t index) const { return stream_.begins_attributes(index); }

  // Types that may be vectors, by name: `T(a, b)` must build one.
  void collect_type_names() {
    for (std::size_t i = 0; i + 1 < size(); ++i) {
      if (at(i).is_system) continue;
      const bool parameter =
          at(i).is("typename") || (at(i).is("class") && (before(i).is("<") || before(i).is(",")));
      if (parameter && at(i + 1).is_name() && !at(i + 2).is("::"))
        type_names_.insert(at(i + 1).text);
      if (at(i).is("using") && at(i + 2).is("=")) type_names_.insert(at(i + 1).text);
      if (at(i).is("typedef")) collect_typedef(i);
    }
  }
  void collect_typedef(std::size_t i) {
    for (; i + 1 < size() && !at(i).is("{") && !at(i).is(";"); ++i)
      if (at(i + 1).is(";") && at(i).is_name()) type_names_.insert(at(i).text);
  }

  void visit() {
    const auto& token = at(at_);
    if (token.is_system) return;
    if (begins_attributes(at_)) return attributes();
    if (token.kind == tok::l_brace) return open_brace();
    if (token.kind == tok::r_brace) return close_brace();
    if (token.kind == tok::l_paren) return open_paren();
    if (token.kind == tok::r_paren) return close_paren();
    if (token.kind == tok::numeric_constant) return number(token);
    if (token.is_name()) visit_name(token);
  }

  // Metal has no double: 0.5 is a float, in templates too. 4.0H and 1.0bf end in ways that C++
  // keeps for itself.
  void number(const Token& token) {
    const auto& text = token.text;
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    if (is_hex && text.find_first_of("pP") == text.npos) return;
    std::string ours(text);
    if (text.ends_with("H"))
      ours.back() = 'h';
    else if (text.ends_with("bf") || text.ends_with("BF"))
      ours.replace(text.size() - 2, 2, "_b");
    else if (text.find_first_of(is_hex ? "pP" : ".eE") != text.npos &&
             (std::isdigit(static_cast<unsigned char>(text.back())) || text.back() == '.'))
      ours += 'f';
    else
      return;
    stream_.replace(at_, ours);
  }

  void visit_name(const Token& token) {
    if (token.is("threadgroup")) return threadgroup_variable();
    if (token.is("template") && begins_attributes(at_ + 1)) return explicit_instantiation();
    if (token.is("__attribute__")) return gnu_attribute();
    if (token.is("coherent")) return coherent();
    // Metal's word is a specifier, and no list of attributes may stand behind one.
    if (token.is("kernel") && begins_attributes(at_ + 1))
      return stream_.replace(at_, "__attribute__((annotate(\"kernel\"))) extern");
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

  // [[name(…), name]]: the names that Metal knows become annotations.
  void attributes() {
    const auto end = std::min(closing(at_), size() - 1);
    for (auto i = at_ + 2; i + 1 < end; ++i) {
      const auto known = metal_attributes().find(at(i).text);
      if (at(i).is("function_constant") && parens_ == 0 && scope() == Scope::none)
        declare_function_constant();
      if (known != metal_attributes().end() && !at(i + 1).is("::") && !before(i).is("::"))
        attribute(i, known->second);
      if (at(i + 1).kind == tok::l_paren) i = closing(i + 1);
    }
    at_ = end;
  }
  void attribute(std::size_t i, AttributeForm form) {
    std::string call = "clang::annotate(\"";
    call.append(at(i).text).append("\"");
    if (at(i + 1).kind != tok::l_paren) return stream_.replace(i, call.append(")"));
    if (form != AttributeForm::words) return stream_.replace(i, i + 1, call.append(", "));
    const auto end = closing(i + 1);
    call.append(", \"");
    for (auto j = i + 2; j < end; ++j)
      if (at(j).kind != tok::string_literal) call.append(j > i + 2 ? " " : "").append(at(j).text);
    stream_.replace(i, end, call.append("\")"));
  }

  // The host gives a function constant its value, so here it is only declared.
  void declare_function_constant() {
    const auto first = statement_begin(at_);
    for (auto i = first; i < at_; ++i) {
      // What the host sets is not known while compiling.
      if (at(i).is("static") || at(i).is("constexpr")) stream_.remove(i, i);
      if (at(i).kind == tok::l_paren) i = closing(i);
    }
    stream_.insert_before(first, "extern");
  }

  // `template [[host_name("f")]] [[kernel]] void f<float>(…);`: the parser takes attributes there
  // as GNU's only.
  void explicit_instantiation() {
    while (begins_attributes(at_ + 1)) {
      const auto end = closing(at_ + 1);
      stream_.replace(at_ + 1, at_ + 2, "__attribute__((");
      for (auto i = at_ + 3; i + 1 < end; ++i) {
        if (at(i).is_name()) annotate(i);
        if (at(i + 1).kind == tok::l_paren) i = closing(i + 1);
      }
      stream_.replace(end - 1, end, "))");
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
      stream_.replace(i, i + 1, annotation.append("\", "));
    else
      stream_.replace(i, annotation.append("\")"));
  }

  // `coherent device float*`, `coherent(device) device float*`: here all memory is coherent.
  void coherent() {
    const auto last = at(at_ + 1).kind == tok::l_paren ? closing(at_ + 1) : at_;
    if (!is_address_space(at(last + 1).text)) return;
    // Before metal3.2, a name that the parser does not know.
    stream_.remove(at_ + (version_.number >= 320 ? 0 : 1), last);
    at_ = last;
  }

  void open_brace() {
    list_argument();
    Block block{.scope = block_scope(), .parens = parens_, .begin = at_};
    if (block.scope == Scope::record) {
      block.record = record_name();
      collect_members(block.record);
    }
    blocks_.push_back(block);
    parens_ = 0;
  }
  // f({a, b, c}): Clang takes no list for a vector when it chooses a function.
  void list_argument() {
    const auto& previous = before(at_);
    if (parens_ == 0 || (!previous.is("(") && !previous.is(","))) return;
    const auto end = closing(at_);
    const auto size = stream_.list_size(at_, end);
    if ((!at(end + 1).is(",") && !at(end + 1).is(")")) || size < 2 || size > 4) return;
    for (auto i = at_ + 1; i < end; ++i) {
      const bool is_designator = at(i).is(".") && TokenStream::opens(before(i));
      if (at(i).is(";") || at(i).is("{") || is_designator) return;
    }
    stream_.replace(at_, "$braces(");
    stream_.replace(end, ")");
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
    if (parens_ == 0 && (scope() == Scope::record || scope() == Scope::none)) member_function();
  }

  Scope scope() const { return blocks_.empty() ? Scope::none : blocks_.back().scope; }

  // The first token of the statement or declaration that `index` stands in.
  std::size_t statement_begin(std::size_t index) const {
    for (; index > 0; --index) {
      const auto& previous = before(index);
      if (previous.is_system || previous.raw.isAnnotation()) break;
      if (previous.kind == tok::r_paren) {
        if (const auto open = stream_.opening(index - 1); open > 0) index = open + 1;
        continue;
      }
      if (previous.is(";") || previous.is("{") || previous.is("}") ||
          (previous.is(":") && !before(index - 1).is("?") &&
           (before(index - 1).is("public") || before(index - 1).is("private") ||
            before(index - 1).is("protected"))))
        break;
    }
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
    if (at(first).is("namespace") || at(first).is("extern") ||
        (at(first).is("inline") && at(first + 1).is("namespace")))
      return parameters ? Scope::function : Scope::none;
    return parameters ? Scope::function : Scope::other;
  }
  // Whether a parameter list stands in [first, at_); alignas(…) and attributes are none.
  bool has_parameters(std::size_t first) const {
    for (auto i = first; i < at_; ++i) {
      if (begins_attributes(i)) i = closing(i);
      if (at(i).kind != tok::l_paren) continue;
      const auto& name = before(i);
      if (!name.is("alignas") && !name.is("__attribute__") && !name.is("decltype") &&
          !in_template_list(first, i))
        return true;
      i = closing(i);
    }
    return false;
  }
  // Whether `index` lies in `template <…>` at the statement's begin.
  bool in_template_list(std::size_t first, std::size_t index) const {
    if (!at(first).is("template") || !at(first + 1).is("<")) return false;
    const auto end = closing_angle(first + 1);
    return end && index < *end;
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

  // Where the function ends whose parameters and qualifiers end before `i`: at its '}' or ';'.
  std::size_t function_end(std::size_t i) const {
    if (at(i).is(":")) i = initialisers_end(i);
    while (i < size() && !at(i).is(";") && !at(i).is("{")) ++i;
    return at(i).is("{") ? closing(i) : i;
  }
  // `: a(x), b<T>{y}` → behind it.
  std::size_t initialisers_end(std::size_t colon) const {
    for (auto i = colon + 1; i < size(); ++i) {
      if (at(i).is("<")) i = closing_angle(i).value_or(i);
      if (!TokenStream::opens(at(i))) continue;
      i = closing(i);
      if (!at(i + 1).is(",")) return i + 1;
    }
    return size();
  }

  // What members of a record's own, and of its bases, a function with an explicit object names:
  // fields and functions, but no types and nothing static. And, of fields that are vectors, their
  // types.
  void collect_members(std::string_view record) {
    inherit(record);
    const auto end = closing(at_);
    for (auto i = at_ + 1; i < end;) i = collect_member(record, i, end) + 1;
  }
  void inherit(std::string_view record) {
    auto i = statement_begin(at_);
    while (i < at_ && !at(i).is(":")) ++i;
    for (; i < at_; ++i) {
      const auto base = members_.find(at(i).text);
      if (base != members_.end() && at(i).text != record)
        members_[record].insert(base->second.begin(), base->second.end());
    }
  }
  // The member that begins at `first`; its last token.
  std::size_t collect_member(std::string_view record, std::size_t first, std::size_t end) {
    if (at(first + 1).is(":") && at(first).is_name()) return first + 1;  // public:
    auto i = first;
    if (at(i).is("template") && at(i + 1).is("<")) i = closing_angle(i + 1).value_or(i) + 1;
    bool is_member = true;
    for (; i < end; ++i) {
      if (begins_attributes(i)) {
        i = closing(i);
        continue;
      }
      if (at(i).is("__attribute__") && at(i + 1).kind == tok::l_paren) {
        i = closing(i + 1);
        continue;
      }
      if (at(i).is("static") || at(i).is("using") || at(i).is("typedef") || at(i).is("friend") ||
          at(i).is("enum") || at(i).is("static_assert") || is_class_key(at(i)))
        is_member = false;
      if (at(i).is("<") && !before(i).is("operator")) i = closing_angle(i).value_or(i);
      if (at(i).is(";")) {
        if (is_member) member_named(record, first, i);
        return i;
      }
      if (at(i).is(",") || at(i).is("=") || at(i).is("[") || at(i).is(":")) {
        if (is_member) member_named(record, first, i);
        if (at(i).is("[")) i = closing(i);
      }
      if (at(i).is("=")) {
        while (i + 1 < end && !at(i + 1).is(";") && !at(i + 1).is(","))
          i = TokenStream::opens(at(i + 1)) ? closing(i + 1) : i + 1;
      } else if (at(i).is("(")) {
        if (is_member) member_named(record, first, i);
        i = function_end(after_qualifiers(closing(i) + 1));
        return i;
      } else if (at(i).is("{")) {
        if (is_member) member_named(record, first, i);
        i = closing(i);
        if (!is_member && at(i + 1).is(";")) return i + 1;
      }
    }
    return i;
  }
  void member_named(std::string_view record, std::size_t first, std::size_t behind) {
    if (behind <= first || !before(behind).is_name() || begins_attributes(behind)) return;
    const auto name = before(behind).text;
    members_[record].insert(name);
    for (auto j = first; j + 1 < behind; ++j)
      if (vector_width(at(j).text)) vector_fields_[record][name] = at(j).text;
  }
  // Behind `const device noexcept` and what else may stand behind a function's parameters.
  std::size_t after_qualifiers(std::size_t i) const {
    while (at(i).is("const") || at(i).is("volatile") || at(i).is("noexcept") ||
           is_address_space(at(i).text))
      ++i;
    return i;
  }

  // In a function, `threadgroup float tile[8];` declares a variable in that space, which C++ wants
  // `static`; `threadgroup float *p` declares a pointer to it. It has no value at first, whatever
  // is written. In a template's arguments it is a part of a type.
  void threadgroup_variable() {
    if (scope() != Scope::function || parens_ > 0 || before(at_).is("<") || before(at_).is(","))
      return;
    for (auto i = at_ + 1; i < size(); ++i) {
      const auto& token = at(i);
      if (token.is("<")) {
        const auto end = closing_angle(i);
        if (!end) return;
        i = *end;
        continue;
      }
      if (token.is("__attribute__") && at(i + 1).kind == tok::l_paren) {
        i = closing(i + 1);
        continue;
      }
      if (token.is("*") || token.is("&") || token.kind == tok::l_paren) return;
      if (token.is(";") || token.is("=") || token.is(",") || token.kind == tok::l_brace ||
          token.kind == tok::l_square) {
        stream_.replace(at_, "static __attribute__((opencl_local, loader_uninitialized))");
        return drop_initialisers(i);
      }
    }
  }
  void drop_initialisers(std::size_t i) {
    for (; i < size() && !at(i).is(";"); ++i) {
      if (at(i).kind == tok::l_square) i = closing(i);
      if (!at(i).is("=") && at(i).kind != tok::l_brace) continue;
      auto last = at(i).is("=") ? i : closing(i);
      while (last + 1 < size() && !at(last + 1).is(";") && !at(last + 1).is(","))
        last = TokenStream::opens(at(last + 1)) ? closing(last + 1) : last + 1;
      stream_.remove(i, last);
      i = last;
    }
  }

  // `threadgroup float tile[8][8]` as a parameter is a pointer, `threadgroup float (*tile)[8]`: an
  // array in an address space would not become one by itself.
  bool array_parameter() {
    if (parens_ == 0 || at(at_ + 1).kind != tok::l_square || begins_attributes(at_ + 1))
      return false;
    bool spaced = false;
    for (auto i = at_; i-- > 0 && !at(i).is(",") && at(i).kind != tok::l_paren;) {
      if (at(i).is(">")) i = angle_opening(i);
      if (!at(i).is_name() && !at(i).is("::") && !at(i).is("<")) return false;
      spaced |= is_other_space(at(i).text);
    }
    if (!spaced) return false;
    const auto end = closing(at_ + 1);
    const bool more = at(end + 1).kind == tok::l_square && !begins_attributes(end + 1);
    std::string pointer = more ? "(*" : "*";
    stream_.replace(at_, end, pointer.append(at(at_).text).append(more ? ")" : ""));
    at_ = end;
    return true;
  }
  std::size_t angle_opening(std::size_t close) const {
    int depth = 0;
    for (auto i = close; i > 0; --i) {
      if (at(i).is(">")) ++depth;
      if (at(i).is(">>")) depth += 2;
      if (at(i).is("<") && --depth == 0) return i;
      if (at(i).is(";") || TokenStream::opens(at(i))) break;
    }
    return close;
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
    if (begins_declarator(at_ + 1) || lists_types(at_ + 1) || !at(closing(at_ + 1)).is(")")) return;
    if (width)
      stream_.replace(at_, dollar(token.text));
    else if (!previous.is("::") && !at(at_ + 2).is("{") && !declares_function())
      stream_.replace(at_, make(token.text));
  }
  // A constructor of that name: `T(int x) {`, `T(…);` among a record's members.
  bool declares_function() const {
    return scope() == Scope::record && parens_ == 0 &&
           (blocks_.back().record == at(at_).text || before(at_).is_name());
  }
  // `(&rows)[4]`, `(*f)(int)` after a type.
  bool begins_declarator(std::size_t open) const {
    return (at(open + 1).is("&") || at(open + 1).is("*")) && at(open + 3).is(")") &&
           (at(open + 4).is("[") || at(open + 4).is("("));
  }
  // `float3(float3 a, device float*)` is the type of a function: its list begins with a type.
  bool lists_types(std::size_t open) const {
    auto first = open + 1;
    while (is_address_space(at(first).text) || at(first).is("const")) ++first;
    const auto last = vector_type(first);
    const bool is_type = last || is_scalar(at(first).text) || at(first).is("void");
    const auto& next = at(last.value_or(first) + 1);
    return is_type &&
           (next.is(",") || next.is(")") || next.is("*") || next.is("&") || next.is_name());
  }
  // float4{a.xy, b, c} → $loat4(a.xy, b, c)
  void construct_from_list(std::size_t width) {
    const auto end = closing(at_ + 1);
    const auto size = stream_.list_size(at_ + 1, end);
    if (end >= stream_.size() || size < 2 || size >= width) return;
    stream_.replace(at_, dollar(at(at_).text));
    stream_.replace(at_ + 1, "(");
    stream_.replace(end, ")");
  }
  static std::string make(std::string_view type) {
    std::string call = "$make<";
    return call.append(type).append(">");
  }

  // vec<T, N>(…) becomes $ec<T, N>(…), a call; vec<bool, N> a class of its own.
  void vec() {
    const auto end = closing_angle(at_ + 1);
    if (!end || before(at_).is("operator")) return;
    const bool calls = at(*end + 1).kind == tok::l_paren && !begins_declarator(*end + 1);
    if (at(at_ + 2).is("bool") && at(at_ + 3).is(",")) {
      stream_.replace(at_, at_ + 3, calls ? "$make<$bools<" : "$bools<");
      if (calls) stream_.insert_before(*end + 1, ">");
      at_ += 3;
    } else if (calls) {
      stream_.replace(at_, "$ec");
    } else if (at(*end + 1).is_name()) {
      vector_variable(at_, *end, built_by(*end + 2, "$make<", at_, *end, ">"));
    }
  }
  // The type [first, last] in the middle of a text that begins where the token at `place` stands.
  Tokens built_by(std::size_t place, std::string_view open, std::size_t first, std::size_t last,
                  std::string_view close) {
    auto tokens = stream_.words(open, at(place));
    const auto append = [&](const Tokens& more) {
      tokens.insert(tokens.end(), more.begin(), more.end());
    };
    if (at(first).is("vec") && at(first + 2).is("bool") && at(first + 3).is(",")) {
      append(stream_.words("$bools<", at(first)));
      first += 4;
    }
    append(stream_.copy(first, last));
    append(stream_.words(close, at(last + 1)));
    return tokens;
  }

  // `float4 v(a, b);` is written `float4 v=$loat4(a, b);`. At namespace scope that would be a
  // function, unless it lies in `constant`.
  void vector_variable(std::size_t first, std::size_t last, const std::string& maker) {
    vector_variable(first, last, stream_.words(maker, at(first)));
  }
  void vector_variable(std::size_t first, std::size_t last, Tokens maker) {
    const auto open = last + 2;
    if (parens_ > 0 || at(open).kind != tok::l_paren) return;
    bool variable = scope() == Scope::function;
    for (auto i = statement_begin(first); i < first; ++i) variable |= at(i).is("constant");
    if (!variable || at(open + 1).is(")")) return;
    auto tokens = stream_.words("=", at(open));
    tokens.insert(tokens.end(), maker.begin(), maker.end());
    stream_.insert_before(open, std::move(tokens));
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

  // (float4)x converts each element: `$as<float4>()->*x`. The '(' is at at_.
  bool cast() {
    const auto& previous = before(at_);
    if ((previous.is_name() && !precedes_expression(previous)) || previous.is(")") ||
        previous.is("]"))
      return false;
    const auto last = vector_type(at_ + 1);
    if (!last || at(*last + 1).kind != tok::r_paren) return false;
    const auto& operand = at(*last + 2);
    const bool starts = operand.is_name() || operand.kind == tok::numeric_constant ||
                        operand.kind == tok::l_paren || operand.is("-") || operand.is("+") ||
                        operand.is("~") || operand.is("!") || operand.is("*") || operand.is("&");
    if (!starts && operand.kind != tok::l_brace) return false;
    const bool braces = operand.kind == tok::l_brace;
    stream_.replace(at_, *last + 1,
                    built_by(at_, braces ? "" : "$as<", at_ + 1, *last, braces ? "" : ">()->*"));
    at_ = *last + 1;
    return true;
  }
  void static_cast_to_vector() {
    const auto last = vector_type(at_ + 2);
    if (!last || !at(*last + 1).is(">") || at(*last + 2).kind != tok::l_paren) return;
    stream_.replace(at_, *last + 1, built_by(at_, "$make<", at_ + 2, *last, ">"));
    at_ = *last + 1;
  }

  // Member functions of an address space. Here an object in the default space is one in any, so
  // a function serves all spaces, and its twins for other spaces go. Only where the result or the
  // body names a space itself does the function get an explicit object:
  //   device T& operator[](int i) device {…}  →  device T& operator[](this device S& $self, int i)
  //   {…}
  // with the members in its body named as $self's. Called with the ')' of the parameters at at_.
  void member_function() {
    const auto end = after_qualifiers(at_ + 1);
    const auto open = stream_.opening(at_);
    const auto record = scope() == Scope::record ? blocks_.back().record : record_before(open);
    if (record.empty()) return;
    if (at(end).is(":")) initialise_vectors(end, record);
    std::string_view space;
    for (auto i = at_ + 1; i < end; ++i)
      if (is_address_space(at(i).text)) space = at(i).text;
    const auto last = function_end(end);
    const auto [twin, is_first] = functions_.emplace(signature(record, open, end), !space.empty());
    const bool is_twin = !is_first && (twin->second || !space.empty());
    if ((is_twin || is_default_in_other_space(open, end)) && last < size())
      return remove(statement_begin(open), last);
    if (space.empty()) return;
    if (needs_explicit_object(space, open, end, last)) return explicit_object(open, end, record);
    for (auto i = returns_object(open, end) ? statement_begin(open) : at_ + 1; i < end; ++i) {
      if (i == open) i = at_ + 1;
      if (is_address_space(at(i).text)) stream_.remove(i, i);
    }
    at_ = end - 1;
  }
  // The record in `S<T>::f(`, where the '(' is at `open`.
  std::string_view record_before(std::size_t open) const {
    for (auto i = open; i > 0 && i + 8 > open; --i) {
      if (!at(i).is("::")) continue;
      const auto name = before(i).is(">") ? angle_opening(i - 1) - 1 : i - 1;
      return members_.contains(at(name).text) ? at(name).text : std::string_view();
    }
    return {};
  }
  // All of a function that tells it from others: all but the address space of its object, and with
  // what is in its body.
  std::string signature(std::string_view record, std::size_t open, std::size_t end) const {
    std::string text(record);
    text.append(std::to_string(blocks_.empty() ? 0 : blocks_.back().begin));
    const auto last = function_end(end);
    const auto is_object = [&](std::size_t i) {
      return (i > at_ && i < end) || (i < open && returns_object(open, end));
    };
    for (auto i = statement_begin(open); i <= last && i < size(); ++i)
      if (!is_object(i) || !is_address_space(at(i).text)) text.append(" ").append(at(i).text);
    return text;
  }
  // `device S& operator=(…) device { …; return *this; }`: in any space, an assignment returns the
  // object in the default space.
  bool returns_object(std::size_t open, std::size_t end) const {
    const auto& symbol = before(open).text;
    const bool assigns = before(open - 1).is("operator") && symbol.ends_with("=") &&
                         symbol != "==" && symbol != "!=" && symbol != "<=" && symbol != ">=";
    if (!assigns) return false;
    const auto last = std::min(function_end(end), size());
    for (auto i = end; i < last; ++i)
      if (at(i).is("return") && !(at(i + 1).is("*") && at(i + 2).is("this") && at(i + 3).is(";")))
        return false;
    return true;
  }
  // `device S& operator=(const device S&) device = default;`: what C++ makes for the default space
  // copies from all others to all others.
  bool is_default_in_other_space(std::size_t open, std::size_t end) const {
    if (!at(end).is("=") || !at(end + 1).is("default") || at(open + 1).is(")")) return false;
    for (auto i = statement_begin(open); i < end; ++i)
      if (is_other_space(at(i).text)) return true;
    return false;
  }
  bool needs_explicit_object(std::string_view space, std::size_t open, std::size_t end,
                             std::size_t last) const {
    const bool constructs = scope() == Scope::record && before(open).is(blocks_.back().record);
    if (space == "thread" || constructs || at(end).is("=")) return false;
    const auto names_space = [&](std::size_t first, std::size_t behind) {
      for (auto i = first; i < behind; ++i)
        if (is_other_space(at(i).text)) return true;
      return false;
    };
    return (!returns_object(open, end) && names_space(statement_begin(open), open)) ||
           (last < size() && names_space(end, last));
  }
  void explicit_object(std::size_t open, std::size_t end, std::string_view record) {
    std::string object = "this ";
    for (auto i = at_ + 1; i < end; ++i)
      if (!at(i).is("noexcept")) object.append(at(i).text).append(" ");
    object.append(record).append("& $self").append(at(open + 1).is(")") ? "" : ", ");
    stream_.insert_before(open + 1, object);
    stream_.remove(at_ + 1, end - 1);
    self_end_ = at(end).is("{") ? closing(end) : end;
    self_members_ = members_[record];
    for (auto i = open; i < at_; ++i) self_members_.erase(at(i).text);
    at_ = end - 1;
  }

  // Removes a whole member, [first, last].
  void remove(std::size_t first, std::size_t last) {
    stream_.remove(first, last);
    at_ = last;
  }

  // `S(float x) : v(x, 0) {`: what builds the vector v is named.
  void initialise_vectors(std::size_t colon, std::string_view record) {
    const auto& vectors = vector_fields_[record];
    for (auto i = colon + 1; i < size() && !at(i).is("{"); ++i) {
      const auto field = vectors.find(at(i).text);
      if (at(i + 1).kind != tok::l_paren) continue;
      const auto close = closing(i + 1);
      if (field != vectors.end() && stream_.list_size(i + 1, close) > 1) {
        stream_.insert_before(i + 2, dollar(field->second).append("("));
        stream_.insert_before(close, ")");
      }
      i = close;
    }
  }

  bool qualify_member(const Token& token) {
    const auto& previous = before(at_);
    if (token.is("this")) {
      stream_.replace(at_, "(&$self)");
      return true;
    }
    if (!self_members_.contains(token.text) || previous.is(".") || previous.is("->") ||
        previous.is("::"))
      return false;
    if (previous.is_name() && !precedes_expression(previous)) {  // a variable of the same name
      self_members_.erase(token.text);
      return false;
    }
    stream_.insert_before(at_, "$self.");
    return true;
  }

  TokenStream stream_;
  LanguageVersion version_;
  std::size_t at_ = 0;
  int parens_ = 0;  // open since the innermost brace
  std::vector<Block> blocks_;
  std::set<std::string_view> type_names_;
  // By the name of a record: its members, and the types of those that are vectors.
  std::map<std::string_view, std::set<std::string_view>> members_;
  std::map<std::string_view, std::map<std::string_view, std::string_view>> vector_fields_;
  // Member functions by signature, and whether the first of them names the space of its object.
  std::map<std::string, bool> functions_;
  // Until which token a function with an explicit object goes, and the members it may name.
  std::size_t self_end_ = 0;
  std::set<std::string_view> self_members_;
};

// device → __attribute__((opencl_global)): the last step, on what the others have written too.
Tokens spell_keywords(clang::Preprocessor& preprocessor, const Tokens& tokens,
                      LanguageVersion version) {
  std::map<const clang::IdentifierInfo*, std::string_view> keywords;
  for (const auto& [name, meaning] : metal_keywords())
    if (name != "bfloat" || version.number >= 310)
      keywords[preprocessor.getIdentifierInfo({name.data(), name.size()})] = meaning;
  const auto& sources = preprocessor.getSourceManager();
  Speller speller(preprocessor);
  Tokens spelled;
  spelled.reserve(tokens.size() + tokens.size() / 4);
  for (const auto& token : tokens) {
    const auto* name = token.isAnnotation() ? nullptr : token.getIdentifierInfo();
    const auto keyword = name ? keywords.find(name) : keywords.end();
    if (keyword == keywords.end() || is_in_metal_header(sources, token.getLocation())) {
      spelled.push_back(token);
      continue;
    }
    const auto words = speller.words(keyword->second, token.getLocation());
    spelled.insert(spelled.end(), words.begin(), words.end());
  }
  return spelled;
}

}  // namespace

std::vector<clang::Token> rewrite_tokens(clang::Preprocessor& preprocessor,
                                         const std::vector<clang::Token>& metal,
                                         const MixedChoices& choices, LanguageVersion version) {
  auto tokens = unite_choices(preprocessor, Pass(preprocessor, metal, version).run(), choices);
  return spell_keywords(preprocessor, tokens, version);
}

bool names_attribute(std::string_view metal, unsigned offset) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.LineComment = true;
  const std::string text(metal.substr(0, offset));  // the lexer wants a terminating zero
  clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(),
                     text.data() + text.size());
  std::vector<tok::TokenKind> kinds;
  for (clang::Token token; lexer.LexFromRawLexer(token), token.isNot(tok::eof);)
    kinds.push_back(token.getKind());
  int closed = 0;
  for (auto i = kinds.size(); i-- > 1;) {
    const auto kind = kinds[i];
    if (kind == tok::r_square || kind == tok::r_paren || kind == tok::r_brace) ++closed;
    const bool opens = kind == tok::l_square || kind == tok::l_paren || kind == tok::l_brace;
    if (opens && closed-- == 0) return kind == tok::l_square && kinds[i - 1] == tok::l_square;
  }
  return false;
}

}  // namespace msci
