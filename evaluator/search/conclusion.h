// What a search came to, in words.
#pragma once

#include <optional>
#include <string>

#include "evaluator/report/gate_record.h"
#include "evaluator/search/history.h"
#include "lint/metal/result.h"

namespace msci::search {

// Why no iteration has a candidate that was judged; none where one has, or where there was none but
// the seed.
std::optional<Error> made_nothing(const History& history);

// "best: iteration 4, score 0.1234, 2.61 times the seed's"; the seed itself where nothing was
// better.
std::string best_text(const History& history);

// "held out 512_10: generalises, 3.02 times the seed's speed (99 %: 2.97 to 3.06)".
std::string gate_text(const GateRecord& gate);

}  // namespace msci::search
