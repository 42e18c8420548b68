// Numbers, sizes and variables in the words of a host.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/host/readers/layouts.h"

namespace msci::host {

class Values {
 public:
  Values(const Calls& calls, HostLanguage language);

  // A number: a literal, a constant, a size of a type, a product, in a conversion or not.
  std::optional<std::size_t> number(WordRange range) const;
  // The layout of the only type whose size the range mentions.
  std::optional<Layout> type_measured_in(WordRange range) const;
  // The layout of the variable that the range names: "&params", declared with its type or value.
  std::optional<Layout> variable_in(WordRange range) const;
  // The threads of a threadgroup: MTLSize(width: 8, height: 8, depth: 1), (8, 8, 1).
  std::optional<std::size_t> threads(WordRange range) const;
  // The variable that the `=` at a word gives a value; empty for other words.
  std::string_view variable_at(std::size_t equals) const;
  // What is assigned to a variable, if that happens once in the file.
  std::optional<WordRange> assigned_to(std::string_view variable) const;

 private:
  void find_assignments();
  WordRange expression_from(std::size_t first) const;
  WordRange type_before(std::size_t equals) const;
  WordRange type_in(const TextCall& call) const;
  std::size_t end_before_as(WordRange range) const;
  WordRange unwrapped(WordRange range) const;
  std::optional<std::size_t> number(WordRange range, int depth) const;
  std::optional<std::size_t> number_named(std::string_view variable, int depth) const;
  std::optional<std::size_t> threads(WordRange range, int depth) const;
  std::optional<std::size_t> size_of(WordRange range) const;

  struct Assignment {
    WordRange type;  // as declared, or empty
    WordRange value;
    std::size_t times = 0;
  };

  const Calls& calls_;
  const std::vector<Word>& words_;
  HostLanguage language_;
  Layouts layouts_;
  std::map<std::string_view, Assignment> assignments_;
  mutable std::map<std::string_view, std::optional<std::size_t>> numbers_;
};

}  // namespace msci::host
