// How wrong predictions are, by what they consist of (analysis/profile/claim.h).
#pragma once

#include <string>
#include <vector>

#include "analysis/profile/claim.h"
#include "tests/clock/profiles.h"

namespace msci {

// Two kernels of one run with the same sizes.
struct KernelPair {
  std::string task;
  std::vector<std::size_t> first;  // records, by size
  std::vector<std::size_t> second;
  double recorded = 0;           // the mean over the sizes of log(time of the second / the first)
  bool is_reproducible = false;  // they differ in one direction at all sizes
};
std::vector<KernelPair> pairs_of(const std::vector<ProfiledRecord>& records);

// Fits it to records and their predictions, each by constants that were fitted without its task.
// Records of the task `left_out` are left out; "" for none.
Calibration calibrated(const std::vector<ProfiledRecord>& records,
                       const std::vector<Prediction>& predictions,
                       const std::vector<KernelPair>& pairs, const std::string& left_out);

// A C++ initialiser.
std::string text_of(const Calibration& calibration);

}  // namespace msci
