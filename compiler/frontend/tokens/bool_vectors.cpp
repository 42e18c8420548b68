#include "compiler/frontend/tokens/bool_vectors.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/tokens/pass.h"
#include "compiler/frontend/tokens/token_stream.h"

namespace msci::tokens {
namespace {

using Names = std::set<std::string_view>;

// Of a template that takes vectors of more types, there is a twin for all of them alone.
constexpr std::size_t most_elements = 4;
// Templates in so many that have twins have none.
constexpr std::size_t most_nested = 3;

// A `template <…>` and what it declares, by the indices of its tokens.
struct Template {
  std::size_t begin = 0;  // "template"
  std::size_t list_end = 0;
  bool is_function = false;  // else a partial specialisation, or an alias
  // The parameters, or the arguments of the specialisation, that types are deduced from.
  std::size_t open = 0;
  std::size_t close = 0;
  Names types;     // the parameters of its list that are types
  Names elements;  // those that are T in a `vec<T, N>` in [open, close]
  bool has_twin = true;
  std::size_t last = 0;  // the ';' or '}' of the declaration
};

class Templates {
 public:
  Templates(clang::Preprocessor& preprocessor, const Tokens& metal) : stream_(preprocessor, metal) {
    for (std::size_t i = 0; i < stream_.size(); ++i) collect_alias(i);
  }

  // The source with its twins.
  Tokens with_twins() {
    std::vector<std::size_t> around;  // where the templates with twins end that stand around
    for_each_template([&](const Template& found) {
      while (!around.empty() && around.back() < found.begin) around.pop_back();
      if (found.elements.empty() || !found.has_twin || around.size() >= most_nested) return;
      add_twins(found);
      around.push_back(found.last);
    });
    return stream_.changed();
  }
  // The source with `$vec_of`.
  Tokens with_either_vector() {
    std::set<std::size_t> deduced;
    for_each_template([&](const Template& found) {
      for (auto i = found.open; i < found.close; ++i)
        if (is_element(i) && found.types.contains(at(i).text)) deduced.insert(i);
    });
    for (std::size_t i = 2; i < stream_.size(); ++i) {
      if (!is_element(i) || at(i).is_system || !at(i).is_name() || deduced.contains(i) ||
          is_converted_to(i - 2))
        continue;
      if (is_aliased(i)) {
        stream_.replace(i - 2, i, std::string("$vec_of<").append(at(i).text) + width_of(i - 2));
      } else if (!is_scalar(at(i).text)) {
        stream_.replace(i - 2, "$vec_of");
      }
    }
    return stream_.changed();
  }

 private:
  const Token& at(std::size_t i) const { return stream_.at(i); }
  const Token& before(std::size_t i) const { return stream_.before(i); }

  // template <typename T> using four = vec<T, 4>; by name, the tokens behind the T.
  struct Alias {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  // Notes the alias, or the other declaration, that names something at `i`.
  void collect_alias(std::size_t i) {
    if (!at(i).is("using") && !at(i).is("struct") && !at(i).is("class")) return;
    const auto name = at(i + 1).text;
    const auto first = at(i + 3).is("metal") && at(i + 4).is("::") ? i + 5 : i + 3;
    const bool is_alias = at(i).is("using") && at(i + 2).is("=") && before(i).is(">") &&
                          (before(i - 2).is("typename") || before(i - 2).is("class")) &&
                          before(i - 3).is("<") && is_element(first + 2) && at(first).is("vec") &&
                          at(first + 2).is(before(i - 1).text);
    const auto end = is_alias ? stream_.closing_angle(first + 1) : std::nullopt;
    // A second thing of the name may be meant instead.
    const bool is_known = aliases_.contains(name);
    aliases_[name] = end && !is_known ? Alias{first + 3, *end - 1} : Alias{};
  }
  // Whether `i` is the T of `four<T>`.
  bool is_aliased(std::size_t i) const {
    if (i < 2 || !before(i).is("<") || (!at(i + 1).is(">") && !at(i + 1).is(">>"))) return false;
    const auto& previous = before(i - 2);
    const auto alias = aliases_.find(at(i - 2).text);
    return alias != aliases_.end() && alias->second.last > 0 && !previous.is("::") &&
           !previous.is("template");
  }
  // The ", 4" of the alias at `i`.
  std::string width_of(std::size_t i) const {
    const auto& alias = aliases_.at(at(i).text);
    std::string text;
    for (auto each = alias.first; each <= alias.last; ++each)
      text.append(at(each).text).append(" ");
    return text;
  }

  template <typename Work>
  void for_each_template(Work work) {
    for (std::size_t i = 0; i < stream_.size(); ++i)
      if (at(i).is("template") && at(i + 1).is("<") && !at(i).is_system)
        if (auto found = template_at(i)) {
          found->elements = elements(*found);
          work(*found);
        }
  }

