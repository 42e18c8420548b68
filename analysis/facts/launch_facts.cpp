#include "analysis/facts/launch_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/scalar.h"

namespace msci::prover {
namespace {

// Scalars and structs of parameters. What is longer is data: a proof is about all data.
constexpr std::size_t most_known_bytes = 256;

// Of a buffer with one parameter or a few, all; of one in which parameters lie side by side, the
// bound one, if its type is known.
std::vector<std::byte> contents_of(const PlanBuffer& buffer, std::size_t offset,
                                   const KernelArgument& argument) {
  auto bytes = buffer.bytes - offset;
  if (buffer.bytes > most_known_bytes) {
    const auto scalar = scalar_of(argument.type);
    if (offset == 0 || !scalar || !argument.constant) return {};
    bytes = std::min(bytes, scalar->bytes * lanes_of(argument.type));
  }
  std::vector<std::byte> contents(bytes);
  for (std::size_t i = 0; i < bytes && offset + i < buffer.initial.size(); ++i)
    contents[i] = buffer.initial[offset + i];
  return contents;
}

// Whether nothing writes the buffer before or between the launches of the plan.
bool keeps_contents(const Plan& plan, const Translation& translation, std::size_t buffer) {
  const auto& contents = plan.buffers[buffer];
  if (contents.poison || !contents.pointers.empty() || !contents.functions.empty()) return false;
  return std::none_of(plan.launches.begin(), plan.launches.end(), [&](const Launch& launch) {
    const auto* kernel = translation.find(launch.kernel);
    if (!kernel || kernel->anywhere) return true;
    return std::any_of(launch.bindings.begin(), launch.bindings.end(), [&](const Binding& each) {
      if (each.buffer != buffer) return false;
      for (std::size_t i = 0; i < kernel->arguments.size() && i < kernel->objects.size(); ++i)
        if (kernel->arguments[i].kind == each.kind && kernel->arguments[i].index == each.index)
          return kernel->objects[i].written;
      return false;
    });
  });
}

std::optional<BoundMemory> memory_of(const KernelArgument& argument, const Launch& launch,
                                     const Plan& plan, const Translation& translation) {
  if (argument.kind == ArgumentKind::threadgroup) {
    for (std::size_t i = 0; i < launch.threadgroup_memory.size(); ++i)
      if (launch.threadgroup_memory[i].index == argument.index)
        return BoundMemory{.bytes = launch.threadgroup_memory[i].bytes,
                           .memory = plan.buffers.size() + i};
    return std::nullopt;
  }
  for (const auto& each : launch.bindings) {
    if (each.kind != argument.kind || each.index != argument.index) continue;
    const auto& buffer = plan.buffers[each.buffer];
    if (each.offset > buffer.bytes) return std::nullopt;
    BoundMemory memory{
        .bytes = buffer.bytes - each.offset, .memory = each.buffer, .offset = each.offset};
    constexpr std::size_t widest = 16;
    const auto scalar = scalar_of(argument.type);
    memory.unit = scalar ? scalar->bytes * std::bit_ceil(lanes_of(argument.type)) : widest;
    if (buffer.variants.empty() && keeps_contents(plan, translation, each.buffer))
      if (auto contents = contents_of(buffer, each.offset, argument); !contents.empty())
        memory.contents = {std::move(contents)};
    return memory;
  }
  return std::nullopt;
}

std::optional<LaunchFacts> facts_of(const Launch& launch, const Plan& plan,
                                    const Translation& translation) {
  const auto* kernel = translation.find(launch.kernel);
  if (!kernel) return std::nullopt;
  LaunchFacts facts{.kernel = launch.kernel,
                    .grid = launch.grid,
                    .threadgroup = launch.threadgroup,
                    .launches = 1};
  for (const auto& argument : kernel->arguments) {
    auto memory = memory_of(argument, launch, plan, translation);
    if (!memory) return std::nullopt;
    facts.arguments.push_back(*std::move(memory));
  }
  return facts;
}

// Which arguments lead to one buffer, whatever its number.
std::vector<std::size_t> sharing(const LaunchFacts& facts) {
  std::vector<std::size_t> first;
  for (const auto& each : facts.arguments)
    first.push_back(static_cast<std::size_t>(
        std::find_if(facts.arguments.begin(), facts.arguments.end(),
                     [&](const BoundMemory& other) { return other.memory == each.memory; }) -
        facts.arguments.begin()));
  return first;
}

// Whether two launches differ in the contents of small memory only, if at all.
bool are_alike(const LaunchFacts& a, const LaunchFacts& b, bool with_contents) {
  if (a.kernel != b.kernel || !(a.grid == b.grid) || !(a.threadgroup == b.threadgroup) ||
      a.arguments.size() != b.arguments.size() || sharing(a) != sharing(b))
    return false;
  for (std::size_t i = 0; i < a.arguments.size(); ++i) {
    const auto &x = a.arguments[i], &y = b.arguments[i];
    if (x.contents.empty() != y.contents.empty()) return false;
    // Scalars often lie side by side in one buffer.
    const bool is_alike = x.contents.empty() ? x.bytes == y.bytes && x.offset == y.offset
                          : with_contents
                              ? x.contents == y.contents && x.offset == y.offset
                              : x.unit == y.unit && x.offset % x.unit == y.offset % y.unit;
    if (!is_alike) return false;
  }
  return true;
}

// What is known of both.
void join(LaunchFacts& all, const LaunchFacts& one) {
  all.launches += one.launches;
  for (std::size_t i = 0; i < all.arguments.size(); ++i) {
    auto& memory = all.arguments[i];
    const auto& other = one.arguments[i];
    memory.bytes = std::min(memory.bytes, other.bytes);
    for (const auto& each : other.contents)
      if (std::find(memory.contents.begin(), memory.contents.end(), each) == memory.contents.end())
        memory.contents.push_back(each);
  }
}

void add(std::vector<LaunchFacts>& all, const LaunchFacts& facts, bool with_contents) {
  const auto known = std::find_if(all.begin(), all.end(), [&](const LaunchFacts& each) {
    return are_alike(each, facts, with_contents);
  });
  if (known == all.end())
    all.push_back(facts);
  else
    join(*known, facts);
}

std::string extent_text(const Extent& extent) {
  auto text = std::to_string(extent.x);
  if (extent.y > 1 || extent.z > 1) text += fmt::format(" x {}", extent.y);
  if (extent.z > 1) text += fmt::format(" x {}", extent.z);
  return text;
}

}  // namespace

std::vector<LaunchFacts> facts_of(const Plan& plan, const Translation& translation) {
  // Each has a proof of its own, which knows its scalars, as long as there are few.
  constexpr std::size_t most_apart = 8;
  std::vector<LaunchFacts> all;
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    auto facts = facts_of(plan.launches[i], plan, translation);
    if (!facts) continue;
    facts->first = i;
    add(all, *facts, true);
  }
  if (all.size() <= most_apart) return all;
  std::vector<LaunchFacts> fewer;
  for (const auto& facts : all) add(fewer, facts, false);
  return fewer;
}

std::string describe(const LaunchFacts& facts) {
  return fmt::format("grid {}, threadgroups of {}", extent_text(facts.grid),
                     extent_text(facts.threadgroup));
}

}  // namespace msci::prover
