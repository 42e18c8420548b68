#include "evaluator/plan/file/plan_launches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "evaluator/plan/elements.h"
#include "evaluator/plan/file/plan_numbers.h"

namespace msci {
namespace {

constexpr unsigned largest_index = 30;  // Metal has 31 buffer slots

Extent read_extent(PlanFieldReader& reader, const Field& field, const Size& size) {
  const auto sides = reader.elements(field, "one to three numbers");
  if (sides.empty() || sides.size() > 3)
    reader.report_error(field, "it must be one to three numbers");
  Extent extent;
  unsigned* const to[] = {&extent.x, &extent.y, &extent.z};
  for (std::size_t i = 0; i < sides.size() && i < 3; ++i) {
    *to[i] = read_unsigned(reader, sides[i], size);
    if (*to[i] == 0) reader.report_error(sides[i], "there must be at least one thread");
  }
  return extent;
}

// The index that is the field's key.
std::optional<unsigned> read_index(PlanFieldReader& reader, const std::string& key,
                                   const Field& field) {
  const bool is_number =
      !key.empty() && key.size() < 3 &&
      std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (is_number && std::stoul(key) <= largest_index) return static_cast<unsigned>(std::stoul(key));
  reader.report_error(field, "the index of a binding is a number from 0 to 30, in quotes");
  return std::nullopt;
}

void check_offset(PlanFieldReader& reader, const Field& field, std::size_t offset,
                  const PlanBuffer& buffer, const std::string& type) {
  const auto element = *element_bytes(type);
  if (offset >= buffer.bytes)
    reader.report_error(field, fmt::format("the buffer has only {} bytes", buffer.bytes));
  else if (offset % element != 0)
    reader.report_error(
        field, fmt::format("{} is not a multiple of {}, the size of {}", offset, element, type));
}

Binding read_binding(PlanFieldReader& reader, const Field& field, unsigned index, const Plan& plan,
                     const BufferNames& names, const BufferTypes& types, const Size& size) {
  if (field.json->is_string()) return {.index = index, .buffer = read_buffer(reader, field, names)};
  reader.check_keys(field, {"buffer", "offset"});
  const auto name = reader.member(field, "buffer");
  Binding binding{.index = index, .buffer = read_buffer(reader, name, names)};
  const auto offset = reader.optional_member(field, "offset");
  if (!offset) return binding;
  binding.offset = read_number(reader, *offset, size);
  if (!reader.failed())
    check_offset(reader, *offset, binding.offset, plan.buffers[binding.buffer],
                 types.at(name.json->get<std::string>()));
  return binding;
}

}  // namespace

std::size_t read_buffer(PlanFieldReader& reader, const Field& field, const BufferNames& names) {
  const auto name = reader.text(field, "a buffer's name");
  if (const auto found = names.find(name); found != names.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [each, index] : names) known.push_back(each);
  reader.report_error(field, fmt::format("buffer '{}' not found; \"buffers\" has {}", name,
                                         fmt::join(known, ", ")));
  return 0;
}

Launch read_launch(PlanFieldReader& reader, const Field& field, const Plan& plan,
                   const BufferNames& names, const BufferTypes& types, const Size& size) {
  reader.check_keys(field, {"kernel", "grid", "threadgroup", "bind", "threadgroup_memory"});
  Launch launch;
  if (reader.failed()) return launch;
  launch.kernel = reader.text(reader.member(field, "kernel"), "a kernel's name");
  launch.grid = read_extent(reader, reader.member(field, "grid"), size);
  launch.threadgroup = read_extent(reader, reader.member(field, "threadgroup"), size);
  const auto bind = reader.member(field, "bind");
  if (!bind.json->is_object())
    reader.report_error(bind, "it must be an object like {\"0\": \"x\"}");
  if (reader.failed()) return launch;
  for (const auto& [key, each] : PlanFieldReader::members(bind))
    if (const auto index = read_index(reader, key, each))
      launch.bindings.push_back(read_binding(reader, each, *index, plan, names, types, size));
  if (const auto memory = reader.optional_member(field, "threadgroup_memory"))
    for (const auto& [key, each] : PlanFieldReader::members(*memory))
      if (const auto index = read_index(reader, key, each))
        launch.threadgroup_memory.push_back(
            {.index = *index, .bytes = read_number(reader, each, size)});
  return launch;
}

void swap_names(PlanFieldReader& reader, const Field& swap, const Plan& plan, BufferNames& names) {
  for (const auto& each : reader.elements(swap, "a list of pairs of names")) {
    const auto both = reader.elements(each, "a pair of names");
    if (both.size() != 2) reader.report_error(each, "it must be a pair of names, [\"u\", \"v\"]");
    if (reader.failed()) return;
    const auto a = read_buffer(reader, both[0], names), b = read_buffer(reader, both[1], names);
    if (reader.failed()) return;
    if (plan.buffers[a].bytes != plan.buffers[b].bytes)
      reader.report_error(each, "buffers that change places must be equally long");
    std::swap(names[both[0].json->get<std::string>()], names[both[1].json->get<std::string>()]);
  }
}

}  // namespace msci