  std::optional<Template> template_at(std::size_t begin) const {
    const auto end = stream_.closing_angle(begin + 1);
    if (!end) return std::nullopt;
    Template found{.begin = begin, .list_end = *end, .types = type_parameters(begin + 1, *end)};
    if (found.types.empty()) return std::nullopt;
    // The members of a class that is defined elsewhere have their twins there.
    found.has_twin = !before(begin).is(">");
    for (auto i = *end + 1; i < stream_.size(); ++i) {
      if (at(i).is("template") || is_stage(i) || at(i).is(";") || at(i).is("{"))
        return std::nullopt;
      if (at(i).is("using")) return alias(found, i);
      if (at(i).is("operator")) i = operator_end(i);
      if (at(i + 1).is("<") && at(i).is_name())
        if (const auto close = stream_.closing_angle(i + 1)) {
          if (specialises(*close)) return specialisation(found, i + 1, *close);
          i = *close;
        }
      if (!at(i + 1).is("(")) continue;
      if (is_declarator(i)) return function(found, i);
      i = stream_.closing(i + 1);
    }
    return std::nullopt;
  }

  // What a stage begins with is never called, so nothing is deduced there.
  bool is_stage(std::size_t i) const {
    return at(i).is("kernel") || at(i).is("vertex") || at(i).is("fragment");
  }
  // The last token of the symbol behind `operator`.
  std::size_t operator_end(std::size_t i) const {
    if (at(i + 1).is("(") || at(i + 1).is("[")) return i + 2;
    while (i + 1 < stream_.size() && !at(i + 1).is("(")) ++i;
    return i;
  }
  bool is_declarator(std::size_t i) const {
    static const Names others{"__attribute__", "decltype", "alignas", "noexcept", "explicit"};
    return !others.contains(at(i).text);
  }
  bool specialises(std::size_t close) const {
    return at(close + 1).is("{") || at(close + 1).is(";") || at(close + 1).is("=") ||
           at(close + 1).is(":");
  }

  Names type_parameters(std::size_t open, std::size_t close) const {
    Names names;
    for (auto i = open; i < close; ++i)
      if ((before(i).is("<") || before(i).is(",")) && (at(i).is("typename") || at(i).is("class")) &&
          at(i + 1).is_name() && !at(i + 2).is("::"))
        names.insert(at(i + 1).text);
    return names;
  }

  // Whether `i` is the T of a `vec<T, N>`, or of an alias.
  bool is_element(std::size_t i) const {
    return (i >= 2 && at(i - 2).is("vec") && before(i).is("<") && at(i + 1).is(",")) ||
           is_aliased(i);
  }
  Names elements(const Template& found) const {
    Names names;
    for (auto i = found.open; i < found.close; ++i)
      if (is_element(i) && found.types.contains(at(i).text)) names.insert(at(i).text);
    return names;
  }
  // Whether a conversion to the `vec` at `i` is declared.
  bool is_converted_to(std::size_t i) const {
    return before(i).is("operator") || (before(i).is("::") && before(i - 2).is("operator"));
  }

  std::optional<Template> function(Template found, std::size_t name) const {
    // The parameters of its class are not its own.
    if (before(name).is("::") && before(name - 1).is(">") && found.has_twin) return std::nullopt;
    found.is_function = true;
    found.open = name + 1;
    found.close = stream_.closing(found.open);
    found.has_twin = found.has_twin && !before(name).is("::");
    return ending(found);
  }
  std::optional<Template> specialisation(Template found, std::size_t open,
                                         std::size_t close) const {
    found.open = open;
    found.close = close;
    return ending(found);
  }
  // Through an alias, T is deduced where the alias is used.
  std::optional<Template> alias(Template found, std::size_t i) const {
    found.open = i;
    found.has_twin = false;
    return ending(found);
  }
  std::optional<Template> ending(Template found) const {
    auto i = std::max(found.open, found.close) + 1;
    if (found.is_function) i = behind_initialisers(i);
    for (; i < stream_.size(); ++i) {
      if (at(i).is("template") && !before(i).is("::")) return std::nullopt;  // it has no end
      const bool is_body = at(i).is("{") && !before(i).is("=");
      if (TokenStream::opens(at(i))) i = stream_.closing(i);
      found.last = is_body && at(i + 1).is(";") && !found.is_function ? i + 1 : i;
      if (i >= stream_.size()) return std::nullopt;
      if (!is_body && !at(i).is(";")) continue;
      if (found.close == 0) found.close = found.last;
      return found;
    }
    return std::nullopt;
  }
  // `) : a(x), b{y} {` → the last '{'.
  std::size_t behind_initialisers(std::size_t i) const {
    while (i < stream_.size() && !at(i).is(":") && !at(i).is("{") && !at(i).is(";") &&
           !at(i).is("template"))
      i = TokenStream::opens(at(i)) ? stream_.closing(i) + 1 : i + 1;
    if (!at(i).is(":")) return i;
    while (i < stream_.size()) {
      while (i < stream_.size() && !TokenStream::opens(at(i))) ++i;
      i = stream_.closing(i) + 1;
      if (!at(i).is(",")) return i;
    }
    return i;
  }

