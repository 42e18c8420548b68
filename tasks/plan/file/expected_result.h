// What a result of a plan file must hold, and how far from it a kernel may be.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tasks/plan/plan.h"
#include "tasks/plan/task.h"
#include "tasks/plan/texture/texture_memory.h"

namespace msci {

struct ExpectedResult {
  std::string type;         // Metal's scalar; empty of a texture
  Bytes contents;           // of a texture: its texels in its format
  bool is_compared = true;  // otherwise the plan's checking command decides
  std::string name = {};    // of the result
  std::optional<TextureShape> texture = {};
};

struct Tolerance {
  double max_abs = 0;
  double relative = 0;  // of the largest finite expected magnitude
  bool exact = true;    // all bytes must be equal; the others do not count

  // The largest error that passes.
  double limit(const ExpectedResult& expected) const;
};

// Why the expected result of a buffer cannot judge kernels: a wrong length, a NaN, a tolerance that
// zeros would meet at a declared size.
std::optional<std::string> why_useless(const ExpectedResult& expected, const Tolerance& tolerance,
                                       const PlanBuffer& buffer, const Size& size);

// The verdict on the outputs; its error is that of the output that exceeds its limit most. Without
// a tolerance, the error is the number of elements that differ. Textures are compared component by
// component (texture/texture_numbers.h): a difference up to the rounding of the format counts as
// none.
Verdict judge(std::span<const ExpectedResult> expected, const Tolerance& tolerance,
              const Outputs& outputs);

}  // namespace msci
