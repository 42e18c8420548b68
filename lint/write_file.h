// The one way out to files.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "lint/metal/result.h"

namespace msci {

// Puts the text into the file at `path`, all or nothing: into a new file beside it that then takes
// its place. A file that is there keeps its permissions, and a link stays one. Errors: the file is
// read-only, or the system says no.
Result<std::monostate> write_file(const std::string& path, std::string_view text);

}  // namespace msci
