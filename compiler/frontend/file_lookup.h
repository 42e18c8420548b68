// What the compiler asked the disk for.
#pragma once

#include <string>

namespace msci {

// The path of a file or folder, whether it exists or not.
struct FileLookup {
  std::string path;
  bool was_read = false;  // not only looked for: it exists, and the source may read it

  auto operator<=>(const FileLookup&) const = default;
};

}  // namespace msci
