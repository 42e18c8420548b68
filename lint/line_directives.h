// `#line`: what a source calls the lines behind it.
#pragma once

#include "lint/lint.h"

namespace msci {

// Moves the findings behind `#line` directives to the files and lines that these name, for output:
// fixes, which change the text as it stands, are dropped there. The report gains a source for each
// of the named files, with the lines that findings mention.
void apply_line_directives(Report& report);

}  // namespace msci
