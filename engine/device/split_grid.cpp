#include <algorithm>

#include "engine/device/queue.h"

namespace msci {
namespace {

// Threadgroups of equal width along one dimension.
struct Segment {
  unsigned first = 0;  // thread
  unsigned groups = 0;
  unsigned threads = 0;  // per threadgroup
};

// The whole threadgroups, then the smaller one at the edge.
std::vector<Segment> segments(unsigned grid, unsigned threadgroup, unsigned most_groups) {
  std::vector<Segment> parts;
  const unsigned whole = grid / threadgroup;
  for (unsigned done = 0; done < whole; done += parts.back().groups)
    parts.push_back({done * threadgroup, std::min(most_groups, whole - done), threadgroup});
  if (const unsigned edge = grid % threadgroup) parts.push_back({grid - edge, 1, edge});
  return parts;
}

}  // namespace

std::vector<GridPart> split_grid(const Extent& grid, const Extent& threadgroup,
                                 const Extent& most_groups) {
  std::vector<GridPart> parts;
  for (const auto& z : segments(grid.z, threadgroup.z, most_groups.z))
    for (const auto& y : segments(grid.y, threadgroup.y, most_groups.y))
      for (const auto& x : segments(grid.x, threadgroup.x, most_groups.x))
        parts.push_back({.first = {x.first, y.first, z.first},
                         .groups = {x.groups, y.groups, z.groups},
                         .threadgroup = {x.threads, y.threads, z.threads}});
  return parts;
}

}  // namespace msci
