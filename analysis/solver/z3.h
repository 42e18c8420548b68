// Z3, which decides formulas. Its library is loaded when it is first needed, so that programs start
// and run where it is missing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace msci::prover {

enum class Answer {
  impossible,  // no values make the formula true
  possible,    // the solution has such values
  undecided,   // Z3 gave up within its limits
};

struct Solution {
  Answer answer = Answer::undecided;
  // Of the expressions that were asked for: integers, bit vectors without a sign, and conditions,
  // which are 1 where they hold.
  std::map<std::string, std::int64_t> values;
};

// The value of an expression; 0 if the solver gave none.
std::int64_t integer_of(const Solution& solution, const std::string& name);
inline bool holds(const Solution& solution, const std::string& name) {
  return integer_of(solution, name) == 1;
}

class Z3 {
 public:
  // Errors: the library libz3.so.4 is missing, or it is not Z3; what proofs need, and where to get
  // it.
  static Result<std::unique_ptr<Z3>> open();
  // One that leaves all undecided, for those who want the answers that need no Z3.
  static std::unique_ptr<Z3> none();
  // "4.8.12.0". Errors: why there are no proofs: "libz3.so.4 is missing".
  static Result<std::string> version();
  virtual ~Z3() = default;

  // Commands of SMT-LIB that declare and assert, before those of all later questions. Z3 reads them
  // once, so that short questions about much that they share take little time.
  virtual void share(const std::string& commands) = 0;

  // Decides such commands; nothing of them is kept. A possible answer has the values of `asked`. A
  // second has some million steps. The same questions in the same order have the same answers.
  virtual Solution solve(const std::string& commands, const std::vector<std::string>& asked,
                         unsigned steps) = 0;

  // The steps of all answers so far, with those that it takes to read the questions and those that
  // were charged.
  virtual std::uint64_t steps() = 0;
  // Adds steps for the work that it took to make a question.
  virtual void charge(std::uint64_t steps) = 0;
};

}  // namespace msci::prover
