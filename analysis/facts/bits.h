// The bits of numbers that operations move and combine, before a script has symbols for them: most
// combinations turn out to have too many bits, and should cost nothing then.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/terms/term.h"

namespace msci::prover {

class BitGraph {
 public:
  // Bits with one number are the same bit; `zero` and `one` are the constants.
  using Bit = unsigned;
  static constexpr Bit zero = 0, one = 1;
  static bool is_known(Bit bit) { return bit <= one; }

  BitGraph(Script& script, Terms& terms) : script_(script), terms_(terms) {}

  // The lowest `width` bits of a term, which has no others.
  std::vector<Bit> of_number(const std::string& text, unsigned width);
  // By LLVM's opcode for "and", "or" or "exclusive or".
  Bit combined(unsigned opcode, Bit a, Bit b);
  // 0, 1, or a term for one of the two.
  Term term(Bit bit);

 private:
  struct Node {
    unsigned opcode = 0;  // 0: the bit of a number
    Bit a = 0, b = 0;
    std::pair<std::string, unsigned> number;  // and its width
    unsigned place = 0;
  };
  Bit add(Node node);

  Script& script_;
  Terms& terms_;
  std::vector<Node> nodes_ = std::vector<Node>(2);
  std::map<std::pair<std::string, unsigned>, std::vector<Bit>> numbers_;
  std::map<std::tuple<unsigned, Bit, Bit>, Bit> combined_;
  std::map<Bit, Term> known_terms_;
};

}  // namespace msci::prover
