// What a process gives up for good before it runs untrusted kernels.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace msci {

// How far a process is confined.
struct Confinement {
  std::vector<std::string> layers;       // that hold: "namespaces", "Landlock", "seccomp"
  std::vector<std::string> unsandboxed;  // what no layer denies here: "the network (no seccomp)"
};

// Which layers are tried. Each denies by itself what it can.
struct Layers {
  bool namespaces = true;
  bool landlock = true;
  bool seccomp = true;
};

// Denies this process and its children new privileges, core dumps, files over 1 GiB, all calls but
// those of allowed_calls.h, and the file system except `folder` (to write), the devices of drivers,
// and what drivers load (to read). New threads get large stacks. Call it before a driver is loaded
// and before a thread starts: it returns in another process where namespaces hold (namespaces.h).
Confinement restrict_process(const std::filesystem::path& folder, Layers layers = {});

// Limits the address space to so many bytes more than this process has now: the driver of a GPU
// that was loaded to list its devices reserves more than any kernel needs. Without /proc there is
// no limit.
void limit_memory(std::size_t bytes);

}  // namespace msci
