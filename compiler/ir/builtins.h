// The functions of Metal's library that code may call after inlining (builtins.def).
#pragma once

#include <optional>
#include <string_view>

namespace msci {

// What an Apple GPU executes for each element. `nothing`: another instruction does it, or it has no
// effect on a machine.
enum class BuiltinCost {
  nothing,
  addition,
  multiply_high,
  conversion,
  root,
  exponential,
  two_exponentials,
  trigonometry,
  two_trigonometries,
  bits,
  selection,
};

// A function that the engine computes lane by lane.
struct LaneMath {
  enum class Shape { one, two, with_integer, to_integer };
  std::string_view name;
  Shape shape;
  bool has_vector_form;  // in glibc's libmvec
};

// A function that the headers declare as "msci.math.NAME.SUFFIX", or an intrinsic of LLVM.
struct Builtin {
  // OpenCL C: the name of the function, or the pattern for the intrinsic; none if the printer makes
  // the text.
  std::optional<std::string_view> opencl;
  const LaneMath* lane = nullptr;  // null if the engine has other code for it
  BuiltinCost cost = BuiltinCost::nothing;
};

// `name`: "NAME.SUFFIX". Null for unknown functions.
const Builtin* find_math(std::string_view name);
// By LLVM's number. Null for intrinsics that a translation cannot have.
const Builtin* find_intrinsic(unsigned id);

// The OpenCL C pattern for an intrinsic, empty if it leaves no text; none if it has no pattern.
std::optional<std::string_view> intrinsic_pattern(unsigned id);

}  // namespace msci
