// Integers of a fixed number of bits as mathematical integers: terms of SMT-LIB with the range of
// their values.
//
// A term stands for a number of N bits if the two are equal modulo 2^N, so sums and products need
// no reduction. Where the number itself counts, as in a comparison or a quotient, the range mostly
// says that the term is that number already.
//
// Products of unknown numbers and bitwise operations on them need bit vectors: terms of another
// sort, which are the number itself and know no range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/terms/range.h"
#include "analysis/terms/script.h"

namespace msci::prover {

struct Term {
  std::string text;
  Range range = {};  // of integers
  // The term is `factor` times `base`, as bytes of elements are; of no known factor, `base` is
  // empty.
  Wide factor = 1;
  std::string base = {};
  unsigned bits = 0;  // of a bit vector; 0: an integer

  std::optional<Wide> constant() const {
    return range.is_one() ? std::optional(range.low) : std::nullopt;
  }
};

// A condition.
struct Truth {
  std::string text;  // "true" and "false" are known
  bool is_true() const { return text == "true"; }
  bool is_false() const { return text == "false"; }
};

Term number(Wide value);
Term bit_vector(std::uint64_t value, unsigned bits);

Truth operator!(const Truth& a);
Truth operator&&(const Truth& a, const Truth& b);
Truth operator||(const Truth& a, const Truth& b);
Truth less(const Term& a, const Term& b);     // as integers
Truth at_most(const Term& a, const Term& b);  // as integers
Truth equal(const Term& a, const Term& b);    // of one sort
Truth equal(const Truth& a, const Truth& b);
// Of bit vectors of one length, by a relation of SMT-LIB: "bvult".
Truth compare(std::string_view relation, const Term& a, const Term& b);

// Makes terms whose long parts have names in a script.
class Terms {
 public:
  explicit Terms(Script& script) : script_(script) {}

  Term shared(Term term);
  Truth shared(Truth truth);

  Term add(const Term& a, const Term& b);
  Term subtract(const Term& a, const Term& b);
  Term multiply(const Term& a, const Term& b);
  Term choose(const Truth& condition, const Term& a, const Term& b);
  // The term divided by a number that its factor contains.
  Term part(const Term& term, Wide of);
  // Rounded down; the divisor is positive.
  Term divide(const Term& a, const Term& by);
  Term remainder(const Term& a, const Term& by);

  // The number of `bits` bits that a term stands for, without and with a sign.
  Term as_unsigned(const Term& term, unsigned bits);
  Term as_signed(const Term& term, unsigned bits);
  Truth sign_bit(const Term& term, unsigned bits);
  Truth is_odd(const Term& term);

  // The number with the lowest `width` bits of one that has no others, in the opposite order.
  Term reversed(const Term& term, unsigned width);
  // Bitwise, of numbers of `bits` bits; none where no term says it exactly.
  std::optional<Term> conjunction(const Term& a, const Term& b, unsigned bits);
  std::optional<Term> disjunction(const Term& a, const Term& b, unsigned bits);
  std::optional<Term> difference(const Term& a, const Term& b, unsigned bits);  // exclusive or

  // Of bit vectors of one length, by an operation of SMT-LIB: "bvmul".
  Term apply(std::string_view operation, const Term& a, const Term& b);
  // A bit vector with further bits, which are zeros or copies of its sign, or with the lowest ones
  // alone.
  Term resized(const Term& term, unsigned bits, bool is_signed = false);

 private:
  std::optional<Term> combined(const char* operation, const Term& a, const Term& b);
  Term scaled(const Term& base, Wide factor);
  Term masked(const Term& term, Wide mask, unsigned bits);
  Script& script_;
};

}  // namespace msci::prover
