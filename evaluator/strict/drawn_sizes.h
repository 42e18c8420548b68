// Sizes that a strict verdict draws with its nonce, so that no kernel can know them: from the whole
// contract of the task, without gaps (docs/strict_verdict.md).
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

// Further sizes of a thorough verdict, labelled "drawn 1 (n 37)": many of the contract, one beyond
// all declared ones, a declared one, and the held-out one. Those of the contract are spread over
// the half octaves of all parameters; some lie beside the integers of the kernel, where it may do
// something else, and inputs hold its real numbers. Leaves out declared sizes that take too long,
// and gives those with much work fewer steps.
std::vector<Size> drawn_sizes(const Task& task, std::uint64_t nonce,
                              const KernelNumbers& numbers = {});

// Sizes for the checked mode, no larger than the stress sizes: for each side one in which it is
// long, so that there are rows, columns and layers beyond those of the others; with one side any
// one, too.
std::vector<Size> drawn_checked_sizes(const Task& task, std::uint64_t nonce);

// The same size for further runs, without labels: of one with little work, some, of which one has a
// single step, so that nothing wears an error off, and others have many, so that a small error
// grows.
std::vector<Size> sizes_to_repeat(const Task& task, const Size& size, unsigned most_steps);

// The same size as "fuzz 1 (n 4711)", by the judge.
Size labelled(Size size, std::string_view kind, unsigned number);

// The product of all parameters but the number of steps.
double volume_of(const Task& task, const Size& size);

// The value of a parameter, if the size states it.
std::optional<unsigned> value_in(const Size& size, std::string_view parameter);

// The steps that a size states, if any.
std::optional<unsigned> steps_of(const Task& task, const Size& size);

}  // namespace msci
