// The interface of a kernel, read from the Clang AST: bound arguments and thread positions.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "evaluator/plan/program.h"
#include "lint/metal/unit.h"

namespace msci {

// A parameter that holds a position or a size, such as [[thread_position_in_grid]].
struct PositionParameter {
  std::string attribute;
};

// A parameter that the host binds; an index into KernelSignature::arguments.
struct BoundParameter {
  std::size_t argument = 0;
};

using Parameter = std::variant<BoundParameter, PositionParameter>;

// One kernel of a unit: its signature, except for what only the IR tells, and the parameters of its
// function.
struct KernelInterface {
  KernelSignature signature;
  std::string function;               // the mangled name of the LLVM function
  std::vector<Parameter> parameters;  // in the function's order
};

// The interface of one kernel. Errors: a parameter that we cannot pass (a texture, a sampler, an
// argument buffer of pointers), with its line.
Result<KernelInterface> kernel_interface(const Unit& unit, const Kernel& kernel);

}  // namespace msci
