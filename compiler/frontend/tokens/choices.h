// `c ? a : b` between objects in different address spaces.
#pragma once

#include <vector>

#include "compiler/frontend/tokens/tokens.h"

namespace msci {

// Makes values of both operands of the mixed choices, which C++ cannot unite as objects, and of all
// choices that may be mixed for other types. Without a mixed choice, only those in templates are
// written anew whose value is assigned and that may take an element or a member:
//   c ? a : b  →  c ? static_cast<$plain_of<decltype(a)>>(a) :
//   static_cast<$plain_of<decltype(b)>>(b)
std::vector<clang::Token> unite_choices(clang::Preprocessor& preprocessor,
                                        std::vector<clang::Token> tokens,
                                        const MixedChoices& choices);

}  // namespace msci
