// The moves of ChildProcess, which are the same natively and as a WebAssembly module.
#include <utility>

#include "base/process/child_process.h"

namespace msci {

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : process_(std::exchange(other.process_, 0)),
      own_group_(other.own_group_),
      ended_(std::move(other.ended_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(process_, other.process_);
  std::swap(own_group_, other.own_group_);
  std::swap(ended_, other.ended_);
  return *this;
}

}  // namespace msci
