// A running msci-worker: one process, its channel and its temporary folder.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/process/channel.h"
#include "base/process/child_process.h"
#include "base/process/temporary_folder.h"
#include "engine/device/device.h"
#include "engine/device/worker_protocol.h"

namespace msci {

// The end of the object ends the process with everything that it started.
class WorkerProcess {
 public:
  // Starts a worker program: "msci-worker". Errors: no such program (base/files/install_paths.h),
  // no process, no temporary folder.
  static Result<std::unique_ptr<WorkerProcess>> start(std::string_view program);

  // Sends a request to which ask() drops the reply, so that the worker carries it out beside the
  // caller; nothing if one of an earlier call may still run.
  void begin(const Json& request);

  // The worker's reply, or how the process ended; `doing` completes "it died while ...". `grace`:
  // how long a worker that stops itself at the limit may take to say so.
  Attempt<Json> ask(const Json& request, std::span<const Fd> files, std::chrono::milliseconds limit,
                    std::string_view doing, std::chrono::milliseconds grace = {});

 private:
  WorkerProcess(ChildProcess process, TemporaryFolder folder, Channel channel, Fd log)
      : folder_(std::move(folder)),
        channel_(std::move(channel)),
        log_(std::move(log)),
        process_(std::move(process)) {}

  Failure ended(std::string_view doing);
  std::string quoted_log() const;

  TemporaryFolder folder_;
  Channel channel_;
  Fd log_;
  unsigned begun_ = 0;    // requests of begin() whose replies were not received
  ChildProcess process_;  // last, so that it ends before its folder is removed
};

}  // namespace msci
