#include "tasks/launch.h"

#include <fmt/format.h>

#include <algorithm>

namespace msci {

Result<unsigned> cap_of(const Translation& program, std::string_view kernel) {
  const KernelSignature* signature = program.find(kernel);
  if (!signature) return Error{fmt::format("the program has no kernel {}", kernel)};
  if (signature->cap() == 0)
    return Error{fmt::format("{} allows no threads in a threadgroup", kernel)};
  return signature->cap();
}

Result<Extent> row_group(const Translation& program, std::string_view kernel, unsigned preferred) {
  const auto cap = cap_of(program, kernel);
  if (!cap) return cap.error();
  return Extent{std::min(*cap, preferred)};
}

Result<Extent> tile_group(const Translation& program, std::string_view kernel) {
  constexpr unsigned width = 16;
  const auto cap = cap_of(program, kernel);
  if (!cap) return cap.error();
  if (*cap < width)
    return Error{fmt::format("{} allows {} threads in a threadgroup, but the host's is {} wide",
                             kernel, *cap, width)};
  unsigned height = 16;
  while (width * height > *cap) height /= 2;
  return Extent{width, height};
}

Result<Extent> brick_group(const Translation& program, std::string_view kernel) {
  const auto cap = cap_of(program, kernel);
  if (!cap) return cap.error();
  Extent group{8, 8, 4};
  while (group.count() > *cap) {
    unsigned& side = group.z > 1 ? group.z : group.y > 1 ? group.y : group.x;
    side /= 2;
  }
  return group;
}

Result<Extent> fixed_group(const Translation& program, std::string_view kernel, unsigned width) {
  const auto cap = cap_of(program, kernel);
  if (!cap) return cap.error();
  if (*cap < width)
    return Error{fmt::format("{} allows {} threads in a threadgroup, but the host's has {}", kernel,
                             *cap, width)};
  return Extent{width};
}

Extent cover(Extent problem, Extent threadgroup) {
  const auto round_up = [](unsigned length, unsigned step) {
    return (length + step - 1) / step * step;
  };
  return {round_up(problem.x, threadgroup.x), round_up(problem.y, threadgroup.y),
          round_up(problem.z, threadgroup.z)};
}

std::vector<Binding> bind(const std::vector<std::size_t>& buffers) {
  std::vector<Binding> bindings;
  unsigned index = 0;
  for (const std::size_t buffer : buffers) bindings.push_back({index++, buffer});
  return bindings;
}

}  // namespace msci
