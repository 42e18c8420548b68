// Results of linting as bytes, on their way from one process to another.
#pragma once

#include <string>
#include <string_view>

#include "lint/lint_and_fix.h"

namespace msci {

// What a file was: its canonical path and the hash of its text, "absent", or another word.
struct FileState {
  FileLookup file;
  std::string state;
};

// A result, and the files that it depends on.
struct KeptResult {
  std::vector<FileState> files;
  LintResult result;
};

std::string serialise(const Result<LintResult>& result);

std::string serialise(const KeptResult& kept);

std::string serialise(const Host& host);

// The result that was sent. Errors: also malformed bytes.
Result<LintResult> deserialise(std::string_view bytes);
Result<KeptResult> deserialise_kept(std::string_view bytes);
// The host that was sent. Errors: malformed bytes.
Result<Host> deserialise_host(std::string_view bytes);

}  // namespace msci
