// Writes files atomically.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace msci {

// Whether to wait, some milliseconds, until the file survives a power failure. Files that can be
// recreated need not wait. A file is whole in any case, even if its writer is killed, unless it
// belongs to another user.
enum class Sync { yes, no };

// Writes the text to a new file, which then replaces the file at `path`. An existing file keeps its
// owner, its permissions and its extended attributes, and a link stays a link. A file whose owner
// this user may not set is not replaced: the text is written over the old one, and if that fails,
// the error names a copy that holds it. Into a device, a FIFO or an open file (/dev/stdout,
// /dev/fd/3), the text is written, too. Errors: the file is read-only, or the system refuses.
[[nodiscard]] std::optional<Error> write_file(const std::string& path, std::string_view text,
                                              Sync sync = Sync::yes);

// The same where others may have put anything in the file's place: a link is replaced, not
// followed, and so are a FIFO and a read-only file. The new file has the usual permissions. Errors:
// a folder has that name, or the system refuses.
[[nodiscard]] std::optional<Error> replace_file(const std::string& path, std::string_view text,
                                                Sync sync = Sync::yes);

// What the file at `path` holds, for FileUpdate::before. Errors: it cannot be read.
Result<std::optional<std::string>> text_before_update(const std::string& path);

// New text for a file of the user.
struct FileUpdate {
  std::string path;
  std::optional<std::string> before;  // the text that was read; none: there was no file
  std::string_view program;           // "msci-lint", for the error
  std::string_view done = "written";  // with the text, for the error
};

// The error that update_file() would give because the file has changed. None: not until now.
std::optional<Error> changed_meanwhile(const FileUpdate& update);

// Writes the text as write_file() does, unless the file no longer holds what was read: then it
// stays as it is. No edit is lost, however another program makes it meanwhile, except where the
// file system cannot exchange two files, and in a file of another user: there, an edit in the
// instant between the comparison and the write would be. Errors: another program keeps it open for
// writing; "a.metal changed while msci-lint ran; not fixed", where two edits hit the same instant
// with the name of the second one's file, and as of write_file().
[[nodiscard]] std::optional<Error> update_file(const FileUpdate& update, std::string_view text,
                                               Sync sync = Sync::yes);

}  // namespace msci
