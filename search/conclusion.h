// The result of a search, in words.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "evaluator/result/gate_result.h"
#include "search/history.h"

namespace msci::search {

// Why no candidate was judged; nothing if one was, or without an iteration.
[[nodiscard]] std::optional<Error> made_nothing(const History& history);

// "score 0.1234  *": the score of an iteration, with a star if it became the incumbent, or the
// reason for having none.
std::string score_text(const Record& record);

// "10 iterations: 62.1 s in generators and judges; 12345 tokens read, 678 written; cost 0.12".
std::string totals_text(const History& history);

// "best: iteration 4, score 0.1234 (the seed: 0.0472), 2.58 times the seed's speed (99 %: 2.51 to
// 2.66)"; the ratio only where the two were measured in turns. The seed itself if nothing was
// better.
std::string best_text(const History& history);

// "held out 512_10: generalises, 3.02 times the seed's speed (99 %: 2.97 to 3.06)".
std::string gate_text(const GateResult& gate);

}  // namespace msci::search
