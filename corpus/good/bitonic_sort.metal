// Sorts keys in place, ascending. Pairs that lie closer than a threadgroup is wide are sorted in
// threadgroup memory, many steps in one launch; wider ones take a launch a step. The count is a
// power of two; the host fills up with the largest key.
#include <metal_stdlib>
using namespace metal;

constant uint most_threads = 512;

struct Step {
  uint length;    // of the sequences that this step merges: 2, 4, …
  uint distance;  // between the two keys of a pair
};

static bool is_ascending(uint i, uint length) { return (i & length) == 0; }

// One thread for each pair.
kernel void compare_far(device uint* keys [[buffer(0)]],
                        constant Step& step [[buffer(1)]],
                        constant uint& count [[buffer(2)]],
                        uint pair [[thread_position_in_grid]]) {
  if (pair >= count / 2) return;
  const uint within = pair & (step.distance - 1);
  const uint low = 2 * (pair - within) + within;
  const uint high = low + step.distance;
  const uint a = keys[low];
  const uint b = keys[high];
  if ((a > b) == is_ascending(low, step.length)) {
    keys[low] = b;
    keys[high] = a;
  }
}

// One thread for each key, and all distances from half a threadgroup down.
[[max_total_threads_per_threadgroup(512)]]
kernel void merge_near(device uint* keys [[buffer(0)]],
                       constant uint& length [[buffer(1)]],
                       constant uint& count [[buffer(2)]],
                       uint i [[thread_position_in_grid]],
                       uint t [[thread_index_in_threadgroup]],
                       uint width [[threads_per_threadgroup]]) {
  threadgroup uint near[most_threads];
  near[t] = i < count ? keys[i] : UINT_MAX;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint distance = min(length, width) / 2; distance > 0; distance /= 2) {
    const uint mine = near[t];
    const uint other = near[t ^ distance];
    const bool is_low = (t & distance) == 0;
    const bool wants_smaller = is_low == is_ascending(i, length);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    near[t] = wants_smaller ? min(mine, other) : max(mine, other);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (i < count) keys[i] = near[t];
}
