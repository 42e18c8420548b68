#include "prover/size_forms.h"

#include <fmt/format.h>

#include <cstdlib>

namespace msci::prover {
namespace {

std::int64_t value_at(const SizeForm& form, const std::vector<SizeRange>& sizes,
                      std::int64_t SizeRange::* end) {
  auto value = form.factor;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (unsigned power = 0; power < form.powers[i]; ++power) value *= sizes[i].*end;
  return (value + form.rest + form.unit - 1) / form.unit * form.unit;
}

}  // namespace

std::int64_t least_of(const SizeForm& form, const std::vector<SizeRange>& sizes) {
  return value_at(form, sizes, &SizeRange::least);
}

std::int64_t most_of(const SizeForm& form, const std::vector<SizeRange>& sizes) {
  return value_at(form, sizes, &SizeRange::most);
}

std::string to_string(const SizeForm& form, const std::vector<SizeRange>& sizes) {
  std::string text = form.factor == 1 ? "" : std::to_string(form.factor);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (unsigned power = 0; power < form.powers[i]; ++power)
      text += (text.empty() ? "" : " * ") + sizes[i].name;
  if (form.rest != 0) text += fmt::format(" {} {}", form.rest < 0 ? "-" : "+", std::abs(form.rest));
  return form.unit > 1 ? fmt::format("{} rounded up to {}", text, form.unit) : text;
}

}  // namespace msci::prover
