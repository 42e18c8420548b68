// Sizes that a strict verdict draws with its nonce, so that no kernel can know them. Each size that
// the task's contract allows can be drawn (docs/concepts/strict_verdict.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tasks/plan/program.h"
#include "tasks/plan/task.h"

namespace msci {

// The random size number `count` of the run of that nonce: "fuzz 1 (n 4711)".
Size fuzz_size(const Task& task, std::uint64_t nonce, unsigned count);

// Further sizes of a thorough verdict, labelled "drawn 1 (n 37)": many random ones, one beyond all
// declared ones, a declared one, and the held-out one. The random ones are spread over the half
// octaves of all parameters. Some lie beside integers in the kernel's code, where it may begin to
// do something else; inputs hold the real numbers in its code. Declared sizes that take too long
// are left out, and those with much work have fewer steps.
std::vector<Size> drawn_sizes(const Task& task, std::uint64_t nonce,
                              const KernelNumbers& numbers = {});

// The smallest declared size that drawn_sizes() leaves out because it takes too long, with one
// step; none if it leaves out none. Timed passes look at the others.
std::optional<Size> large_size(const Task& task);

// Sizes for the checked mode, no larger than the stress sizes: for each side one size in which this
// side is long, so that kernels come to rows, columns and layers beyond those of the other sizes.
// For tasks with one side, also an arbitrary size.
std::vector<Size> drawn_checked_sizes(const Task& task, std::uint64_t nonce);

// The same size for further runs, without labels. The first has a single step, so that later steps
// cannot wear an error off; a size with much work has no other. Others have many steps, up to
// `most_steps`, so that a small error grows.
std::vector<Size> sizes_to_repeat(const Task& task, const Size& size, unsigned most_steps);

// The size as a drawn one, with a label such as "fuzz 1 (n 4711)".
Size labelled(Size size, std::string_view kind, unsigned number);

// The product of all parameters but the number of steps.
double volume_of(const Task& task, const Size& size);

// The value of a parameter, if the size states it.
std::optional<unsigned> value_in(const Size& size, std::string_view parameter);

// The steps that a size states, if any.
std::optional<unsigned> steps_of(const Task& task, const Size& size);

}  // namespace msci
