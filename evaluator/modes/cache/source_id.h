// Results carry the id of their source where files with equal texts share them. Where a result
// leaves for one file, it gets that file's name.
#pragma once

#include <string>

#include "evaluator/result/evaluation_result.h"

namespace msci {

// A name for a source that no other text mentions: it follows from `digest`, that of the text and
// all that its result depends on, so no source can hold it.
std::string source_id(const std::string& digest);

// The result of a source that was judged under its id, as that of the file: `file`, and the
// messages that name the source.
EvaluationResult named(EvaluationResult result, const std::string& file);

}  // namespace msci
