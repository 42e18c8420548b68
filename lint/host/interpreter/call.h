// A call of a function or a method, with its arguments evaluated.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lint/host/interpreter/value.h"

namespace msci::host {

struct Call {
  std::string name;  // the function's, or of a method the name that metal-cpp gives it
  const Node* node = nullptr;
  std::optional<Value> receiver;
  NodePtr receiver_node;
  std::vector<Value> arguments;
  std::vector<NodePtr> nodes;  // of the arguments

  // Null if there are fewer arguments.
  const Value* argument(std::size_t index) const {
    return index < arguments.size() ? &arguments[index] : nullptr;
  }
};

}  // namespace msci::host
