// Edits in words, for text, JSON and editors.
#pragma once

#include <string>

#include "lint/finding.h"

namespace msci {

// "line 3: replace 'restrict' with '__restrict'". The line is that of the edited words, not of the
// white space before them.
std::string edit_text(const Edit& edit, const Source& source);

// All edits of a fix, without lines: "replace 'restrict' with '__restrict', remove 'inline'".
std::string title_of(const Fix& fix, const Source& source);

}  // namespace msci
