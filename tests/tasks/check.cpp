#include "check.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace msci {

Translation program_for(const Task& task, unsigned cap) {
  Translation program;
  for (const KernelContract& kernel : task.kernels) {
    const std::string name(kernel.name);
    program.kernels.push_back({.name = name, .symbol = name, .thread_limit = cap});
  }
  return program;
}

const Task& the_task(std::string_view name) {
  const auto found = find_task(name);
  if (!found) std::abort();
  return **found;
}

std::vector<Size> all_sizes(const Task& task) {
  auto sizes = task.sizes;
  if (task.held_out) sizes.push_back(*task.held_out);
  return sizes;
}

Size the_size(const Task& task, std::string_view label) {
  for (const Size& size : all_sizes(task))
    if (size.label == label) return size;
  std::abort();
}

std::string test_name(std::string_view task, std::string_view label) {
  return fmt::format("{}_{}", task, label);
}

Plan plan_of(const Task& task, const Size& size) {
  auto plan = task.plan(size, program_for(task));
  if (!plan) std::abort();
  return *std::move(plan);
}

const Bytes& start_of(const Plan& plan, std::string_view buffer) {
  const auto found = std::find_if(plan.buffers.begin(), plan.buffers.end(),
                                  [&](const PlanBuffer& each) { return each.name == buffer; });
  if (found == plan.buffers.end()) std::abort();
  return found->initial;
}

unsigned number_at(const Plan& plan, std::size_t launch, unsigned index) {
  for (const Binding& binding : plan.launches[launch].bindings) {
    if (binding.index != index) continue;
    unsigned number = 0;
    std::memcpy(&number, &plan.buffers[binding.buffer].initial[binding.offset], sizeof number);
    return number;
  }
  std::abort();
}

std::string crc32_of(std::span<const std::byte> bytes) {
  return fmt::format("{:08x}",
                     crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

double sum_of(std::span<const std::byte> floats) {
  double sum = 0;
  for (std::size_t i = 0; i < floats.size() / sizeof(float); ++i) sum += float_at(floats, i);
  return sum;
}

float float_at(std::span<const std::byte> floats, std::size_t index) {
  float value = 0;
  std::memcpy(&value, &floats[index * sizeof(float)], sizeof value);
  return value;
}

Bytes bytes_of(std::span<const float> floats) { return Bytes::of(floats); }

}  // namespace msci
