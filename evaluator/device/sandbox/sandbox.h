// What a process gives up for good before it runs untrusted kernels.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace msci {

// Denies this process and its children new privileges, core dumps, files over 1 GiB, the calls of
// forbidden_calls.h, and the file system except `folder` (to write), the devices of drivers, and
// what drivers load (to read). New threads get large stacks. Call it before a driver is loaded.
// Returns what this system cannot deny, for a person: "the network (no seccomp)".
std::vector<std::string> restrict_process(const std::filesystem::path& folder);

// Limits the address space to so many bytes more than this process has now: the driver of a GPU
// that was loaded to list its devices reserves more than any kernel needs. Without /proc there is
// no limit.
void limit_memory(std::size_t bytes);

}  // namespace msci
