// The page of one candidate: what came of it, and its source with findings and profile.
#pragma once

#include <cstddef>
#include <string>

#include "search/report/html/html_table.h"
#include "search/report/summary.h"

namespace msci {

// The page of the candidate at that place in the summary. `title` is that of the report.
std::string candidate_page(const Summary& summary, std::size_t candidate, const std::string& title,
                           const CandidateLinks& links);

}  // namespace msci
