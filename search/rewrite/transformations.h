// The transformations, each a function that finds where it applies.
#pragma once

#include <vector>

#include "search/rewrite/rewrite.h"

namespace msci::search {

std::vector<Rewrite> find_jams(const Unit& unit);
std::vector<Rewrite> find_elements(const Unit& unit);
std::vector<Rewrite> find_tiles(const Unit& unit);
std::vector<Rewrite> find_row_walks(const Unit& unit);
std::vector<Rewrite> find_bit_loops(const Unit& unit);
std::vector<Rewrite> find_unrolls(const Unit& unit);
std::vector<Rewrite> find_steps(const Unit& unit);
std::vector<Rewrite> find_vector_loads(const Unit& unit);
std::vector<Rewrite> find_hints(const Unit& unit);
std::vector<Rewrite> find_swaps(const Unit& unit);
std::vector<Rewrite> find_splits(const Unit& unit);
std::vector<Rewrite> find_peels(const Unit& unit);
std::vector<Rewrite> find_hoists(const Unit& unit);

std::vector<Rewrite> find_wraps(const Unit& unit);
std::vector<Rewrite> find_masks(const Unit& unit);
std::vector<Rewrite> find_quotients(const Unit& unit);
std::vector<Rewrite> find_reciprocals(const Unit& unit);
std::vector<Rewrite> find_fast_functions(const Unit& unit);
std::vector<Rewrite> find_precise_functions(const Unit& unit);

std::vector<Rewrite> find_restricts(const Unit& unit);
std::vector<Rewrite> find_constant_buffers(const Unit& unit);
std::vector<Rewrite> find_narrow_groups(const Unit& unit);
std::vector<Rewrite> find_wide_groups(const Unit& unit);

}  // namespace msci::search
