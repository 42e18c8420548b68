// Reads what comes from outside: files, standard input, requests.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/source.h"

namespace msci {

// The most bytes of a source; the largest real kernels are a hundred times smaller.
constexpr std::size_t source_size_limit = std::size_t{16} << 20;

// The text of the file at `path`, or of standard input for "-". Errors, one line each: no such
// file, a directory, not a regular file, empty, not text (control characters), over
// source_size_limit.
Result<Source> read_source(const std::string& path);

// The contents of a file that may be empty or binary, at most `limit` bytes. It never waits for a
// writer. Errors: no such file, a directory, not a regular file, over the limit.
Result<std::vector<std::byte>> read_bytes(const std::string& path, std::size_t limit);
Result<std::string> read_text(const std::string& path, std::size_t limit);

// The same as read_source() for a text in memory. Errors: empty, not text, over source_size_limit.
Result<Source> source_from(std::string name, std::string text);

}  // namespace msci
