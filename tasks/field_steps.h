// Tasks that step a field over a grid: each launch reads the fields before it and writes the next
// one, and the buffers change roles from launch to launch.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tasks/launch.h"
#include "tasks/stress.h"

namespace msci {

// A launch of every step.
struct Sweep {
  std::string_view kernel;
  Extent grid;
  Extent threadgroup;
};

// The sweeps in turn, `steps` times. Launch i binds the fields i, i + 1, ... modulo their number,
// then the scalars, and writes the last of these fields. The result is the field written last.
Plan field_steps(std::vector<PlanBuffer> fields, std::vector<PlanBuffer> scalars,
                 std::span<const Sweep> sweeps, unsigned steps);
// The same with one kernel, in threadgroups of `group` that cover `problem`.
Plan field_steps(std::vector<PlanBuffer> fields, std::vector<PlanBuffer> scalars,
                 std::string_view kernel, Extent problem, Extent group, unsigned steps);

// The field after `steps` calls of step(now, next), in the precision of its values. `next` holds an
// earlier field, so edges that no step writes keep what they hold.
template <typename Field, typename Step>
Field after_steps(Field now, unsigned steps, const Step& step) {
  Field next = now;
  for (unsigned i = 0; i < steps; ++i) {
    step(now, next);
    std::swap(now, next);
  }
  return now;
}

// What a task over two fields, A and B, derives from its problem, a type with these functions:
//   Array<float> start(const Size&)              the field A of the benchmark
//   Array<float> strict_start(const Size&, Key)  the field A of the strict verdict
//   Result<Plan> pass(const Size&, const Translation&, Array<float> a, PlanBuffer b)
//   Field advance(Field, const Size&)            the result, in the precision of its values
template <typename Problem>
struct FieldTask {
  static Result<Plan> plan(const Size& size, const Translation& program) {
    auto a = Problem::start(size);
    auto b = zeros<float>("B", a.size());
    return Problem::pass(size, program, std::move(a), std::move(b));
  }
  static Bytes reference(const Size& size) {
    return {Problem::advance(Problem::start(size), size).take_bytes()};
  }
  static Result<Plan> strict_plan(const Size& size, const Translation& program, Key key) {
    auto a = Problem::strict_start(size, key);
    auto b = poisoned<float>("B", a.size());
    return Problem::pass(size, program, std::move(a), std::move(b));
  }
  static std::vector<Expected> strict_reference(const Size& size, Key key) {
    return {{.values = Problem::advance(widened(Problem::strict_start(size, key)), size)}};
  }
};

}  // namespace msci
