// Values for a source's function constants, as a user writes them.
#pragma once

#include <llvm/ADT/APInt.h>

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/frontend/unit.h"

namespace msci {

// By name: "true", "-3", "0.5", "ushort2(1, 2)". Constants that are not named have no value.
using ConstantValues = std::map<std::string, std::string>;

// The value of a variable in a unit's module.
struct ConstantValue {
  std::string symbol;
  std::vector<llvm::APInt> elements;  // the bits of each; one for a scalar
};

// Errors: a name that no function constant of the source has, a value that its type cannot hold.
Result<std::vector<ConstantValue>> constant_values(const Unit& unit, const ConstantValues& values);

}  // namespace msci
