// Whether a pass is like those that the model was fitted to.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "analysis/profile/predict.h"

namespace msci {

// What a pass spends its time on: the share of each bound in the times that all would take alone;
// and that share of instructions and latency, divided among the kinds of instructions by their
// cycles. Kinds of one cycle, which all kernels have, are left out.
constexpr std::size_t share_count = bound_count + work_kinds;
using Shares = std::array<double, share_count>;

// How large a pass is. But for the first two, of the launch that takes longest.
enum class PassSize : unsigned {
  microseconds,
  launches,
  simdgroups,           // in all
  simdgroups_per_core,  // at once
  instructions,         // of a simdgroup
  chain_cycles,         // of a simdgroup
  registers,            // of 16 bits, of a thread
  private_bytes,        // of a thread
  buffer_kilobytes,
  last = buffer_kilobytes,
};
constexpr std::size_t size_count = static_cast<std::size_t>(PassSize::last) + 1;

struct PassFeatures {
  Shares shares = {};
  std::array<double, size_count> sizes = {};
};
// `prediction` is that of `profile`.
PassFeatures features_of(const Profile& profile, const Prediction& prediction);

// The passes that the model was fitted to.
struct FittedRange {
  Shares most = {};
  std::array<double, size_count> least = {};
  std::array<double, size_count> largest = {};
  void add(const PassFeatures& pass);
};

// In what a pass is unlike all of them: it spends a quarter of its time more on something than each
// of them, or is four times as large as the largest, or a quarter as long as the shortest, or has a
// quarter of the simdgroups; "exponential takes 60 % of its time, and 12 % at most in what was
// measured". Empty where it is like them.
std::string unlike(const PassFeatures& pass, const FittedRange& range);

// The names of the features: "exponential", "simdgroups".
std::string share_name(std::size_t share);
std::string_view to_string(PassSize size);

}  // namespace msci
