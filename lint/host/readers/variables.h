// The variables of a host, and what each of them holds.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "lint/host/readers/scopes.h"

namespace msci::host {

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

}  // namespace msci::host
