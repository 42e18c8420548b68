// The system calls that the sandbox denies.
#pragma once

namespace msci {

// Denies this process and its children, for good, what no driver needs and what reaches beyond the
// process: sockets, signals and limits of other processes, changes of files' owners and modes,
// shared memory that outlives the process, namespaces, mounts, kernel modules. A denied call fails
// with EACCES. False: this system cannot.
bool forbid_calls();

}  // namespace msci
