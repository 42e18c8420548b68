// Fits the constants of the model to recorded times.
#pragma once

#include <vector>

#include "analysis/profile/predict.h"
#include "tests/clock/profiles.h"

namespace msci {

// Seconds of each record.
std::vector<double> predictions(const std::vector<ProfiledRecord>& records,
                                const ModelConstants& constants);

// Those of a task's records by constants that were fitted on the other tasks. Prints the constants
// that fit all records, and how far they vary.
std::vector<double> cross_validated(const std::vector<ProfiledRecord>& records);

}  // namespace msci
