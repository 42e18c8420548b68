// The values of a kernel's IR as terms: what one thread finds where it comes to an instruction.
//
// This follows the IR, and knows conditions, which are values of one bit. The sort of the terms and
// their arithmetic, and what is known of the threads, are those of a derived class.
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analysis/terms/term.h"

namespace msci::prover {

class Values {
 public:
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;
  virtual ~Values() = default;

  // The value of an integer of up to 64 bits, or of an element of a vector.
  Term term(const llvm::Value& value, unsigned element = 0);
  // Whether a value of one bit, or an element of a vector of such values, is 1.
  Truth truth(const llvm::Value& value, unsigned element = 0);

 protected:
  // A value, or an element of it.
  using Key = std::pair<const llvm::Value*, unsigned>;
  struct Known {
    std::map<Key, Term> terms;
    std::map<Key, Truth> truths;
  };

  explicit Values(Script& script) : script_(script), terms_(script) {}

  // Of results and operands with `bits` bits.
  virtual Term constant(const llvm::APInt& value) const = 0;
  virtual Term of_binary(const llvm::BinaryOperator& operation, unsigned element,
                         unsigned bits) = 0;
  virtual Term of_cast(const llvm::CastInst& cast, unsigned element, unsigned bits) = 0;
  virtual Term of_call(const llvm::CallInst& call, unsigned element, unsigned bits) = 0;
  virtual Term of_phi(const llvm::PHINode& phi, unsigned element, unsigned bits) = 0;
  virtual Term of_load(const llvm::LoadInst& load, unsigned element, unsigned bits) {
    return unknown_term(load, element, bits);
  }
  virtual Truth of_comparison(const llvm::ICmpInst& comparison, unsigned element,
                              unsigned bits) = 0;
  virtual Truth truth_of_phi(const llvm::PHINode& phi, unsigned element) = 0;
  // Of a value that may be anything.
  virtual Term unknown_term(const llvm::Value& value, unsigned element, unsigned bits) = 0;
  virtual Truth unknown_truth(const llvm::Value& value, unsigned element) = 0;

  Script& script_;
  Terms terms_;
  Known known_;

 private:
  Term make_term(const llvm::Value& value, unsigned element, unsigned bits);
  Truth make_truth(const llvm::Value& value, unsigned element);
  Term of_instruction(const llvm::Instruction& instruction, unsigned element, unsigned bits);
  Truth of_logic(const llvm::BinaryOperator& operation, unsigned element);
  Truth of_compare(const llvm::CmpInst& comparison, unsigned element);

  std::set<Key> open_terms_, open_truths_;  // those that are being made
};

// The constant that a value, or an element of it, is; otherwise null.
const llvm::ConstantInt* constant_of(const llvm::Value& value, unsigned element);

// The value that an element of a vector comes from, and its element, where only elements are moved.
std::optional<std::pair<const llvm::Value*, unsigned>> element_of(
    const llvm::Instruction& instruction, unsigned element);

}  // namespace msci::prover
