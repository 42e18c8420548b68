#include "tasks/plan/kernel_code.h"

#include <array>

namespace msci {

std::string_view to_string(WorkKind work) {
  constexpr std::array<std::string_view, work_kinds> names{
      "float_add",      "half_add",      "compare_select", "integer",          "convert",
      "multiply",       "multiply_high", "add_long",       "multiply_long",    "shift_left",
      "shift_right",    "bits",          "divide_integer", "exponential",      "reciprocal",
      "root",           "trigonometry",  "precise_divide", "shuffle",          "shuffle_variable",
      "reduce",         "prefix",        "matrix",         "branch",           "loop",
      "device_load",    "device_store",  "constant_load",  "threadgroup_load", "threadgroup_store",
      "private_access", "atomic",        "barrier"};
  return names[static_cast<std::size_t>(work)];
}

}  // namespace msci
