// One thread at one moment: the terms of the values that it has there, and the condition under
// which it comes there.
//
// A moment is a place in the code and an iteration of each loop around it. All values are terms
// over the thread's position, the numbers of the iterations, and symbols for what is not known: a
// number from memory, say. What several threads must find equal has one symbol: a load from memory
// that nothing writes is a function of its address, and a value that does not vary is a function of
// the iterations and of the threadgroup.
#pragma once

#include <llvm/ADT/APInt.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/facts/code.h"
#include "analysis/terms/term.h"
#include "analysis/terms/value_terms.h"

namespace msci::prover {

// The bits of numbers that operations move and combine, before a script has symbols for them: most
// combinations turn out to have too many bits, and should cost nothing then.
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

class Event : public Values {
 public:
  // The names of its own symbols end with `name`, such as "s".
  Event(const Code& code, Script& script, std::string name);

  // What holds of the position of each thread.
  Truth exists();
  Term local(unsigned dimension);
  Term group(unsigned dimension);
  // The index in the threadgroup: x fastest.
  Term index();
  // The bytes of an object, as Code::bytes_of() has them.
  Term bytes_of(unsigned object);
  // The number of the iteration of a loop, from 0.
  Term iteration(const llvm::Loop& loop);

  // The number of the last iteration of a loop that is entered, if that is known exactly.
  std::optional<Term> last_iteration(const llvm::Loop& loop);
  // A term for a scalar that is computed from constants, positions and data alone. Where two such
  // terms may differ, the values do for most data. None if other threads may influence the value.
  std::optional<std::string> value_of_data(const llvm::Value& value, unsigned depth = 0);
  // Whether the thread comes to the block, in this iteration of the loops around it.
  Truth reaches(const llvm::BasicBlock& block);
  // Whether it then goes on to that successor.
  Truth takes(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

 private:
  std::string own(const std::string& name) const { return name + name_; }
  Term position(const char* prefix, unsigned dimension, unsigned count);
  Term size();  // of the launch, for all sizes at once
  Term sized(const SizedNumber& number);
  Term constant(const llvm::APInt& value) const override;
  Term of_binary(const llvm::BinaryOperator& operation, unsigned element, unsigned bits) override;
  Term of_shift(const llvm::BinaryOperator& operation, unsigned element, unsigned bits);
  Term of_quotient(const llvm::BinaryOperator& operation, unsigned element, unsigned bits);
  Term of_cast(const llvm::CastInst& cast, unsigned element, unsigned bits) override;
  Term of_call(const llvm::CallInst& call, unsigned element, unsigned bits) override;
  Term of_phi(const llvm::PHINode& phi, unsigned element, unsigned bits) override;
  Term of_load(const llvm::LoadInst& load, unsigned element, unsigned bits) override;
  Truth of_comparison(const llvm::ICmpInst& comparison, unsigned element, unsigned bits) override;
  Truth truth_of_phi(const llvm::PHINode& phi, unsigned element) override;
  Truth sign_bit(const llvm::Value& value, unsigned element, unsigned bits);

  // ---- values that no term says (unknown.cpp)
  Term unknown_term(const llvm::Value& value, unsigned element, unsigned bits) override;
  // The result of a bitwise operation on two numbers that are not negative lies near them.
  Term unknown_bits(const llvm::BinaryOperator& operation, const Term& a, const Term& b,
                    unsigned element, unsigned bits);
  Truth unknown_truth(const llvm::Value& value, unsigned element) override;
  std::string unknown_symbol(const llvm::Value& value, unsigned element, Sort sort);
  Unknown why(const llvm::Value& value) const;
  std::string place_of(const llvm::LoadInst& load, unsigned element, unsigned object);

  // ---- bits (bits.cpp)
  using Bits = std::vector<BitGraph::Bit>;
  const llvm::APInt& possible_bits(const llvm::Value& value, unsigned depth);
  llvm::APInt make_possible_bits(const llvm::Value& value, unsigned depth);
  bool have_no_common_bits(const llvm::Value& a, const llvm::Value& b);
  std::optional<Term> bit_by_bit(const llvm::BinaryOperator& operation, unsigned element,
                                 unsigned bits);
  const std::optional<Bits>& bits_of(const llvm::Value& value, unsigned element, unsigned bits,
                                     unsigned depth);
  std::optional<Bits> make_bits(const llvm::Value& value, unsigned element, unsigned bits,
                                unsigned depth);

  // ---- values of data (data.cpp)
  std::optional<std::string> loaded(const llvm::LoadInst& load, unsigned element);
  std::string applied(const std::string& operation, const std::vector<std::string>& operands);

  // ---- loops (iterations.cpp)
  std::optional<Term> sum(const llvm::PHINode& phi, unsigned bits);
  std::optional<Term> term_of(const llvm::SCEV* expression, const llvm::Loop* inside);
  Truth iterates(const llvm::Loop& loop);
  Truth leaves_by(const llvm::Loop& loop, const llvm::BasicBlock& from, const llvm::BasicBlock& to);

  const Code& code_;
  BitGraph bit_graph_{script_, terms_};
  std::string name_;
  std::map<const llvm::BasicBlock*, Truth> known_reaches_;
  // By depth, since a value that lies deep is looked at less closely.
  std::map<std::tuple<const llvm::Value*, unsigned, unsigned>, std::optional<Bits>> known_bits_;
  std::map<std::pair<const llvm::Value*, unsigned>, llvm::APInt> possible_bits_;
};

}  // namespace msci::prover
