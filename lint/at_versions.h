// What lint says about a source at several versions of Metal.
#pragma once

#include <functional>
#include <span>

#include "lint/lint.h"

namespace msci {

// A report at one version.
struct VersionReport {
  FileReport report;
  // Whether the source, or a file that it includes, names __METAL_VERSION__.
  bool asks_version = false;
};

using ExamineAt = std::function<Result<VersionReport>(LanguageVersion)>;

// One report for all versions (oldest first, at least one): each finding once, with the versions at
// which it holds. What is not a finding comes from the newest version. A source that does not ask
// for its version is not examined between two versions that say the same, unless the generic
// address space begins between them: everything else that Metal adds, it keeps. Errors: those of
// `examine`.
Result<FileReport> examine_at_versions(std::span<const LanguageVersion> versions,
                                       const ExamineAt& examine);

// "metal2.3 to metal3.0, metal4.1", or "all versions" for those of the report; empty where the
// finding was not looked for at several versions.
std::string versions_text(const Finding& finding);

// The message, with these versions in parentheses.
std::string message_with_versions(const Finding& finding);

}  // namespace msci
