// The system calls that the sandbox allows.
#pragma once

namespace msci {

// Denies this process and its children, for good, every system call but those that drivers and the
// engine make: files, memory, threads, time, the devices of drivers, and programs of their own.
// Sockets, signals and limits of other processes, owners and modes of files, memory that outlives
// the process, namespaces, mounts and kernel modules are not among them. A denied call fails with
// EACCES. False: this system cannot.
bool forbid_other_calls();

}  // namespace msci
