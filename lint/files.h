// Which files the arguments of a command stand for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lint/metal/result.h"

namespace msci {

// Whether what a folder holds is left out.
using Excluded = std::function<bool(const std::string& path)>;

struct Files {
  std::vector<std::string> names;
  std::vector<Error> errors;  // one for each folder without any source, or that cannot be read
};

// The files in the order of the arguments, each once. A folder stands for the .metal files in it
// and below, sorted by path; what is hidden or excluded there is left out, and links to folders are
// not followed. A file, or "-", stands for itself, whatever it is called.
Files expand(const std::vector<std::string>& arguments, const Excluded& excluded);

}  // namespace msci
