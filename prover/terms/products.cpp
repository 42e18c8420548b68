// Products with the sizes of a task, which are no numbers where a proof is about all sizes.
//
// Z3 decides little about products of unknowns. So each is a symbol, of which is said how it lies
// beside the other products with the same size: where a < b, a * n + n <= b * n. That keeps the
// elements of rows apart, and is linear.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "prover/terms/term.h"

namespace msci::prover {
namespace {

unsigned degree_of(const Powers& powers) {
  return std::accumulate(powers.begin(), powers.end(), 0U);
}

// If a < b, the product with a lies at least one size before that with b; if a + 1 < b, two, as of the
// rows beside a row.
std::string before(const std::string& a, const std::string& p, const std::string& b,
                   const std::string& q, const std::string& size) {
  std::string text;
  constexpr unsigned most_rows = 3;
  for (unsigned rows = 1; rows <= most_rows; ++rows)
    text += fmt::format(" (=> (< (+ {0} {1}) {2}) (<= (+ {3} (* {4} {5})) {6}))", a, rows - 1, b, p,
                        rows, size, q);
  return text + fmt::format(" (=> (= (+ {0} 1) {1}) (= (+ {2} {3}) {4}))", a, b, p, size, q);
}

// Of products p = a * size and q = b * size.
std::string beside(const std::string& a, const std::string& p, const std::string& b,
                   const std::string& q, const std::string& size) {
  return fmt::format("(and (=> (= {} {}) (= {} {})){}{})", a, b, p, q, before(a, p, b, q, size),
                     before(b, q, a, p, size));
}

}  // namespace

// Says of the symbol `product` that it is `factor` times `size`.
void Terms::note_product(const std::string& size, const std::string& factor,
                         const std::string& product) {
  auto& all = script_.products().by_size[size];
  script_.add_fact(product, beside(factor, product, "0", "0", size));
  for (const auto& [other, of_other] : all)
    script_.add_fact(product, beside(factor, product, other, of_other, size));
  all.emplace_back(factor, product);
}

Term Terms::declared_product(const std::string& prefix, const Range& range) {
  const auto name = script_.declare(prefix, Sort::integer);
  if (range.is_bounded())
    script_.add_fact(name, fmt::format("(and (<= {} {}) (<= {} {}))", smt_number(range.low), name,
                                       name, smt_number(range.high)));
  script_.set_unknown(name, {"a product with a size of the task", 0});
  return {name, range};
}

Term Terms::product_of_sizes(const std::vector<SizeRange>& sizes, const Powers& powers) {
  auto& known = script_.products();
  if (degree_of(powers) == 0) return number(1);
  for (const auto& [text, each] : known.monomials)
    if (each.powers == powers) return {text, each.range};
  known.sizes = sizes;
  Range range = Range::of(1);
  for (std::size_t i = 0; i < powers.size(); ++i)
    for (unsigned power = 0; power < powers[i]; ++power)
      range = range * Range{sizes[i].least, sizes[i].most};
  if (degree_of(powers) == 1) {
    const auto& size = sizes[static_cast<std::size_t>(
        std::find(powers.begin(), powers.end(), 1U) - powers.begin())];
    const auto name = "size_" + size.name;
    script_.declare_named(name, Sort::integer);
    script_.add_fact(name, fmt::format("(and (<= {0} {1}) (<= {1} {2}) (= 0 (mod {1} {3})))",
                                       size.least, name, size.most, size.multiple));
    known.monomials[name] = {powers, range};
    return {name, range};
  }
  const auto whole = declared_product("sizes", range);
  known.monomials[whole.text] = {powers, range};
  // Each way to split it.
  Powers part(powers.size());
  while (true) {
    std::size_t i = 0;
    while (i < part.size() && part[i] == powers[i]) part[i++] = 0;
    if (i == part.size()) break;
    ++part[i];
    if (part == powers) continue;
    Powers rest = powers;
    for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= part[k];
    const auto size = product_of_sizes(sizes, part), factor = product_of_sizes(sizes, rest);
    note_product(size.text, factor.text, whole.text);
  }
  return whole;
}

std::optional<Term> Terms::product_with_size(const Term& a, const Term& b) {
  auto& known = script_.products();
  const auto of_a = known.monomials.find(a.text), of_b = known.monomials.find(b.text);
  if (of_a == known.monomials.end() && of_b == known.monomials.end()) return std::nullopt;
  if (of_b == known.monomials.end()) return product_with_size(b, a);
  if (of_a != known.monomials.end()) {
    auto powers = of_a->second.powers;
    for (std::size_t i = 0; i < powers.size(); ++i) powers[i] += of_b->second.powers[i];
    return product_of_sizes(known.sizes, powers);
  }
  // (c * m) * n is c * (m * n).
  if (const auto inner = known.factors.find(a.text); inner != known.factors.end() && a.factor == 1) {
    const auto [factor, size] = inner->second;
    const auto sizes = product_with_size({size, known.monomials.at(size).range}, b);
    return product_with_size({factor, known.ranges.at(factor)}, *sizes);
  }
  const auto factor = shared(a);
  const auto key = std::pair(factor.text, b.text);
  if (const auto found = known.products.find(key); found != known.products.end())
    return Term{found->second, factor.range * b.range};
  auto product = declared_product("p", factor.range * b.range);
  known.products[key] = product.text;
  known.factors[product.text] = {factor.text, b.text};
  known.ranges[factor.text] = factor.range;
  note_product(b.text, factor.text, product.text);
  return product;
}

bool Terms::is_product_with_size(const Term& term) const {
  return script_.products().factors.contains(term.text);
}

bool Terms::is_size(const Term& term) const {
  return script_.products().monomials.contains(term.text);
}

// a = quotient * size + rest, with a rest below the size.
std::optional<Term> Terms::quotient_by_size(const Term& a, const Term& by) {
  auto& known = script_.products();
  if (!known.monomials.contains(by.text)) return std::nullopt;
  const auto whole = shared(a);
  const auto key = std::pair(whole.text, by.text);
  Range range;
  if (whole.range.is_bounded())
    range = {std::min(floor_divide(whole.range.low, by.range.low),
                      floor_divide(whole.range.low, by.range.high)),
             std::max(floor_divide(whole.range.high, by.range.low),
                      floor_divide(whole.range.high, by.range.high))};
  if (const auto found = known.quotients.find(key); found != known.quotients.end())
    return Term{found->second, range};
  const auto quotient = declared_product("q", range);
  known.quotients[key] = quotient.text;
  const auto product = *product_with_size(quotient, by);
  script_.add_fact(quotient.text, fmt::format("(and (<= {0} {1}) (< {1} (+ {0} {2})))", product.text,
                                              whole.text, by.text));
  return quotient;
}

}  // namespace msci::prover
