// The places of a source that a checked text speaks of, by number.
#pragma once

#include <map>
#include <vector>

#include "lint/metal/unit.h"

namespace llvm {
class Instruction;
}

namespace msci {

class Places {
 public:
  explicit Places(const Unit& unit) : unit_(unit) {}

  // The number of the place in the user's text that an instruction was made for: where a function
  // of a Metal header stands, that is its call. 0, which is nowhere, where that is unknown or there
  // are too many.
  unsigned number(const llvm::Instruction& instruction);

  // All places, by number.
  const std::vector<Range>& all() const { return all_; }

 private:
  const Unit& unit_;
  std::map<Location, unsigned> numbers_;
  std::vector<Range> all_{Range{}};
};

}  // namespace msci
