// Tells parts of a source that a host joins from faulty sources.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "lint/lint.h"

namespace msci {

// What the Metal files of folders define. Reads each folder once.
class Definitions {
 public:
  // The file beside `near`, in a folder below, or in the folder above, that defines the name;
  // nothing if there is none. Symbolic links are not followed. Folders of another owner are not
  // read, nor are those such as /tmp, to which all users may write and which have the sticky bit.
  std::optional<std::string> file_of(const std::string& name, const std::string& near);

 private:
  using ByName = std::map<std::string, std::string>;
  const ByName& of_folder(const std::string& folder);

  std::map<std::string, ByName> known_;
};

// The name that a message of the compiler does not know: "Fr" of "unknown type name 'Fr'"; empty
// for other messages.
std::string unknown_name(std::string_view message);

// Adds a note to the first finding about an unknown name that another file of the folder defines.
void hint_at_fragment(FileReport& report, Definitions& definitions);

}  // namespace msci
