// An index as a polynomial over what it is made of, so that two of them can be compared.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "lint/analysis/flow/thread_flow.h"

namespace msci {

// Something that is not looked into further: a parameter, a loop's variable, one component of a
// thread position, or any expression but a sum or product.
struct Atom {
  const clang::VarDecl* variable = nullptr;  // null: an expression
  std::string text;                          // a component ("x"), or what tells expressions apart
  Divergence divergence = Divergence::none;
  Position position = Position::none;
  bool fixed = true;                        // has the same value wherever the kernel mentions it
  const clang::Expr* expression = nullptr;  // null: a variable

  bool operator<(const Atom& other) const {
    return std::tie(variable, text) < std::tie(other.variable, other.text);
  }
  bool operator==(const Atom& other) const {
    return variable == other.variable && text == other.text;
  }
};

// A sum of products: the empty product is the constant.
struct IndexForm {
  std::map<std::vector<Atom>, std::int64_t> terms;

  std::int64_t constant() const;
  // The terms that differ among threads, and those that do not, without the constant.
  IndexForm varying() const;
  IndexForm uniform() const;
  bool is_constant() const;
  bool is_fixed() const;
  // The atoms in order, each once.
  std::vector<Atom> atoms() const;
  bool operator==(const IndexForm&) const = default;
};

IndexForm operator+(IndexForm left, const IndexForm& right);
IndexForm operator-(IndexForm left, const IndexForm& right);
IndexForm operator*(const IndexForm& left, const IndexForm& right);

IndexForm constant_form(std::int64_t value);

// The form of an integer expression. Variables that only ever have one value are replaced by it.
IndexForm index_form(const clang::Expr* value, const ThreadFlow& flow);

}  // namespace msci
