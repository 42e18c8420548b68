// The instances of a template that stand for all of them.
#pragma once

#include <vector>

#include "compiler/frontend/unit.h"

namespace msci {

// A library instantiates one template hundreds of times. Rules look at the first few: what they
// find in one, they find in the others at the same place.
constexpr unsigned most_of_one_template = 8;

// Whether rules look at this declaration: no instance of a template, or one of the first.
bool is_representative(const clang::Decl& declaration, const Unit& unit);

// The kernels that rules look at, in order of appearance.
const std::vector<Kernel>& representative_kernels(const Unit& unit);

}  // namespace msci
