// What a host sees of each kernel, read from the Clang AST: bound arguments and thread positions.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "evaluator/program.h"
#include "lint/metal/result.h"
#include "lint/metal/unit.h"

namespace msci {

// A parameter that Metal fills with a position or a size: [[thread_position_in_grid]] and its kin.
struct PositionParameter {
  std::string attribute;
};

// A parameter that the host binds; an index into KernelSignature::arguments.
struct BoundParameter {
  std::size_t argument = 0;
};

using Parameter = std::variant<BoundParameter, PositionParameter>;

// One kernel of a unit: its signature, less what only the IR can tell, and the parameters of its
// function.
struct KernelInterface {
  KernelSignature signature;
  std::string function;               // the mangled name of the LLVM function
  std::vector<Parameter> parameters;  // in the function's order
};

// Every kernel, in order of appearance. Errors: a parameter that we cannot pass (a texture, a
// sampler, an argument buffer of pointers), with its line.
Result<std::vector<KernelInterface>> kernel_interfaces(const Unit& unit);

}  // namespace msci
