// The source in a model's answer.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace msci {

// The Metal source in an answer: the longest closed fenced block that has no tag or is tagged
// metal, msl, cpp, c++ or c. Blocks with `kernel ` or `#include` take precedence. Errors: there is
// no such block, all are empty, or none is UTF-8 text. The messages are shown to the model.
Result<std::string> find_source(std::string_view answer);

}  // namespace msci
