// The interface of a kernel, read from the Clang AST: bound arguments and thread positions.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "compiler/frontend/attributes.h"
#include "compiler/frontend/unit.h"
#include "tasks/plan/program.h"

namespace msci {

// A parameter that holds a position or a size, such as [[thread_position_in_grid]].
struct PositionParameter {
  PositionAttribute attribute;
};

// A parameter that the host binds; an index into KernelSignature::arguments.
struct BoundParameter {
  std::size_t argument = 0;
  // The symbol of the constant that decides whether the parameter exists; empty where it always
  // does.
  std::string condition = {};
  // An array of textures or samplers takes so many arguments in a row.
  std::size_t count = 1;
};

// A parameter that does not exist, because its constant is false.
struct AbsentParameter {};

using Parameter = std::variant<BoundParameter, PositionParameter, AbsentParameter>;

// One kernel of a unit: its signature, except for what only the IR tells, and the parameters of its
// function.
struct KernelInterface {
  KernelSignature signature;
  std::string function;               // the mangled name of the LLVM function
  std::vector<Parameter> parameters;  // in the function's order
};

// Makes the parameters absent whose conditions are false, and drops their arguments.
void drop_absent(KernelInterface& interface,
                 const std::function<bool(const std::string& condition)>& is_false);

// The interface of one kernel. Errors: a parameter that we cannot pass (a struct with pointers to
// threadgroup memory), with its line.
Result<KernelInterface> kernel_interface(const Unit& unit, const Kernel& kernel);

}  // namespace msci
