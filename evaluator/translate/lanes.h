// Simdgroup and quadgroup functions in OpenCL C: by the device's own instructions, or by waiting.
//
// A device without subgroups of 32 runs a kernel that uses them in a resumable form: at each such
// function and at each barrier a thread posts what it has and where it stands, and waits. What it
// posts lies in the one half of an array while answers are read from the other, so that two
// barriers of the device's do for a round. Of each simdgroup, the threads at the earliest place go
// on first, so that those that parted meet again; a barrier opens once every simdgroup waits at
// one. Threads that returned keep waiting until all have.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace msci {

// One function that threads carry out together: "simd.shuffle_xor.u32" less its prefix "msci.".
struct LaneFunction {
  unsigned code = 0;  // by which the helpers of the resumable form know it
  std::string name;   // of the native helper in the text: "msci_simd_shuffle_xor_u32"
  std::string_view
      type;  // "uint", "int", "float" of its first argument and of its result; "ulong" of a vote's
  unsigned arguments = 0;
  bool travels = false;     // each lane reads one other lane's word
  bool is_barrier = false;  // of the simdgroup: no words
};

// The lowest bit of a place where a thread waits, in the resumable form: for all threads of its
// threadgroup, or for its lanes alone.
constexpr unsigned barrier_kind = 0;
constexpr unsigned lanes_kind = 1;

// The lane function behind an external function of the Metal headers; none where it is no such
// function.
std::optional<LaneFunction> lane_function(std::string_view external);

// The names of the lane functions that a text calls.
using LaneFunctions = std::set<std::string>;

// Helpers of the native form: inline PTX on NVIDIA's GPUs. Guarded by MSCI_NATIVE_SIMDGROUPS.
std::string native_lane_helpers(const LaneFunctions& used);

// Words that a thread of the resumable form may post at one place, each for one lane function.
constexpr unsigned most_words = 8;

// Helpers of the resumable form: msci_lead, msci_combine, msci_source and what they need.
std::string resumable_lane_helpers(const LaneFunctions& used);

}  // namespace msci
