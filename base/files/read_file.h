// Reads text from outside: files, standard input, requests.
#pragma once

#include <string>

#include "base/result.h"
#include "base/source.h"

namespace msci {

// The most bytes of a source; the largest real kernels are a hundred times smaller.
constexpr std::size_t source_size_limit = std::size_t{16} << 20;

// The text of the file at `path`, or of standard input for "-". Errors, one line each: no such
// file, a directory, not a regular file, empty, not text (control characters), over
// source_size_limit.
Result<Source> read_source(const std::string& path);

// The same for a text in memory. Errors: empty, not text, over source_size_limit.
Result<Source> source_from(std::string name, std::string text);

}  // namespace msci
