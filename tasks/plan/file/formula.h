// Formulas of a plan file: "4*n + 1", "ceil(n / 256)", "1 << stage", "n > 64 ? 2 : 1".
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/result.h"

namespace msci {

// The value of a name. Errors: an unknown name, for a person.
using FindValue = std::function<Result<std::int64_t>(std::string_view name)>;

// The value of a formula of integers and names, with C's operators and precedence: + - * / % << >>
// < <= > >= == != && || ! ?: and parentheses, and the functions min, max, log2 (rounded down) and
// ceil, which rounds the quotient that it gets up. `/` rounds towards zero; a comparison is 0 or 1.
// Only the chosen part of ?:, && and || may be without a value. Errors: those of `find`, a formula
// that is none, a division by zero, and a number beyond 63 bits.
Result<std::int64_t> evaluate_formula(std::string_view text, const FindValue& find);

}  // namespace msci
