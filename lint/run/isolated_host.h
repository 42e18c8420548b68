// Hosts are untrusted text, so they are read in a process of their own, once a run.
#pragma once

#include <memory>
#include <vector>

#include "base/process/isolated_process.h"
#include "lint/host/host.h"

namespace msci {

// Reads a host in an isolated process. A host that breaks the process says so in `Host::failure`.
// Needs at least one file. Errors: no process can be started.
Result<std::shared_ptr<const Host>> read_host_isolated(std::vector<Source> files,
                                                       const Limits& limits = {});

}  // namespace msci
