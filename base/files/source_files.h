// Expands the arguments of a command to source files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace msci {

// What excludes a file or folder: "--exclude", the path of a configuration; empty if it counts.
using Excluded = std::function<std::string(const std::string& path, bool is_folder)>;

struct Files {
  std::vector<std::string> names;
  std::vector<Error> errors;  // one for each folder without sources, or that cannot be read
};

// Whether a file in a folder is a source although it does not end in .metal.
using IsSource = std::function<bool(const std::string& path)>;

// The files in the order of the arguments, each once. A folder stands for the .metal files in it
// and below, and for others that are sources (`also`), sorted by path, without hidden and excluded
// ones; links to folders are not followed. A file, or "-", stands for itself, whatever its name is.
// With `force`, an argument is left out if it is excluded, or a folder in its path is: tools such
// as pre-commit pass names of files that the user did not choose.
Files expand(const std::vector<std::string>& arguments, const Excluded& excluded,
             bool force = false, const IsSource& also = nullptr);

}  // namespace msci
