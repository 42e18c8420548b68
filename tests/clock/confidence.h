// How well the model knows what it knows.
#pragma once

#include <string>
#include <vector>

#include "tests/clock/profiles.h"

namespace msci {

// Markdown: the share of the reproducible pairs of at least 1.25 that the prediction puts in order,
// of all of them and of those that it is surest of, because their predicted ratio is furthest
// from 1. `predicted`: seconds of each record.
std::string confidence_table(const std::vector<ProfiledRecord>& records,
                             const std::vector<double>& predicted);
// Markdown: the largest share of each feature (analysis/profile/fitted_range.h) in a recorded
// pass, by the constants of this build.
std::string ranges_table(const std::vector<ProfiledRecord>& records);

}  // namespace msci
