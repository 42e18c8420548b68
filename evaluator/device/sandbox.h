// What a process gives up for good before it runs kernels that nobody has vetted.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace msci {

// Takes from this process and all that it starts: new privileges, core dumps, the network, the way
// out of its process group, signals to others, and the file system but for `folder` (to write), the
// devices, and what drivers load (to read). Gives the threads to come large stacks. Call it before
// anything of the driver's is loaded. Returns what this system cannot take, for a person: "the
// network"; those stay in reach.
std::vector<std::string> restrict_process(const std::filesystem::path& folder);

// At most so much address space from now on, in bytes on top of what there is: the driver of a GPU
// that is found on the way to a processor reserves more than any kernel needs. No limit where the
// system does not tell what there is.
void limit_memory(std::size_t bytes);

}  // namespace msci