  // One twin for each element, and of a function one for all of them.
  void add_twins(const Template& found) {
    if (found.elements.size() <= most_elements)
      for (const auto element : found.elements)
        insert(found,
               found.is_function ? overloaded(found, {element}) : specialised(found, element));
    if (found.is_function && found.elements.size() > 1)
      insert(found, overloaded(found, found.elements));
  }
  void insert(const Template& found, Tokens twin) {
    stream_.insert_before(found.last + 1, std::move(twin));
  }

  void append(Tokens& tokens, std::string_view text, std::size_t place) {
    const auto words = stream_.words(text, at(place));
    tokens.insert(tokens.end(), words.begin(), words.end());
  }

  // In a twin, all that depends on T depends on something, so nothing is judged before it is used.
  Tokens overloaded(const Template& found, const Names& bools) {
    Tokens twin;
    for (auto i = found.begin; i <= found.last; ++i) {
      if (i == found.list_end) {
        if (at(i).is(">>")) append(twin, ">", i);
        append(twin, ", typename $B", i);
        for (const auto name : bools)
          append(twin, std::string(", typename = $if<__is_same(").append(name).append(", bool)>"),
                 i);
        append(twin, ">", i);
      } else if (takes_bools(found, i, bools)) {
        i = append_bools(twin, i);
      } else {
        twin.push_back(at(i).raw);
        if (!declares(found, i) || !bools.contains(at(i).text)) continue;
        append(twin, "= bool", i);
        i = parameter_end(found, i) - 1;
      }
    }
    return twin;
  }

  Tokens specialised(const Template& found, std::string_view element) {
    Tokens twin;
    for (auto i = found.begin; i <= found.last; ++i) {
      if (i < found.list_end && declares(found, i + 1) && at(i + 1).is(element)) {
        append(twin, "typename $B", i);
        i = parameter_end(found, i + 1) - 1;
      } else if (is_element(i + 2) && at(i + 2).is(element)) {
        i = append_bools(twin, i);
      } else if (!at(i).is(element) || before(i).is(".") || before(i).is("->") ||
                 before(i).is("::")) {
        twin.push_back(at(i).raw);
      } else {
        append(twin, i < found.close ? "bool" : "$bool_by<$B>", i);
      }
    }
    return twin;
  }

  // Whether a `vec<T, N>` begins at `i` that gives T.
  bool takes_bools(const Template& found, std::size_t i, const Names& bools) const {
    return i > found.open && i < found.close && is_element(i + 2) && bools.contains(at(i + 2).text);
  }
  // Writes it up to what stands behind the T, and returns where the T is.
  std::size_t append_bools(Tokens& twin, std::size_t i) {
    if (before(i).is("::") && before(i - 1).is("metal")) twin.resize(twin.size() - 2);
    append(twin, is_aliased(i + 2) ? "$bools_by<$B" + width_of(i) : "$bools_by<$B", i);
    return i + 2;
  }

  // Whether a type parameter is declared at `i`.
  bool declares(const Template& found, std::size_t i) const {
    return i < found.list_end && (before(i).is("typename") || before(i).is("class")) &&
           (before(i - 1).is("<") || before(i - 1).is(","));
  }
  // The ',' behind a parameter, or the end of the list.
  std::size_t parameter_end(const Template& found, std::size_t i) const {
    for (; i < found.list_end && !at(i).is(","); ++i) {
      if (at(i).is("<")) i = stream_.closing_angle(i).value_or(i);
      if (TokenStream::opens(at(i))) i = stream_.closing(i);
    }
    return std::min(i, found.list_end);
  }

  TokenStream stream_;
  std::map<std::string_view, Alias> aliases_;  // with an empty one for names of other things
};

}  // namespace

Tokens separate_bool_vectors(clang::Preprocessor& preprocessor, const Tokens& metal) {
  const auto* vec = preprocessor.getIdentifierInfo("vec");
  const auto& sources = preprocessor.getSourceManager();
  bool names_vec = false;
  for (std::size_t i = 0; i < metal.size(); ++i) {
    if (metal[i].isAnnotation() || metal[i].getIdentifierInfo() != vec ||
        is_in_metal_header(sources, metal[i].getLocation()))
      continue;
    const auto kind = i ? metal[i - 1].getKind() : clang::tok::eof;
    if (kind == clang::tok::kw_struct || kind == clang::tok::kw_class ||
        kind == clang::tok::kw_using)
      return metal;  // a template of the source's own
    names_vec = true;
  }
  if (!names_vec) return metal;
  const auto twins = Templates(preprocessor, metal).with_twins();
  return Templates(preprocessor, twins).with_either_vector();
}

}  // namespace msci::tokens
