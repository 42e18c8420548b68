// Reports as GitLab's Code Quality, which it shows in merge requests.
#pragma once

#include <string>

#include "lint/format.h"

namespace msci {

// A JSON list with an object a finding: an error is "major", a warning "minor", a note "info". The
// fingerprint holds while lines move: it is made of the file, the rule, the message, the text of
// the line, and which of such findings it is. What could not be checked is not in it.
std::string to_gitlab(const Linting& linting);

}  // namespace msci
