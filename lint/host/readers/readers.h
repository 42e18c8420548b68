// What hosts in Swift, Rust and Python do, read by their words alone.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lint/host/host.h"
#include "lint/host/words/host_language.h"
#include "lint/host/words/words.h"

namespace msci::host {

// Reads hosts in Swift, Rust and Python: which kernels they fetch and dispatch, with what bound to
// which index.

// Adds what a file does. It is read from top to bottom without following calls, so it never claims
// to know all dispatches. Bindings count as all only where the function that dispatches has made
// the encoder itself and passed it to nothing else. `lines_before`: of the host's earlier files.
void read_text_host(const Source& file, HostLanguage language, unsigned lines_before, Host& host);

// The calls of Metal's API that say what a host runs, as Swift, Rust (metal, objc2-metal) and
// PyObjC spell them.
enum class EncoderStep {
  fetch,        // a kernel, from a library
  make,         // a pipeline, of a kernel
  begin,        // an encoder
  use,          // a pipeline, on an encoder
  bind_buffer,  // on an encoder, as all that follow
  bind_value,
  bind_unknown,  // at several indices, or in a way that is not followed
  dispatch,
  end,
  other  // changes no binding
};

// Positions of arguments; Swift's labels take precedence.
struct EncoderCall {
  std::string_view name;  // without a `_` at its end
  EncoderStep step;
  std::size_t value = 0;   // the kernel's name, the pipeline, the buffer, the bytes, the grid
  std::size_t length = 0;  // of the bytes; of a dispatch, the threadgroup
  std::size_t index = 0;
};

// The call of this name; null for functions of the host itself.
const EncoderCall* encoder_call(std::string_view name);

// Finds matching brackets and calls among the words of a host file.

// Words [first, end).
struct WordRange {
  std::size_t first = 0;
  std::size_t end = 0;
  bool empty() const { return first >= end; }
};

struct CallArgument {
  std::string_view label;  // of Swift and Python, "index"; empty without one
  WordRange value;
};

struct TextCall {
  std::string_view receiver;  // the name before the last dot: "encoder"; empty without one
  std::string_view name;      // of the function, without a `_` at its end
  std::size_t at = 0;         // the word of the name
  std::size_t close = 0;      // the word that closes the arguments
  std::vector<CallArgument> arguments;

  // The argument with the label, or the one at the position if none of them has it; null without
  // either.
  const CallArgument* argument(std::string_view label, std::size_t position) const;
};

class Calls {
 public:
  // Refers to the words. Takes time in proportion to their number, however deep they nest.
  Calls(const std::vector<Word>& words, HostLanguage language);

  const std::vector<Word>& words() const { return words_; }
  // The calls, by their place.
  std::span<const TextCall> all() const { return calls_; }
  // The calls whose names lie in a range.
  std::span<const TextCall> in(WordRange range) const;
  // The bracket that belongs to the one at `at`; `at` itself where there is none.
  std::size_t match(std::size_t at) const { return matches_[at]; }
  // The parts of a range between its commas, without an empty one at its end.
  std::vector<CallArgument> parts(WordRange range) const;

  bool is(std::size_t at, std::string_view text) const {
    return at < words_.size() && words_[at].is(text);
  }
  bool is_name(std::size_t at) const { return at < words_.size() && words_[at].is_name(); }

 private:
  void match_brackets();
  TextCall call_at(std::size_t name, std::size_t open) const;

  const std::vector<Word>& words_;
  HostLanguage language_;
  std::vector<std::size_t> matches_;
  std::vector<TextCall> calls_;
};

// How Swift, Rust and Python's ctypes lay out the values that they hand to kernels.
struct Layout {
  std::size_t bytes = 0;  // with padding at the end, as in an array
  std::size_t alignment = 1;
  std::string type;                 // of a scalar or vector, as C++ spells it: "float"; else ""
  std::vector<HostMember> members;  // of a struct
};

class Layouts {
 public:
  // Reads the structs of a file: Swift's, Rust's with #[repr(C)], ctypes.Structure. Those with a
  // member whose layout is not known are left out.
  Layouts(const Calls& calls, HostLanguage language);

  // Of the type that a range spells: "SIMD3<Float>", "[f32; 3]", "ctypes.c_float * 3", "Params".
  std::optional<Layout> of(WordRange type) const;
  // Of a list of Rust whose first number states the type: "[64u32, 64, 1]".
  std::optional<Layout> of_list(WordRange value) const;

 private:
  void read_structs();
  void read_ctypes();
  // Adds the struct if all of its members are known.
  struct Member {
    std::string_view name;
    WordRange type;
  };
  void add(std::string_view name, const std::vector<Member>& members);
  std::vector<Member> members_of(WordRange body) const;
  bool is_repr_c(std::size_t struct_word) const;
  std::optional<Layout> tuple_of(WordRange members) const;
  std::optional<Layout> vector_of(WordRange type) const;
  std::optional<Layout> array_of(WordRange element, WordRange count) const;
  std::optional<Layout> scalar_named(std::string_view name) const;

  const Calls& calls_;
  const std::vector<Word>& words_;
  HostLanguage language_;
  std::map<std::string_view, std::optional<Layout>> structs_;  // nothing: two of one name
};

// The functions and types of a host, by its words.

// A function, a type, or other code in braces outside of functions.
struct SourceScope {
  std::size_t parent = 0;  // the file for itself
  bool is_type = false;
};

class Scopes {
 public:
  static constexpr std::size_t file = 0;

