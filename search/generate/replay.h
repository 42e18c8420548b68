// Recorded answers.
#pragma once

#include <string>

#include "base/result.h"

namespace msci::search {

// The answer of that iteration: from a search's folder its NN_response.md; from a file of one JSON
// object a line (plain or gzip), whose fields are id ("RUN-03") and source, the source in a block.
// Errors: unreadable, or nothing was recorded.
Result<std::string> recorded_answer(const std::string& from, const std::string& run,
                                    unsigned iteration);

}  // namespace msci::search
