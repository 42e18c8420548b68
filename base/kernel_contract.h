// What a host binds to the kernels that it dispatches: the interface that a kernel is written for.
#pragma once

#include <string>
#include <vector>

#include "base/argument_kind.h"

namespace msci {

// One binding, spelt as in Metal.
struct ContractArgument {
  unsigned index = 0;
  std::string type;  // "device const float *", "constant uint &"
  std::string name;
  std::string meaning;
  ArgumentKind kind = ArgumentKind::buffer;
  bool operator==(const ContractArgument&) const = default;
};

// A kernel that the host dispatches.
struct KernelContract {
  std::string name;
  std::vector<ContractArgument> arguments;  // all of them; empty if they are unknown
  bool operator==(const KernelContract&) const = default;
};

}  // namespace msci
