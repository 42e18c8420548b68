// Profiles of recorded kernels, in a file: one JSON object a line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/profile/profile.h"
#include "base/result.h"
#include "tests/agreement/records.h"

namespace msci {

// A recorded kernel at one size.
struct ProfiledRecord {
  std::string id;  // "lbm-r05-03"
  std::string task;
  std::string run;  // kernels of one run were recorded together
  std::string size;
  double seconds = 0;               // of a pass, as recorded
  double profile_seconds = 0;       // that the profile took
  std::vector<RecordedTime> times;  // of the kernel at all sizes, also those without a profile
  Profile profile;
};

Result<std::vector<ProfiledRecord>> read_profiles(const std::string& path);

// Its line in the file.
std::string to_line(const ProfiledRecord& record);

// Adds the profiles of the right candidates of `records` that the file lacks, at the sizes that
// their tasks have. Where a task is a plan file, post.metal beside it has kernels that its launches
// add to those that were recorded; they are not profiled. Errors: a kernel that cannot be profiled
// is told on standard error and left out.
[[nodiscard]] std::optional<Error> add_profiles(const std::string& records,
                                                const std::string& path);

}  // namespace msci
