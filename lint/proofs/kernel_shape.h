// What the source of a kernel says about the launches that it is written for.
#pragma once

#include <clang/AST/Type.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string_view>
#include <vector>

#include "compiler/frontend/unit.h"

namespace msci {

struct KernelShape {
  // Whether the kernel looks at the position of its threads in a dimension: x, y, z.
  std::array<bool, 3> threads = {};
  // Whether it hands over a position of several dimensions as a whole, so that it may look at
  // fewer.
  bool is_vague = false;
  // Whether it looks at the position in the threadgroup, rather than in the grid only.
  std::array<bool, 3> in_threadgroup = {};
  // Whether it looks at the position of the threadgroup, or of the thread in the grid.
  std::array<bool, 3> groups = {};
  // Whether it tells the threads of a simdgroup apart, and no simdgroups or threads of a
  // threadgroup.
  bool is_for_one_simdgroup() const { return has_lanes && !has_simdgroups; }
  bool has_lanes = false;
  bool has_simdgroups = false;
  // Whether a parameter numbers the simdgroups of a threadgroup: then it has several.
  bool has_several_simdgroups = false;
  // Whether a barrier orders buffers, which is meant for kernels of one threadgroup.
  bool orders_device = false;
  // Whether a `simdgroup_barrier` names no memory that it orders.
  bool has_idle_simdgroup_barrier = false;
  // Otherwise it is meant for one thread of each threadgroup.
  bool tells_threads_apart() const {
    return threads[0] || threads[1] || threads[2] || has_lanes || has_simdgroups;
  }
  // Sides of its threadgroup arrays, outermost first.
  std::vector<std::vector<unsigned>> arrays = {};
  // Integer constants with a name, such as `constant uint side = 16;`.
  std::set<unsigned> constants = {};
};

KernelShape shape_of(const Kernel& kernel, const Unit& unit);

// Bytes of a value that a host may bind to a reference, `constant Sizes& sizes`: its integers are
// what `next` says of each, and its floats 1. Empty for types that hold more than numbers.
std::vector<std::byte> bytes_with(const std::function<std::uint64_t()>& next, clang::QualType type,
                                  const clang::ASTContext& ast);

}  // namespace msci
