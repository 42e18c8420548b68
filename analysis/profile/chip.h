// Apple's GPUs, as far as a prediction needs them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace msci {

struct Chip {
  std::string_view name;      // "m1-pro"
  std::string_view title;     // "Apple M1 Pro", as Metal names the device
  double peak_flops = 0;      // single-precision operations a second, from the data sheet
  double dram_bandwidth = 0;  // bytes a second
  // What predictions need beside these.
  double clock = 0;  // cycles a second
  unsigned cores = 0;
  std::size_t system_cache = 0;  // bytes
};

// Limits that every core of every chip has.
constexpr unsigned schedulers = 4;
constexpr std::size_t register_file_bytes = 208 << 10;
constexpr std::size_t core_threadgroup_bytes = 60 << 10;
constexpr unsigned most_threads = 3072;
constexpr unsigned most_registers = 256;  // of 16 bits, of a thread

// Whose recorded times the model is fitted to.
constexpr std::string_view default_chip = "m1-pro";

// In the order of the benchmark's table.
std::span<const Chip> chips();
// The names of the chips that the model covers: "m1, m1-pro, ...".
std::string chip_names();
// Errors: an unknown name; it lists the known ones.
Result<const Chip*> find_chip(std::string_view name);

// The 16-bit registers that a thread can have in a kernel that declares that its threadgroups have
// at most so many threads; 0: it declares none.
unsigned registers_allowed(unsigned threads);

// The 16-bit registers that Apple's compiler may give a thread that needs `live` at once in the
// order of our own code: as many, or more where it lets iterations and loads overlap.
struct RegisterInterval {
  unsigned low = 0;
  unsigned high = 0;
};
RegisterInterval register_interval(unsigned live, unsigned threads = 0);

// How many threadgroups a core holds at once; at least one.
struct Occupancy {
  unsigned groups = 1;
  unsigned simdgroups = 1;
  enum class Limit { threads, registers, threadgroup_memory };
  Limit limit = Limit::threads;
};
Occupancy occupancy_of(unsigned registers, std::size_t threadgroup_bytes, unsigned simdgroups);

}  // namespace msci
