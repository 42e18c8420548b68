#include "evaluator/plan/file/plan_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "base/process/memory_size.h"

namespace msci {
namespace {

// A reference command finds buffers in files of their names, so a name must not be a path.
bool is_buffer_name(const std::string& name) {
  static const std::regex pattern("[A-Za-z_][A-Za-z0-9_.-]{0,63}");
  return std::regex_match(name, pattern);
}

// How a contract declares the buffer. A kernel may write what is not read-only.
std::string declaration_of(const BufferContents& contents, const Field& field, bool is_read_only) {
  const auto type = contents.is_struct ? std::string("struct") : contents.type;
  if (!is_read_only)
    return contents.is_struct || field.has("values") ? type : fmt::format("device {} *", type);
  const bool is_value =
      contents.is_struct || (field.has("values") && field.json->at("values").size() == 1);
  return is_value ? fmt::format("constant {} &", type) : fmt::format("device const {} *", type);
}

void read_buffers(PlanFieldReader& reader, const PlanDocument& document, const Size& size,
                  const Filling& filling, PlanInstance& instance) {
  const auto buffers = reader.member(document.root(), "buffers");
  if (!buffers.json->is_object())
    reader.report_error(buffers, "it must be an object of buffers by name");
  if (reader.failed()) return;
  const auto folder = document.folder();
  auto bytes_left = most_buffer_bytes();
  for (const auto& [name, field] : PlanFieldReader::members(buffers)) {
    if (!is_buffer_name(name))
      reader.report_error(field, fmt::format("'{}' is not a buffer's name; a name has up to 64 "
                                             "letters, digits, '_', '-' and '.', and begins "
                                             "with a letter or '_'",
                                             name));
    if (reader.failed()) return;
    auto made = read_contents(reader, name, field, size, filling, {folder, bytes_left});
    const auto read_only = reader.optional_member(field, "read_only");
    if (read_only && !read_only->json->is_boolean())
      reader.report_error(*read_only, "it must be true or false");
    const auto meaning = reader.optional_member(field, "meaning");
    BufferKind kind{.type = made.type, .declaration = "", .name = name};
    if (meaning) kind.meaning = reader.text(*meaning, "a few words");
    if (reader.failed()) return;
    kind.declaration = declaration_of(made, field, read_only && read_only->json->get<bool>());
    const auto bytes = made.size();
    if (bytes == 0) reader.report_error(field, "the buffer has no bytes");
    bytes_left -= std::min(bytes_left, bytes.value_or(0));
    instance.kinds.push_back(std::move(kind));
    instance.first_names[name] =
        instance.plan.add({.name = name,
                           .bytes = bytes.value_or(0),
                           .initial = std::move(made.bytes.data),
                           .open_type = made.is_filled ? std::string() : made.type});
  }
}

void read_pass(PlanFieldReader& reader, const PlanDocument& document, const Size& size,
               PlanInstance& instance) {
  const auto root = document.root();
  const auto repeat = reader.optional_member(root, "repeat");
  const auto rounds = repeat ? read_number(reader, *repeat, size) : 1;
  if (rounds == 0)
    reader.report_error(*repeat,
                        fmt::format("it is 0 at size {}; it must be positive", size.label));
  const auto field = reader.member(root, "launches");
  const auto launches = reader.elements(field, "a list of launches");
  if (launches.empty()) reader.report_error(root, "\"launches\" must have at least one");
  if (!reader.failed() && (rounds > most_launches ||
                           count_launches(reader, field, size, "round", rounds) > most_launches))
    reader.report_error(
        repeat.value_or(field),
        fmt::format("there are more than {} launches at size {}", most_launches, size.label));
  const auto swap = reader.optional_member(root, "swap");
  PassState state{.plan = instance.plan,
                  .names = instance.first_names,
                  .kinds = instance.kinds,
                  .clamped = instance.clamped};
  NumberScope scope(size);
  // A parameter of that name comes first.
  scope.indices.emplace_back("round", 0);
  for (std::uint64_t round = 0; round < rounds && !reader.failed(); ++round) {
    scope.indices.back().second = static_cast<std::int64_t>(round);
    read_launches(reader, field, scope, state);
    if (swap && !reader.failed()) swap_names(reader, *swap, instance.plan, state.names);
  }
  if (!reader.failed() && instance.plan.launches.empty())
    reader.report_error(field, fmt::format("nothing is launched at size {}", size.label));
  instance.last_names = std::move(state.names);
}

Extent clamped_to(Extent group, unsigned most) {
  if (group.y == 1 && group.z == 1) return {std::min(group.x, most)};
  while (group.count() > most) {
    unsigned& side = group.z > 1 ? group.z : group.y > 1 ? group.y : group.x;
    side /= 2;
  }
  return group;
}

}  // namespace

std::uint64_t most_buffer_bytes() {
  return std::min(std::uint64_t{physical_memory()} / 2, std::uint64_t{1} << 34);
}

PlanInstance read_instance(PlanFieldReader& reader, const PlanDocument& document, const Size& size,
                           const Filling& filling) {
  PlanInstance instance;
  read_buffers(reader, document, size, filling, instance);
  if (!reader.failed()) read_pass(reader, document, size, instance);
  if (reader.failed()) return instance;
  const auto expect = reader.optional_member(document.root(), "expect");
  if (!expect || !expect->json->is_object()) return instance;
  for (const auto& [name, field] : PlanFieldReader::members(*expect)) {
    const OrderedJson as_text = name;
    instance.plan.results.push_back(
        read_buffer(reader, {&as_text, field.pointer}, instance.last_names));
  }
  return instance;
}

Plan plan_for(const PlanInstance& instance, const Translation& program) {
  auto plan = instance.plan;
  for (const auto launch : instance.clamped) {
    const auto* kernel = program.find(plan.launches[launch].kernel);
    auto& group = plan.launches[launch].threadgroup;
    if (kernel && kernel->cap() > 0) group = clamped_to(group, kernel->cap());
  }
  return plan;
}

}  // namespace msci
