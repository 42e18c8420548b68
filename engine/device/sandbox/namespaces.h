// Namespaces of its own for a process that runs untrusted kernels.
#pragma once

#include <filesystem>
#include <span>

namespace msci {

// Continues this program in a child process that sees `visible`, read-only, and `folder` of the
// file system, and no process but those that it starts; it has no network, no other process's
// shared memory and no capabilities. This process stays behind and ends as the child ends; when it
// dies, the child and all that it started die, too. Call it before a thread starts. False: this
// system does not allow it, and this process goes on as it was.
bool enter_namespaces(std::span<const std::filesystem::path> visible,
                      const std::filesystem::path& folder);

}  // namespace msci
