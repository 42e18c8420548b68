#include "analysis/proofs/assumed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "analysis/facts/specialise_kernel.h"
#include "analysis/terms/term.h"
#include "base/scalar.h"

namespace msci::prover {
namespace {

using Number = AssumedNumber::Kind;
using Kind = AssumedPart::Kind;

std::size_t argument_of(const AssumedNumber& number, const KernelSignature& signature) {
  const auto& all = signature.arguments;
  return static_cast<std::size_t>(
      std::find_if(all.begin(), all.end(),
                   [&](const KernelArgument& each) { return each.name == number.name; }) -
      all.begin());
}

std::optional<Wide> read_number(const std::vector<std::byte>& contents, std::string_view type) {
  const auto bytes = scalar_of(type)->bytes;
  if (contents.size() < bytes || bytes > sizeof(std::uint64_t)) return std::nullopt;
  std::uint64_t bits = 0;
  std::memcpy(&bits, contents.data(), bytes);
  const Wide number = bits;
  const bool is_negative = !is_unsigned_scalar(type) && number >= power_of_two(8 * bytes - 1);
  return is_negative ? number - power_of_two(8 * bytes) : number;
}

// The contents that launches have behind an argument; null for other numbers.
const std::vector<std::vector<std::byte>>* assumed_contents(const AssumedNumber& number,
                                                            const LaunchFacts& facts,
                                                            const KernelSignature& signature) {
  if (number.kind != Number::argument) return nullptr;
  return &facts.arguments[argument_of(number, signature)].contents;
}

// Nothing where the launches do not have one known number.
std::optional<Wide> known_number(const AssumedNumber& number, const LaunchFacts& facts,
                                 const KernelSignature& signature) {
  if (number.kind == Number::grid) return side(facts.grid, number.dimension);
  if (number.kind == Number::threadgroup) return side(facts.threadgroup, number.dimension);
  const auto argument = argument_of(number, signature);
  const auto& type = signature.arguments[argument].type;
  const auto& memory = facts.arguments[argument];
  if (number.kind == Number::length) return Wide(memory.bytes / *bytes_of_element(type));
  if (memory.contents.size() != 1) return std::nullopt;
  return read_number(memory.contents.front(), type);
}

class Assumer {
 public:
  Assumer(const Code& code, Script& script) : code_(code), script_(script), terms_(script) {}

  void assume(const Assumption& assumption) {
    names_.clear();
    std::vector<Term> values;
    for (const auto& part : assumption.parts) values.push_back(term_of(part, values));
    const auto condition = !equal(values.back(), number(0));
    if (condition.is_true()) return;
    for (const auto& name : names_) script_.add_fact(name, condition.text);
  }

  std::vector<std::string> formulas;

 private:
  Term term_of(const AssumedPart& part, const std::vector<Term>& values) {
    const auto& a = part.first < values.size() ? values[part.first] : number(0);
    const auto& b = part.second < values.size() ? values[part.second] : number(0);
    const auto holds = [](const Term& value) { return !equal(value, number(0)); };
    const auto as_number = [&](const Truth& condition) {
      return terms_.choose(condition, number(1), number(0));
    };
    switch (part.kind) {
      case Kind::constant:
        return number(part.constant);
      case Kind::number:
        return number_of(part.number);
      case Kind::negative:
        return terms_.subtract(number(0), a);
      case Kind::add:
        return terms_.add(a, b);
      case Kind::subtract:
        return terms_.subtract(a, b);
      case Kind::multiply:
        return terms_.multiply(a, b);
      case Kind::divide:
        return terms_.divide(a, number(part.constant));
      case Kind::remainder:
        return terms_.remainder(a, number(part.constant));
      case Kind::less:
        return as_number(less(a, b));
      case Kind::at_most:
        return as_number(at_most(a, b));
      case Kind::equal:
        return as_number(equal(a, b));
      case Kind::negation:
        return as_number(!holds(a));
      case Kind::both:
        return as_number(holds(a) && holds(b));
      case Kind::either:
        return as_number(holds(a) || holds(b));
    }
    return number(0);
  }

  // The function that loads have their values from, of the first byte behind the argument.
  Term number_of(const AssumedNumber& named) {
    if (const auto known = known_number(named, code_.facts, code_.signature)) return number(*known);
    const auto argument = static_cast<unsigned>(argument_of(named, code_.signature));
    const auto& type = code_.signature.arguments[argument].type;
    const auto bytes = scalar_of(type)->bytes;
    const auto function = fmt::format("f{}_{}_", code_.memory_of(argument), bytes);
    script_.declare_named(function, Sort::integer, 1);
    const auto value =
        fmt::format("({} {})", function, smt_number(static_cast<Wide>(code_.offset_of(argument))));
    const auto bits = static_cast<unsigned>(8 * bytes);
    auto range = Range::of_bits(bits);
    for (const auto& contents : code_.facts.arguments[argument].contents)
      if (const auto one = read_number(contents, type); one && *one >= 0)
        range = &contents == &code_.facts.arguments[argument].contents.front()
                    ? Range::of(*one)
                    : range.joined(Range::of(*one));
    script_.add_fact(function, fmt::format("(and (<= {} {}) (<= {} {}))", smt_number(range.low),
                                           value, value, smt_number(range.high)));
    names_.push_back(function);
    formulas.push_back(fmt::format("(= {} {})", value, value));
    const Term term{value, range};
    return is_unsigned_scalar(type) ? term : terms_.as_signed(term, bits);
  }

  const Code& code_;
  Script& script_;
  Terms terms_;
  std::vector<std::string> names_;  // of the functions that the assumption names
};

}  // namespace

std::optional<Error> broken_assumption(const Assumption& assumption, const LaunchFacts& facts,
                                       const KernelSignature& signature) {
  const auto numbers = assumption.numbers();
  // One that differs between the launches is tested with each of its values.
  std::vector<std::vector<std::byte>> open{{}};
  for (const auto& each : numbers)
    if (const auto* contents = assumed_contents(each, facts, signature);
        contents && contents->size() > 1) {
      if (open.size() > 1) return std::nullopt;
      open = *contents;
    }
  for (const auto& contents : open) {
    const auto known = [&](const AssumedNumber& number) -> std::optional<std::int64_t> {
      const auto* all = assumed_contents(number, facts, signature);
      const bool is_open = all && all->size() > 1;
      const auto value =
          is_open ? read_number(contents, signature.arguments[argument_of(number, signature)].type)
                  : known_number(number, facts, signature);
      if (!value || *value > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
      return static_cast<std::int64_t>(*value);
    };
    if (holds(assumption, known).value_or(true)) continue;
    std::string text;
    for (const auto& each : numbers)
      text += fmt::format("{}{} is {}", text.empty() ? ": " : ", ", to_string(each), *known(each));
    return Error{fmt::format("the assumption `{}` does not hold for the kernel {} with {}{}",
                             assumption.text, facts.kernel, describe(facts), text)};
  }
  return std::nullopt;
}

std::vector<std::string> assume(const Code& code, Script& script) {
  Assumer assumer(code, script);
  for (const auto& each : code.facts.assumptions) assumer.assume(each);
  return std::move(assumer.formulas);
}

}  // namespace msci::prover
