// The best kernels of a report, with what they change of their seeds.
#pragma once

#include <string>

#include "search/report/html/html_table.h"
#include "search/report/summary.h"

namespace msci {

// A section for the best candidate of each task whose source is at hand: a diff to its seed, and
// the whole text. Empty without one, and with more tasks than a page can show.
std::string best_kernels(const Summary& summary, const CandidateLinks& links);

}  // namespace msci
