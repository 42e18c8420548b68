#include "tests/bench/engine_and_c/processor_counters.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace msci {
namespace {

int open_counter(std::uint64_t event) {
  perf_event_attr attributes = {};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = event;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

double read_counter(int counter) {
  std::uint64_t count = 0;
  return ::read(counter, &count, sizeof count) == sizeof count ? static_cast<double>(count) : 0;
}

std::string reason(int error) {
  if (error == EACCES || error == EPERM)
    return "the system forbids it (set kernel.perf_event_paranoid to 2 or less)";
  if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV)
    return "this processor shows no counters, as in most virtual machines";
  return std::strerror(error);
}

}  // namespace

Result<std::unique_ptr<ProcessorCounters>> ProcessorCounters::open() {
  const int instructions = open_counter(PERF_COUNT_HW_INSTRUCTIONS);
  if (instructions < 0) return Error{reason(errno)};
  const int cycles = open_counter(PERF_COUNT_HW_CPU_CYCLES);
  if (cycles < 0) {
    const auto error = errno;
    ::close(instructions);
    return Error{reason(error)};
  }
  return std::unique_ptr<ProcessorCounters>(new ProcessorCounters(instructions, cycles));
}

ProcessorCounters::~ProcessorCounters() {
  ::close(instructions_);
  ::close(cycles_);
}

Counts ProcessorCounters::read() const {
  return {.instructions = read_counter(instructions_), .cycles = read_counter(cycles_)};
}

}  // namespace msci
