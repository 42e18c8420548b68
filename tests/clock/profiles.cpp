#include "tests/clock/profiles.h"

#include <fstream>

#include "base/json.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Extent, x, y, z)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Pressure, registers, blocks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchProfile, kernel, grid, threadgroup, weight, groups,
                                   counted, count_error, is_after_gap, simdgroups, work,
                                   active_lanes, chain, device_waits, threadgroup_waits,
                                   device_lines, device_sectors, used_bytes, core_misses,
                                   first_loads, first_stores, bank_cycles, atomic_turns, pressure,
                                   registers, thread_limit, private_bytes, threadgroup_bytes,
                                   loop_instructions, buffer_bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Profile, launches)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedTime, size, seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProfiledRecord, id, task, run, size, seconds, profile_seconds,
                                   times, profile)

Result<std::vector<ProfiledRecord>> read_profiles(const std::string& path) {
  std::ifstream file(path);
  std::vector<ProfiledRecord> records;
  for (std::string line; std::getline(file, line);) {
    auto json = parse_json<Json>(line);
    if (!json) return Error{path + ": " + json.error().message};
    records.push_back(json->get<ProfiledRecord>());
  }
  return records;
}

std::string to_line(const ProfiledRecord& record) { return Json(record).dump(); }

}  // namespace msci
