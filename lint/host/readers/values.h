// Evaluates numbers and sizes among the words of a host file.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "lint/host/readers/layouts.h"
#include "lint/host/readers/variables.h"

namespace msci::host {

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
