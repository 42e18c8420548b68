// The walk over the tokens of a source that rewrites what C++ cannot parse. It knows in which
// braces it stands; each file of rewrites has one subject.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/attributes.h"
#include "compiler/frontend/tokens/token_stream.h"
#include "compiler/frontend/version.h"

namespace msci::tokens {

namespace tok = clang::tok;
using Tokens = std::vector<clang::Token>;

bool is_scalar(std::string_view name);
// The length of a vector type by its name, 0 for anything else: 4 for float4 and packed_half4.
unsigned vector_width(std::string_view name);
// `vec`, or what bool_vectors.h writes for it.
inline bool is_vec(const Token& token) { return token.is("vec") || token.is("$vec_of"); }
bool is_address_space(std::string_view word);
// The space of what a thread keeps for itself is the default one here: whatever has no other.
inline bool is_other_space(std::string_view word) {
  return is_address_space(word) && word != "thread";
}
// Whether a name behind this token is used, where behind any other name it would be declared.
bool precedes_expression(const Token& token);
// float4 → $loat4: the function of ours that builds one.
std::string dollar(std::string_view name);

// What an open brace belongs to.
enum class Scope { none, function, record, other };

class Pass {
 public:
  Pass(clang::Preprocessor& preprocessor, const Tokens& metal, LanguageVersion version)
      : stream_(preprocessor, metal), version_(version) {}

  Tokens run();

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
  Scope scope() const { return blocks_.empty() ? Scope::none : blocks_.back().scope; }

  // The walk (pass.cpp).
  void visit();
  void visit_name(const Token& token);
  void open_brace();
  void close_brace();
  void open_paren();
  void close_paren();
  bool ends_parameters() const;
  std::size_t statement_begin(std::size_t index) const;
  Scope block_scope() const;
  bool has_parameters(std::size_t first) const;
  bool in_template_list(std::size_t first, std::size_t index) const;
  std::string_view record_name() const;
  std::size_t function_end(std::size_t i) const;
  std::size_t initialisers_end(std::size_t colon) const;
  std::size_t after_qualifiers(std::size_t i) const;

  // Attributes (rewrite_attributes.cpp).
  void attributes();
  void attribute(std::size_t i, AttributeForm form);
  void declare_function_constant();
  void declare_input();
  void explicit_instantiation();
  void gnu_attribute();
  void annotate(std::size_t i);

  // Variables and parameters in address spaces (rewrite_spaces.cpp).
  void coherent();
  void collect_text_pointers();
  void text();
  void threadgroup_variable();
  bool initialises(std::size_t open) const;
  void drop_initialisers(std::size_t i);
  bool array_parameter();
  std::size_t angle_opening(std::size_t close) const;

  // Numbers and vectors (rewrite_vectors.cpp).
  void collect_type_names();
  void collect_typedef(std::size_t i);
  std::optional<std::size_t> names_vector(std::size_t first) const;
  void collect_template(std::size_t i);
  bool takes_list(std::size_t brace) const;
  void number(const Token& token);
  void list_argument();
  void construct();
  void construct_qualified();
  void construct_from_alias();
  void construct_from_decltype();
  bool lists_values(std::size_t open) const;
  void make_of(std::size_t first, std::size_t open);
  bool declares_function() const;
  bool begins_declarator(std::size_t open) const;
  bool lists_types(std::size_t open) const;
  void construct_from_list(std::size_t width);
  static std::string make(std::string_view type);
  std::string vector_named(std::size_t first) const;
  static std::string builder_of(std::string_view type);
  void vec();
  Tokens built_by(std::size_t place, std::string_view open, std::size_t first, std::size_t last,
                  std::string_view close);
  void vector_variable(std::size_t first, std::size_t last, const std::string& maker);
  void vector_variable(std::size_t first, std::size_t last, Tokens maker);
  std::size_t declarator_end(std::size_t i) const;
  std::optional<std::size_t> vector_type(std::size_t first) const;
  bool cast();
  void static_cast_to_vector();

  // Member functions of an address space (rewrite_members.cpp).
  void collect_members(std::string_view record);
  void inherit(std::string_view record);
  void collect_spaced_functions(std::string_view record);
  void collect_space_overloads(std::string_view record);
  void for_each_function(const std::function<void(std::size_t, std::size_t)>& work);
  std::string declaration(std::string_view record, std::size_t open, std::size_t end) const;
  std::string_view name_record();
  std::size_t collect_member(std::string_view record, std::size_t first, std::size_t end);
  void member_named(std::string_view record, std::size_t first, std::size_t behind);
  void member_function();
  std::string_view record_before(std::size_t open) const;
  std::string signature(std::string_view record, std::size_t open, std::size_t end) const;
  bool constructs(std::string_view record, std::size_t open) const;
  bool stands_for_const(std::string_view record, std::size_t open, std::size_t i) const;
  bool returns_object(std::size_t open, std::size_t end) const;
  bool names_space(std::size_t first, std::size_t behind) const;
  bool calls_spaced_function(std::string_view record, std::size_t first, std::size_t behind) const;
  bool is_default_in_other_space(std::size_t open, std::size_t end) const;
  bool needs_explicit_object(std::string_view record, std::size_t open, std::size_t end) const;
  void explicit_object(std::size_t open, std::size_t end, std::string_view record);
  void remove(std::size_t first, std::size_t last);
  void initialise_vectors(std::size_t colon, std::string_view record);
  bool qualify_member(const Token& token);
  bool declares_variable() const;
  std::size_t scope_end() const;
  bool is_in_local_record() const;
  bool names_member_of_local_record(std::string_view name) const;

  TokenStream stream_;
  LanguageVersion version_;
  std::size_t at_ = 0;
  int parens_ = 0;  // open since the innermost brace
  std::vector<Block> blocks_;
  std::set<std::string_view> type_names_;
  std::set<std::string_view> vector_aliases_;  // those that are vectors
  // Function templates by name: where their parameters begin.
  std::multimap<std::string_view, std::size_t> function_templates_;
  // By the name of a record: its members, and the types of those that are vectors.
  std::map<std::string_view, std::set<std::string_view>> members_;
  std::map<std::string_view, std::map<std::string_view, std::string>> vector_fields_;
  // By the name of a record: functions whose objects lie in the one space that they name.
  std::map<std::string_view, std::set<std::string_view>> spaced_functions_;
  std::set<std::string> space_overloads_;  // declarations of collect_space_overloads()
  std::deque<std::string> given_names_;    // of records without a name
  // Member functions by signature, and whether the first of them names the space of its object.
  std::map<std::string, bool> functions_;
  // Until which token a function with an explicit object goes, and the members it may name.
  std::size_t self_begin_ = 0;
  std::size_t self_end_ = 0;
  std::set<std::string_view> self_members_;
  std::map<std::string_view, std::size_t> hidden_until_;  // where variables of their names end
  bool has_text_pointers_ = false;                        // the source names `constant char*`,
  bool has_text_arrays_ = false;                          // and `char x[`
};

}  // namespace msci::tokens
