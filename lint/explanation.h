// What a rule knows about a diagnostic of the compiler. The compiler's message often says only
// where it stumbled. These functions put the rule's knowledge into the message itself, which all
// outputs show; notes are shown by some.
#pragma once

#include <string_view>

#include "lint/finding.h"

namespace msci {

// Puts an explanation before the compiler's message: "what is wrong (the compiler's message)".
void explain(Finding& finding, std::string_view explanation);
// Appends a remedy to the compiler's message: "the compiler's message; what to do".
void add_remedy(Finding& finding, std::string_view remedy);

}  // namespace msci
