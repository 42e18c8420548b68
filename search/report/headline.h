// The first sentences of a report: what came of it, and where it is from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "search/report/summary.h"

namespace msci {

// "1 task", "2 tasks".
std::string plural(std::size_t count, std::string_view noun);

// A sentence for each task: "nbody: the best candidate, demo/04, has 1.96 times the seed's speed
// (99 %: 1.81 to 2.02); held out 2.36 times the seed's speed (99 %: 2.20 to 2.51): generalises." Of
// more than three tasks, one for all of them.
std::vector<std::string> conclusions(const Summary& summary);

// "12 candidates and 3 seeds on pthread-…; 1 candidate fits no task and enters no rate; 1 file
// could not be checked."
std::string headline(const Summary& summary);

}  // namespace msci
