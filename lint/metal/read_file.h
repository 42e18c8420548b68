// The way in for text from outside: files, standard input, and what somebody sends.
#pragma once

#include <string>

#include "lint/metal/result.h"
#include "lint/metal/source.h"

namespace msci {

// The most bytes that a source may have; the largest real kernels are a hundred times smaller.
constexpr std::size_t source_size_limit = std::size_t{16} << 20;

// The text of the file at `path`, or of standard input for "-". Errors, one line each: no such
// file, a directory, not a regular file, empty, not text (control characters), over
// source_size_limit.
Result<Source> read_source(const std::string& path);

// The same for a text that is here already. Errors: empty, not text, over source_size_limit.
Result<Source> source_from(std::string name, std::string text);

}  // namespace msci
