#include "analysis/terms/term.h"

#include <fmt/format.h>

namespace msci::prover {

Term number(Wide value) { return {smt_number(value), Range::of(value)}; }

Term bit_vector(std::uint64_t value, unsigned bits) {
  return {.text = fmt::format("(_ bv{} {})", value, bits), .range = Range::of(value), .bits = bits};
}

namespace {

const Truth truth{"true"}, falsity{"false"};

Truth known(bool value) { return value ? truth : falsity; }

}  // namespace

Truth operator!(const Truth& a) {
  if (a.is_true() || a.is_false()) return known(a.is_false());
  return {fmt::format("(not {})", a.text)};
}

Truth operator&&(const Truth& a, const Truth& b) {
  if (a.is_false() || b.is_true()) return a;
  if (b.is_false() || a.is_true()) return b;
  return {fmt::format("(and {} {})", a.text, b.text)};
}

Truth operator||(const Truth& a, const Truth& b) {
  if (a.is_true() || b.is_false()) return a;
  if (b.is_true() || a.is_false()) return b;
  return {fmt::format("(or {} {})", a.text, b.text)};
}

Truth less(const Term& a, const Term& b) {
  if (a.range.high < b.range.low) return truth;
  if (a.range.low >= b.range.high) return falsity;
  return {fmt::format("(< {} {})", a.text, b.text)};
}

Truth at_most(const Term& a, const Term& b) { return !less(b, a); }

Truth equal(const Term& a, const Term& b) {
  if (a.text == b.text) return truth;
  if (a.range.high < b.range.low || b.range.high < a.range.low) return falsity;
  if (a.range.is_one() && a.range == b.range) return truth;
  return {fmt::format("(= {} {})", a.text, b.text)};
}

Truth equal(const Truth& a, const Truth& b) {
  if (a.text == b.text) return truth;
  if (a.is_true()) return b;
  if (b.is_true()) return a;
  if (a.is_false()) return !b;
  if (b.is_false()) return !a;
  return {fmt::format("(= {} {})", a.text, b.text)};
}

Truth compare(std::string_view relation, const Term& a, const Term& b) {
  return {fmt::format("({} {} {})", relation, a.text, b.text)};
}

namespace {

constexpr std::size_t long_text = 48;

// Whether the text has blanks: then writing it twice writes much.
bool is_long(const std::string& text) { return text.size() > long_text; }

}  // namespace

Term Terms::shared(Term term) {
  if (term.range.is_one()) return term.bits > 0 ? term : number(term.range.low);
  if (is_long(term.text)) term.text = script_.define("i", Sort{term.bits}, term.text);
  if (is_long(term.base)) term.base = script_.define("i", Sort::integer, term.base);
  return term;
}

Truth Terms::shared(Truth condition) {
  if (is_long(condition.text)) condition.text = script_.define("b", Sort::boolean, condition.text);
  return condition;
}

namespace {

Wide greatest_common_divisor(Wide a, Wide b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const auto rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

Wide factor_of(const Term& term) { return term.constant() ? *term.constant() : term.factor; }

}  // namespace

// The base times a positive factor.
Term Terms::scaled(const Term& base, Wide factor) {
  if (factor == 1) return base;
  if (const auto constant = base.constant()) return number(*constant * factor);
  const auto inner = shared(base);
  return {fmt::format("(* {} {})", smt_number(factor), inner.text), inner.range * Range::of(factor),
          factor, inner.text};
}

Term Terms::part(const Term& term, Wide of) {
  if (const auto constant = term.constant()) return number(*constant / of);
  if (of == 1) return term;
  const auto divided = [&](Wide bound) {  // an unknown bound stays so
    return bound <= -unbounded || bound >= unbounded ? bound : floor_divide(bound, of);
  };
  const Range range{divided(term.range.low), divided(term.range.high)};
  const auto rest = term.factor / of;
  Term part{rest == 1 ? term.base : fmt::format("(* {} {})", smt_number(rest), term.base), range};
  if (rest > 1) part.factor = rest, part.base = term.base;
  return part;
}

// A sum or a difference of terms with a common factor.
std::optional<Term> Terms::combined(const char* operation, const Term& a, const Term& b) {
  const auto common = greatest_common_divisor(factor_of(a), factor_of(b));
  if (common <= 1 || (a.constant() && b.constant())) return std::nullopt;
  const auto x = part(a, common), y = part(b, common);
  const auto range = *operation == '+' ? x.range + y.range : x.range - y.range;
  return scaled({fmt::format("({} {} {})", operation, x.text, y.text), range}, common);
}

Term Terms::add(const Term& a, const Term& b) {
  if (a.constant() == Wide{0}) return b;
  if (b.constant() == Wide{0}) return a;
  if (const auto sum = combined("+", a, b)) return *sum;
  return shared(Term{fmt::format("(+ {} {})", a.text, b.text), a.range + b.range});
}

Term Terms::subtract(const Term& a, const Term& b) {
  if (b.constant() == Wide{0}) return a;
  if (const auto difference = combined("-", a, b)) return *difference;
  return shared(Term{fmt::format("(- {} {})", a.text, b.text), a.range - b.range});
}

Term Terms::multiply(const Term& a, const Term& b) {
  if (a.constant() && !b.constant()) return multiply(b, a);
  if (const auto by = b.constant(); by && *by > 0 && *by < power_of_two(62)) {
    // Of the base, so that the factor is known.
    if (a.factor == 1 || a.factor >= power_of_two(62)) return scaled(a, *by);
    return scaled(part(a, a.factor), a.factor * *by);
  }
  return shared(Term{fmt::format("(* {} {})", a.text, b.text), a.range * b.range});
}

Term Terms::choose(const Truth& condition, const Term& a, const Term& b) {
  if (condition.is_true() || a.text == b.text) return a;
  if (condition.is_false()) return b;
  if (a.bits > 0)
    return shared(
        {.text = fmt::format("(ite {} {} {})", condition.text, a.text, b.text), .bits = a.bits});
  const auto common = greatest_common_divisor(factor_of(a), factor_of(b));
  const auto unit = common > 1 ? common : 1;
  const auto x = part(a, unit), y = part(b, unit);
  return scaled(shared(Term{fmt::format("(ite {} {} {})", condition.text, x.text, y.text),
                            x.range.joined(y.range)}),
                unit);
}

Term Terms::divide(const Term& a, const Term& by) {
  if (by.constant() == Wide{1}) return a;
  if (const auto divisor = by.constant(); divisor && factor_of(a) % *divisor == 0)
    return part(a, *divisor);
  Range range;
  if (by.range.low > 0 && a.range.is_bounded())
    range = {
        std::min(floor_divide(a.range.low, by.range.low), floor_divide(a.range.low, by.range.high)),
        std::max(floor_divide(a.range.high, by.range.low),
                 floor_divide(a.range.high, by.range.high))};
  return shared(Term{fmt::format("(div {} {})", a.text, by.text), range});
}

Term Terms::remainder(const Term& a, const Term& by) {
  if (a.range.low >= 0 && a.range.high < by.range.low) return a;
  if (const auto divisor = by.constant(); divisor && factor_of(a) % *divisor == 0) return number(0);
  const auto most =
      a.range.low >= 0 ? std::min(a.range.high, by.range.high - 1) : by.range.high - 1;
  return shared(Term{fmt::format("(mod {} {})", a.text, by.text), {0, most}});
}

Term Terms::as_unsigned(const Term& term, unsigned bits) {
  if (term.range.is_within(Range::of_bits(bits))) return term;
  const auto modulus = power_of_two(bits);
  constexpr Wide most_cases = 4;
  const auto first = floor_divide(term.range.low, modulus);
  const auto last = floor_divide(term.range.high, modulus);
  if (!term.range.is_bounded() || last - first >= most_cases)
    return shared(
        Term{fmt::format("(mod {} {})", term.text, smt_number(modulus)), Range::of_bits(bits)});
  const auto value = shared(term);
  const auto moved = [&](Wide by) {
    auto reduced = subtract(value, number(by * modulus));
    reduced.range = reduced.range.met(Range::of_bits(bits));
    return reduced;
  };
  auto reduced = moved(last);
  for (auto each = last - 1; each >= first; --each)
    reduced = choose(less(value, number((each + 1) * modulus)), moved(each), reduced);
  reduced.range = reduced.range.met(Range::of_bits(bits));
  return reduced;
}

Term Terms::as_signed(const Term& term, unsigned bits) {
  const auto half = power_of_two(bits - 1);
  if (term.range.is_within({-half, half - 1})) return term;
  return subtract(as_unsigned(add(term, number(half)), bits), number(half));
}

Truth Terms::sign_bit(const Term& term, unsigned bits) {
  const auto half = power_of_two(bits - 1);
  if (term.range.is_within({-half, half - 1})) return less(term, number(0));
  return at_most(number(half), as_unsigned(term, bits));
}

// ---- bitwise

namespace {

// Of a mask, the lowest bit that is set and the one behind the run of ones that begins there.
struct Run {
  unsigned begin = 0, end = 0;
};

std::optional<Run> next_run(Wide mask, unsigned from, unsigned bits) {
  auto begin = from;
  while (begin < bits && !(mask >> begin & 1)) ++begin;
  if (begin == bits) return std::nullopt;
  auto end = begin;
  while (end < bits && (mask >> end & 1)) ++end;
  return Run{begin, end};
}

constexpr unsigned most_runs = 6;

unsigned count_runs(Wide mask, unsigned bits) {
  unsigned count = 0;
  for (auto run = next_run(mask, 0, bits); run; run = next_run(mask, run->end, bits)) ++count;
  return count;
}

Wide as_bits(Wide value, unsigned bits) { return value & (power_of_two(bits) - 1); }

// The bits that a value can need.
unsigned width_of(const Range& range) {
  unsigned width = 0;
  while (width < 64 && range.high >= power_of_two(width)) ++width;
  return width;
}

// A bitwise result of two numbers of `bits` bits without a sign has no bit above theirs. Of terms
// beyond, it is equal to such a number only modulo 2^bits.
Term near_both(Term result, const Term& a, const Term& b, unsigned bits) {
  const auto width = std::max(width_of(a.range), width_of(b.range));
  const auto whole = Range::of_bits(bits);
  if (a.range.is_within(whole) && b.range.is_within(whole))
    result.range = result.range.met({0, power_of_two(width) - 1});
  return result;
}

}  // namespace

// The sum of the runs of bits that the mask leaves.
Term Terms::masked(const Term& term, Wide mask, unsigned bits) {
  auto all = number(0);
  for (auto run = next_run(mask, 0, bits); run; run = next_run(mask, run->end, bits)) {
    // Bits below the run do not count: the quotient is rounded down. Those from `bits` on are not
    // the number's, and a run that ends there needs the number itself.
    const auto value = run->begin > 0 ? as_unsigned(term, bits) : term;
    const auto part = run->end == bits && run->begin == 0
                          ? as_unsigned(term, bits)
                          : remainder(divide(value, number(power_of_two(run->begin))),
                                      number(power_of_two(run->end - run->begin)));
    all = add(all, multiply(part, number(power_of_two(run->begin))));
  }
  return all;
}

std::optional<Term> Terms::conjunction(const Term& a, const Term& b, unsigned bits) {
  if (a.constant() && !b.constant()) return conjunction(b, a, bits);
  if (const auto constant = b.constant()) {
    const auto mask = as_bits(*constant, bits);
    if (count_runs(mask, bits) <= most_runs) return masked(a, mask, bits);
    return std::nullopt;
  }
  // Bit by bit, where there are few.
  constexpr unsigned most_bits = 16;
  const auto x = as_unsigned(a, bits), y = as_unsigned(b, bits);
  const auto width = std::max(width_of(x.range), width_of(y.range));
  if (width > most_bits) return std::nullopt;
  const auto& bits_of_x = script_.bits_of(x.text, width);
  const auto& bits_of_y = script_.bits_of(y.text, width);
  auto all = number(0);
  for (unsigned i = 0; i < width; ++i) {
    const Range bit{0, 1};
    const auto both = equal(add(Term{bits_of_x[i], bit}, Term{bits_of_y[i], bit}), number(2));
    all = add(all, choose(both, number(power_of_two(i)), number(0)));
  }
  return all;
}

Term Terms::reversed(const Term& term, unsigned width) {
  const auto& bits = script_.bits_of(term.text, width);
  auto all = number(0);
  for (unsigned i = 0; i < width; ++i)
    all = add(all, multiply(Term{bits[i], {0, 1}}, number(power_of_two(width - 1 - i))));
  return all;
}

std::optional<Term> Terms::disjunction(const Term& a, const Term& b, unsigned bits) {
  const auto both = conjunction(a, b, bits);
  if (!both) return std::nullopt;
  return near_both(subtract(add(a, b), *both), a, b, bits);
}

std::optional<Term> Terms::difference(const Term& a, const Term& b, unsigned bits) {
  // All ones: -1 - x.
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)})
    if (const auto mask = y.constant(); mask && as_bits(*mask, bits) == power_of_two(bits) - 1)
      return subtract(number(-1), x);
  const auto both = conjunction(a, b, bits);
  if (!both) return std::nullopt;
  return near_both(subtract(add(a, b), multiply(*both, number(2))), a, b, bits);
}

// ---- bit vectors

Truth Terms::is_odd(const Term& term) {
  return term.bits > 0 ? equal(resized(term, 1), bit_vector(1, 1))
                       : equal(remainder(term, number(2)), number(1));
}

Term Terms::apply(std::string_view operation, const Term& a, const Term& b) {
  return shared({.text = fmt::format("({} {} {})", operation, a.text, b.text), .bits = a.bits});
}

Term Terms::resized(const Term& term, unsigned bits, bool is_signed) {
  if (bits == term.bits) return term;
  const auto how = bits < term.bits
                       ? fmt::format("extract {} 0", bits - 1)
                       : fmt::format("{}_extend {}", is_signed ? "sign" : "zero", bits - term.bits);
  return shared({.text = fmt::format("((_ {}) {})", how, term.text), .bits = bits});
}

}  // namespace msci::prover