  Scopes(const Calls& calls, HostLanguage language);

  // The innermost scope of a word. That of a function begins with its keyword.
  std::size_t of(std::size_t word) const { return of_words_[word]; }
  const SourceScope& operator[](std::size_t scope) const { return all_[scope]; }
  // The type of this name; its extensions and its `impl` are one scope with it.
  std::optional<std::size_t> type_named(std::string_view name) const;
  // The innermost type around a scope.
  std::optional<std::size_t> type_around(std::size_t scope) const;
  // The parameters of functions: the words between their brackets.
  const std::vector<WordRange>& parameters() const { return parameters_; }

 private:
  void read_braces();
  void read_indentation();
  bool begins_function(std::size_t at) const;
  bool begins_type(std::size_t at) const;
  std::size_t end_of_function(std::size_t at);
  std::size_t add(std::size_t parent);
  std::size_t add_type(std::size_t parent, std::string_view name);
  std::string_view name_of_type(std::size_t keyword, std::size_t open) const;
  std::size_t column(std::size_t word) const;

  const Calls& calls_;
  const std::vector<Word>& words_;
  HostLanguage language_;
  std::vector<SourceScope> all_{SourceScope{}};
  std::vector<std::size_t> of_words_;
  std::map<std::string_view, std::size_t> types_;
  std::vector<WordRange> parameters_;
};

// The variables of a host, and what each of them holds.

// What a variable is made with.
struct Assignment {
  WordRange type;  // as declared, or empty
  WordRange value;
};

class Variables {
 public:
  Variables(const Calls& calls, HostLanguage language);

  // The variable that the `=` at a word gives a value; empty for other words.
  std::string_view variable_at(std::size_t equals) const;
  // How the variable that a word names is made, if its scope says so once and nothing else, such as
  // a parameter or a loop, gives it a value. It may change later.
  std::optional<Assignment> made(std::size_t name) const;
  // What that variable always holds.
  std::optional<WordRange> assigned_to(std::size_t name) const;

 private:
  struct Known {
    Assignment assignment;
    std::size_t times = 0;
    bool changes = false;   // += and the like
    bool is_other = false;  // a parameter, a loop's variable, a part of a pattern
  };
  using Key = std::pair<std::size_t, std::string_view>;  // of a scope

  void read_assignments();
  void read_parameters();
  void read_names(std::size_t at, std::size_t bracket);
  void read_pattern(std::size_t at);
  void read_declaration(std::size_t keyword);
  void read_loop(std::size_t keyword);
  void read_closure(std::size_t open);
  void read_global(std::size_t at);
  void read_arm(std::size_t arrow);
  void read_reference(std::size_t mark, std::size_t bracket);
  void assign(std::size_t equals);
  void change(std::size_t name);
  void bind(std::size_t name);
  void bind_all(WordRange range);
  std::optional<std::size_t> operand_changed_by(std::size_t equals) const;
  std::optional<std::size_t> target_of(std::size_t equals) const;
  std::optional<std::size_t> owner_of_target(std::size_t name);
  std::optional<std::size_t> owner_of_path(std::size_t name) const;
  const Known* known(std::size_t name) const;
  bool is_in_path(std::size_t name) const;
  bool is_declared(std::size_t name) const;
  WordRange expression_from(std::size_t first) const;
  WordRange type_before(std::size_t equals) const;

  const Calls& calls_;
  const std::vector<Word>& words_;
  HostLanguage language_;
  Scopes scopes_;
  std::map<Key, Known> known_;
  std::set<std::string_view> foreign_;  // members that are assigned through other variables
};

// Evaluates numbers and sizes among the words of a host file.
class Values {
 public:
  Values(const Calls& calls, const Variables& variables, HostLanguage language);

  // A number: a literal, a constant, a size of a type, a product, in a conversion or not.
  std::optional<std::size_t> number(WordRange range) const;
  // The layout of the only type whose size the range mentions.
  std::optional<Layout> type_measured_in(WordRange range) const;
  // The layout of the variable that the range names: "&params", declared with its type or value.
  std::optional<Layout> variable_in(WordRange range) const;
  // The threads of a threadgroup: MTLSize(width: 8, height: 8, depth: 1), (8, 8, 1), [8, 8].
  std::optional<std::size_t> threads(WordRange range) const;

 private:
  bool is_path(WordRange range) const;
  std::size_t end_before_as(WordRange range) const;
  WordRange unwrapped(WordRange range) const;
  std::optional<std::size_t> number(WordRange range, int depth) const;
  std::optional<std::size_t> number_named(std::size_t name, int depth) const;
  std::optional<std::size_t> threads(WordRange range, int depth) const;
  std::optional<std::size_t> product_of(WordRange sides) const;
  std::size_t behind_modules(WordRange range) const;
  std::optional<std::size_t> size_of(WordRange range) const;
  std::optional<std::size_t> size_of_variable(WordRange range) const;

  const Calls& calls_;
  const std::vector<Word>& words_;
  const Variables& variables_;
  Layouts layouts_;
  mutable std::map<std::size_t, std::optional<std::size_t>> numbers_;  // by the word of the value
};

}  // namespace msci::host
