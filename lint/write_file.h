// The one way out to files.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "lint/metal/result.h"

namespace msci {

// Whether a file is to outlive a loss of power, which takes some milliseconds; what can be made again
// need not. It is whole either way, however its writer ends.
enum class Keep { through_power_loss, through_death };

// Puts the text into the file at `path`, all or nothing: into a new file beside it that then takes
// its place. A file that is there keeps its permissions, and a link stays one. Errors: the file is
// read-only, or the system says no.
Result<std::monostate> write_file(const std::string& path, std::string_view text,
                                  Keep keep = Keep::through_power_loss);

}  // namespace msci
