// The symbols of a formula in SMT-LIB: what they stand for, what is known of them, and which of
// them a formula needs.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace msci::prover {

// Integers, conditions, or bit vectors: Sort{32}.
enum class Sort : unsigned { integer = 0, boolean = ~0U };

// Why a symbol stands for any value: "a value loaded from `order`", and its line (0: unknown).
struct Unknown {
  std::string what;
  unsigned line = 0;
  // The kernel limits the value before it uses it, as by `% 8`, and so is written for all of them.
  bool is_limited = false;
  bool operator==(const Unknown&) const = default;
};

// The command that states a formula.
std::string assertion_of(const std::string& formula);

// Definitions in the order of their making; each refers to earlier ones only.
class Script {
 public:
  // A new symbol that may have any value; `facts` hold of it wherever it is used. With parameters
  // it is a function of so many integers. The name begins with `prefix`.
  std::string declare(std::string_view prefix, Sort sort, unsigned parameters = 0);
  // Declares a symbol with the given name, if there is none. Whether it is new.
  bool declare_named(const std::string& name, Sort sort, unsigned parameters = 0);
  // A new symbol that stands for `text`.
  std::string define(std::string_view prefix, Sort sort, const std::string& text);
  // Adds what holds of a symbol.
  void add_fact(const std::string& name, const std::string& fact);
  // Says that the symbol stands for more values than the kernel has there.
  void set_unknown(const std::string& name, Unknown unknown);
  // The bits of a number of so many, from the lowest on: symbols that are 0 or 1. Z3 finds more in
  // them than in remainders of quotients.
  const std::vector<std::string>& bits_of(const std::string& number, unsigned count);
  // What it takes to make terms, in steps of Z3 (analysis/solver/z3.h), beside reading them.
  void add_work(std::uint64_t steps) { work_ += steps; }
  std::uint64_t work() const { return work_; }
  bool has(const std::string& name) const { return numbers_.contains(name); }

  // The declarations and facts that the formulas need, as SMT-LIB commands.
  std::string preamble_of(const std::vector<std::string>& formulas) const;
  // All declarations and facts that were made since this was called last: for a solver that keeps
  // them.
  std::string take_new();
  // Whether the formula, or a fact that it needs, has one of the symbols.
  bool needs_any(const std::string& formula, const std::set<std::string>& names) const;
  // The unknown values that the formulas depend on, in the order of the script.
  std::vector<Unknown> unknowns_in(const std::vector<std::string>& formulas) const;

 private:
  struct Symbol {
    std::string name;
    std::string command;  // declares or defines it
    std::vector<std::string> facts;
    std::vector<std::size_t> needs;
    bool is_taken = false;
    std::size_t taken_facts = 0;
    bool is_unknown = false;
    Unknown unknown;
  };
  std::string fresh(std::string_view prefix);
  void add(const std::string& name, std::string command, std::vector<std::size_t> needs);
  std::vector<std::size_t> symbols_in(std::string_view text) const;
  std::vector<bool> needed_by(const std::vector<std::string>& formulas) const;

  std::vector<Symbol> symbols_;
  std::map<std::string, std::size_t, std::less<>> numbers_;
  std::map<std::string, std::vector<std::string>> bits_;  // by number
  std::size_t next_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace msci::prover
