// What a process gives up for good before it runs untrusted kernels.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
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
// those allowed below, and the file system except `folder` (to write), the devices of drivers,
// and what drivers load (to read). New threads get large stacks. Call it before a driver is loaded
// and before a thread starts: it returns in another process where namespaces hold.
Confinement restrict_process(const std::filesystem::path& folder, Layers layers = {});

// Limits the address space to so many bytes more than this process has now: the driver of a GPU
// that was loaded to list its devices reserves more than any kernel needs. Without /proc there is
// no limit.
void limit_memory(std::size_t bytes);

// The system calls that the sandbox allows.

// Denies this process and its children, for good, every system call but those that drivers and the
// engine make: files, memory, threads, time, the devices of drivers, and programs of their own.
// Sockets, signals and limits of other processes, owners and modes of files, memory that outlives
// the process, namespaces, mounts and kernel modules are not among them. A denied call fails with
// EACCES. False: this system cannot.
bool forbid_other_calls();

// Namespaces of its own for a process that runs untrusted kernels.

// Continues this program in a child process that sees `visible`, read-only, and `folder` of the
// file system, and no process but those that it starts; it has no network, no other process's
// shared memory and no capabilities. This process stays behind and ends as the child ends; when it
// dies, the child and all that it started die, too. Call it before a thread starts. False: this
// system does not allow it, and this process goes on as it was.
bool enter_namespaces(std::span<const std::filesystem::path> visible,
                      const std::filesystem::path& folder);

}  // namespace msci
