// The files that a source includes. In places of a unit, their lines follow those of the source,
// one file behind the other.
#pragma once

#include <deque>
#include <vector>

#include "frontend/unit.h"

namespace clang {
class SourceManager;
}

namespace msci {

// A file, and what the compiler has to say about it at places of its own.
struct IncludedFile {
  Source source;
  unsigned first_line = 0;  // in places of the unit
  std::vector<Diagnostic> diagnostics = {};
  Lines lines = Lines(source.text);

  unsigned last_line() const { return first_line + lines.at(source.text.size()).line - 1; }
};

// The files that places were located in until now.
const std::deque<IncludedFile>& included_files(const Unit& unit);

// A place of the unit as one of the file that it lies in.
struct LocalPlace {
  const IncludedFile* file = nullptr;  // null: the source
  Range range;
};
LocalPlace local_place(const Unit& unit, Range range);

// A place of an included file as one of the unit.
Range in_unit(const IncludedFile& file, Range range);

// While it lives, an included file stands for the unit's source: source(), diagnostics() and text()
// are those of the file.
class FileInFocus {
 public:
  FileInFocus(const Unit& unit, const IncludedFile& file);
  ~FileInFocus();
  FileInFocus(const FileInFocus&) = delete;
  FileInFocus& operator=(const FileInFocus&) = delete;

 private:
  const Unit& unit_;
};

// Whether a place lies in the user's text: in the source, or in an included file that is neither a
// header of Metal's nor in a system folder.
bool is_users(const clang::SourceManager& sources, clang::SourceLocation location);

}  // namespace msci
