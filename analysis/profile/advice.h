// What bounds a launch, in a sentence, and what to try.
#pragma once

#include <string>

#include "analysis/profile/predict.h"

namespace msci {

// "bound by threadgroup memory: 8 turns of its banks for each one needed, most at line 41; pad the
// rows of the array by one element".
std::string advice_on(const LaunchProfile& launch, const LaunchPrediction& prediction);

}  // namespace msci
