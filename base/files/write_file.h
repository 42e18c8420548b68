// Writes files atomically.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace msci {

// Whether to wait, some milliseconds, until the file survives a power failure. Files that can be
// recreated need not wait. A file is whole in any case, even if its writer is killed.
enum class Sync { yes, no };

// Writes the text to a new file, which then replaces the file at `path`. An existing file keeps its
// permissions, and a link stays a link. A device, a FIFO or an open file (/dev/stdout, /dev/fd/3)
// is not replaced; the text is written into it. Errors: the file is read-only, or the system
// refuses.
[[nodiscard]] std::optional<Error> write_file(const std::string& path, std::string_view text,
                                              Sync sync = Sync::yes);

// The same where others may have put anything in the file's place: a link is replaced, not
// followed, and so are a FIFO and a read-only file. The new file has the usual permissions. Errors:
// a folder has that name, or the system refuses.
[[nodiscard]] std::optional<Error> replace_file(const std::string& path, std::string_view text,
                                                Sync sync = Sync::yes);

}  // namespace msci
