#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tasks/plan/elements.h"
#include "tasks/plan/file/buffer_contents.h"
#include "tasks/plan/file/plan_instance.h"
#include "tasks/plan/program.h"

namespace msci {
namespace {

// The slots of a compute kernel in Metal.
constexpr unsigned buffer_slots = 31, texture_slots = 128, sampler_slots = 16;

Extent read_extent(PlanFieldReader& reader, const Field& field, const NumberScope& scope) {
  const auto sides = reader.elements(field, "one to three numbers");
  if (sides.empty() || sides.size() > 3)
    reader.report_error(field, "it must be one to three numbers");
  Extent extent;
  unsigned* const to[] = {&extent.x, &extent.y, &extent.z};
  for (std::size_t i = 0; i < sides.size() && i < 3; ++i) {
    *to[i] = read_unsigned(reader, sides[i], scope);
    if (*to[i] == 0) reader.report_error(sides[i], "there must be at least one thread");
  }
  return extent;
}

// A launch with `clamp` has the threads that its kernel allows.
void check_threads(PlanFieldReader& reader, const Field& field, const Extent& group,
                   bool is_clamped) {
  std::uint64_t threads = 1;
  for (const auto side : {group.x, group.y, group.z})
    threads = std::min<std::uint64_t>(threads * side, std::uint64_t{UINT32_MAX} + 1);
  if (is_clamped || threads <= threadgroup_thread_limit) return;
  reader.report_error(
      field, fmt::format("a threadgroup has at most {} threads in Metal, and this one {}{}",
                         threadgroup_thread_limit, threads > UINT32_MAX ? "more than " : "",
                         std::min<std::uint64_t>(threads, UINT32_MAX)));
}

// The index that is the field's key.
std::optional<unsigned> read_index(PlanFieldReader& reader, const std::string& key,
                                   const Field& field, unsigned slots = buffer_slots) {
  // "00" and "0" would be two keys for one index.
  for (unsigned index = 0; index < slots; ++index)
    if (key == std::to_string(index)) return index;
  reader.report_error(
      field, fmt::format("the index of a binding is a number from 0 to {}, in quotes", slots - 1));
  return std::nullopt;
}

void check_offset(PlanFieldReader& reader, const Field& field, std::size_t offset,
                  const PlanBuffer& buffer, const std::string& type) {
  const auto element = element_bytes(type).value_or(1);
  if (buffer.bytes > 0 && offset >= buffer.bytes)
    reader.report_error(field, fmt::format("the buffer has only {} bytes", buffer.bytes));
  else if (offset % element != 0)
    reader.report_error(
        field, fmt::format("{} is not a multiple of {}, the size of {}", offset, element, type));
}

// As Metal's setBytes; and of all launches together.
constexpr std::size_t most_inlined_bytes = 4096;
constexpr std::size_t most_inlined_bytes_of_all = std::size_t{16} << 20;

// Numbers that the launch itself binds, as setBytes does.
std::size_t read_inlined(PlanFieldReader& reader, const Field& field, unsigned index,
                         const NumberScope& scope, PassState& state) {
  reader.check_keys(field, {"type", "values", "name"});
  if (reader.failed()) return 0;
  auto made = read_values(reader, field, scope);
  if (made.bytes.empty()) reader.report_error(field, "the buffer has no bytes");
  if (made.bytes.size() > most_inlined_bytes)
    reader.report_error(field, fmt::format("a launch binds values of at most {} bytes, as Metal's "
                                           "setBytes does; declare a buffer",
                                           most_inlined_bytes));
  const auto given = reader.optional_member(field, "name");
  const auto name = given ? reader.text(*given, "a name") : fmt::format("value{}", index);
  if (reader.failed()) return 0;
  const std::string text(reinterpret_cast<const char*>(made.bytes.data()), made.bytes.size());
  const auto [known, is_new] =
      state.inlined.try_emplace(name + '\0' + made.type + '\0' + text, state.plan.buffers.size());
  if (!is_new) return known->second;
  state.inlined_bytes += text.size();
  if (state.inlined_bytes > most_inlined_bytes_of_all)
    reader.report_error(field, fmt::format("the values that all launches bind are more than {} MiB",
                                           most_inlined_bytes_of_all >> 20));
  const auto type = type_of_values(made.type, made.bytes.size() / *element_bytes(made.type));
  state.kinds.push_back(
      {.type = made.type,
       .declaration = fmt::format("constant {}{}", type, type.ends_with('*') ? "" : " &"),
       .name = name});
  return state.plan.add({.name = fmt::format("{} #{}", name, state.inlined.size()),
                         .bytes = made.bytes.size(),
                         .initial = std::move(made.bytes)});
}

// The index of a buffer that is bound as one.
std::size_t read_bound_buffer(PlanFieldReader& reader, const Field& field, const PassState& state) {
  const auto buffer = read_buffer(reader, field, state.names, state.kinds);
  if (!reader.failed() && state.kinds[buffer].texture)
    reader.report_error(field, "it is a texture; bind it by the launch's \"textures\"");
  return buffer;
}

// "functions 0: squashed, 2: bent": entries between them hold none.
std::string functions_of(const PlanBuffer& table) {
  std::string text = "functions";
  const char* before = " ";
  for (const auto& [at, name] : table.functions) {
    text += fmt::format("{}{}: {}", before, at / sizeof(std::uint32_t) - 1, name);
    before = ", ";
  }
  return text;
}

// A table of functions that the launch itself binds.
std::size_t read_table(PlanFieldReader& reader, const Field& field, PassState& state) {
  auto table = read_function_table(reader, field);
  if (reader.failed()) return 0;
  const auto [known, is_new] =
      state.inlined.try_emplace(field.json->dump(), state.plan.buffers.size());
  if (!is_new) return known->second;
  state.kinds.push_back(kind_of(table));
  return state.plan.add(std::move(table.buffer));
}

Binding read_binding(PlanFieldReader& reader, const Field& field, unsigned index,
                     const NumberScope& scope, PassState& state) {
  if (field.json->is_string())
    return {.index = index, .buffer = read_bound_buffer(reader, field, state)};
  if (field.has("functions")) return {.index = index, .buffer = read_table(reader, field, state)};
  if (field.has("values"))
    return {.index = index, .buffer = read_inlined(reader, field, index, scope, state)};
  if (!field.has("buffer")) {
    reader.check_keys(field, {"buffer", "offset", "type", "values", "name", "functions"});
    reader.report_error(field, "it needs one of the fields buffer, values and functions");
  }
  reader.check_keys(field, {"buffer", "offset"});
  const auto name = reader.member(field, "buffer");
  Binding binding{.index = index, .buffer = read_bound_buffer(reader, name, state)};
  const auto offset = reader.optional_member(field, "offset");
  if (!offset) return binding;
  binding.offset = read_number(reader, *offset, scope);
  if (!reader.failed())
    check_offset(reader, *offset, binding.offset, state.plan.buffers[binding.buffer],
                 state.kinds[binding.buffer].type);
  return binding;
}

void read_threadgroup_memory(PlanFieldReader& reader, const Field& field, const NumberScope& scope,
                             Launch& launch) {
  if (!field.json->is_object())
    return reader.report_error(field, "it must be an object like {\"0\": 1024}");
  std::size_t bytes = 0;
  for (const auto& [key, each] : PlanFieldReader::members(field)) {
    const auto index = read_index(reader, key, each);
    if (!index) return;
    launch.threadgroup_memory.push_back(
        {.index = *index, .bytes = read_number(reader, each, scope)});
    bytes += std::min(launch.threadgroup_memory.back().bytes, threadgroup_memory_limit + 1);
    if (bytes > threadgroup_memory_limit)
      reader.report_error(each, fmt::format("a threadgroup has at most {} bytes of memory",
                                            threadgroup_memory_limit));
  }
}

// The members of a launch's field: names by index.
std::vector<std::pair<std::string, Field>> bound_names(PlanFieldReader& reader, const Field& launch,
                                                       const std::string& key) {
  const auto field = reader.optional_member(launch, key);
  if (field && !field->json->is_object())
    reader.report_error(*field, "it must be an object like {\"0\": \"x\"}");
  if (!field || reader.failed()) return {};
  return PlanFieldReader::members(*field);
}

void read_bound_textures(PlanFieldReader& reader, const Field& field, const PassState& state,
                         Launch& launch) {
  for (const auto& [key, each] : bound_names(reader, field, "textures")) {
    const auto index = read_index(reader, key, each, texture_slots);
    const auto texture = read_buffer(reader, each, state.names, state.kinds);
    if (reader.failed()) return;
    if (!state.kinds[texture].texture)
      reader.report_error(each, "it is a buffer; bind it by the launch's \"bind\"");
    launch.bindings.push_back({.index = *index, .buffer = texture, .kind = ArgumentKind::texture});
  }
}

void read_bound_samplers(PlanFieldReader& reader, const Field& field, const PassState& state,
                         Launch& launch) {
  for (const auto& [key, each] : bound_names(reader, field, "samplers")) {
    const auto index = read_index(reader, key, each, sampler_slots);
    const auto name = reader.text(each, "a sampler's name");
    if (reader.failed()) return;
    const auto found = state.samplers.find(name);
    if (found == state.samplers.end())
      return reader.report_error(each, fmt::format("sampler '{}' not found in \"samplers\"", name));
    launch.bindings.push_back(
        {.index = *index, .buffer = found->second, .kind = ArgumentKind::sampler});
  }
}

// A field that is true or false; false if it is missing.
bool read_flag(PlanFieldReader& reader, const Field& field, const char* key) {
  const auto flag = reader.optional_member(field, key);
  if (flag && !flag->json->is_boolean()) reader.report_error(*flag, "it must be true or false");
  return !reader.failed() && flag && flag->json->get<bool>();
}

void read_launch(PlanFieldReader& reader, const Field& field, const NumberScope& scope,
                 PassState& state) {
  reader.check_keys(field, {"kernel", "grid", "threadgroup", "bind", "textures", "samplers",
                            "threadgroup_memory", "clamp", "concurrent", "times", "index", "if"});
  Launch launch;
  if (reader.failed()) return;
  launch.kernel = reader.text(reader.member(field, "kernel"), "a kernel's name");
  launch.grid = read_extent(reader, reader.member(field, "grid"), scope);
  const auto group = reader.member(field, "threadgroup");
  launch.threadgroup = read_extent(reader, group, scope);
  const auto clamp = reader.optional_member(field, "clamp");
  if (clamp && !clamp->json->is_boolean()) reader.report_error(*clamp, "it must be true or false");
  if (!reader.failed())
    check_threads(reader, group, launch.threadgroup, clamp && clamp->json->get<bool>());
  if (!field.has("textures")) reader.member(field, "bind");
  for (const auto& [key, each] : bound_names(reader, field, "bind"))
    if (const auto index = read_index(reader, key, each))
      launch.bindings.push_back(read_binding(reader, each, *index, scope, state));
  read_bound_textures(reader, field, state, launch);
  read_bound_samplers(reader, field, state, launch);
  if (reader.failed()) return;
  if (const auto memory = reader.optional_member(field, "threadgroup_memory"))
    read_threadgroup_memory(reader, *memory, scope, launch);
  const bool is_concurrent = read_flag(reader, field, "concurrent");
  launch.overlaps_previous = is_concurrent && state.may_overlap;
  state.may_overlap = is_concurrent;
  if (clamp && clamp->json->get<bool>()) state.clamped.push_back(state.plan.launches.size());
  state.launch_fields.push_back(field.pointer);
  state.plan.launches.push_back(std::move(launch));
}

// One time of an element of "launches".
void read_step(PlanFieldReader& reader, const Field& field, const NumberScope& scope,
               PassState& state) {
  if (field.has("launches")) {
    reader.check_keys(field, {"launches", "times", "index", "if"});
    return read_launches(reader, reader.member(field, "launches"), scope, state);
  }
  if (field.has("barrier")) {
    reader.check_keys(field, {"barrier", "times", "index", "if"});
    if (read_flag(reader, field, "barrier")) state.may_overlap = false;
    return;
  }
  if (!field.has("swap")) return read_launch(reader, field, scope, state);
  reader.check_keys(field, {"swap", "times", "index", "if"});
  swap_names(reader, reader.member(field, "swap"), state);
}

// An element of "launches", as often as it says.
void read_repeated(PlanFieldReader& reader, const Field& field, const NumberScope& scope,
                   PassState& state) {
  const auto times = reader.optional_member(field, "times");
  const auto index = reader.optional_member(field, "index");
  const auto condition = reader.optional_member(field, "if");
  const auto count = times ? read_number(reader, *times, scope) : 1;
  auto inner = scope;
  if (index) {
    const auto name = reader.text(*index, "the name of the loop's index");
    if (!times) reader.report_error(*index, "an index needs \"times\"");
    if (scope.has(name))
      reader.report_error(*index, fmt::format("'{}' has a meaning here already", name));
    inner.indices.emplace_back(name, 0);
  }
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
    if (index) inner.indices.back().second = static_cast<std::int64_t>(i);
    if (!condition || read_integer(reader, *condition, inner) != 0)
      read_step(reader, field, inner, state);
  }
}

// Whether a formula of "times" or "if" in the field, or below it, may use the name.
bool uses_name(const OrderedJson& json, std::string_view name) {
  if (json.is_array())
    return std::ranges::any_of(json, [&](const auto& each) { return uses_name(each, name); });
  if (!json.is_object()) return false;
  const auto has_name = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() &&
           found->template get_ref<const std::string&>().find(name) != std::string::npos;
  };
  return has_name("times") || has_name("if") ||
         (json.contains("launches") && uses_name(json["launches"], name));
}

std::size_t count_of_all(std::size_t each, std::uint64_t times) {
  if (each > 0 && times > most_launches / each) return most_launches + 1;
  return static_cast<std::size_t>(each * times);
}

// The steps of `count_one` repeated, which get the index where they need it.
template <typename CountOne>
std::size_t count_repeated(PlanFieldReader& reader, const NumberScope& scope,
                           std::string_view index, std::uint64_t times, bool uses_index,
                           CountOne count_one) {
  if (times == 0) return 0;
  auto inner = scope;
  if (!index.empty()) inner.indices.emplace_back(index, 0);
  if (!uses_index) return count_of_all(count_one(inner), times);
  std::size_t steps = 0;
  for (std::uint64_t i = 0; i < times && steps <= most_launches && !reader.failed(); ++i) {
    inner.indices.back().second = static_cast<std::int64_t>(i);
    steps += count_one(inner);
  }
  return std::min(steps, most_launches + 1);
}

std::size_t count_element(PlanFieldReader& reader, const Field& field, const NumberScope& scope) {
  const auto times = reader.optional_member(field, "times");
  const auto condition = reader.optional_member(field, "if");
  const auto launches = reader.optional_member(field, "launches");
  const auto index = field.has("index") && field.json->at("index").is_string()
                         ? field.json->at("index").get<std::string>()
                         : std::string();
  const auto count_one = [&](const NumberScope& inner) -> std::size_t {
    if (!launches || (condition && read_integer(reader, *condition, inner) == 0)) return 1;
    return 1 + count_launches(reader, *launches, inner, "", 1);
  };
  const bool uses_index =
      !index.empty() &&
      ((launches && uses_name(*launches->json, index)) ||
       (condition && condition->json->is_string() &&
        condition->json->get_ref<const std::string&>().find(index) != std::string::npos));
  const auto count = times ? read_number(reader, *times, scope) : 1;
  const auto steps = count_repeated(reader, scope, index, count, uses_index, count_one);
  if (steps > most_launches)
    reader.report_error(
        times.value_or(field),
        fmt::format("there are more than {} launches at size {}", most_launches, scope.size.label));
  return steps;
}

}  // namespace

BufferKind kind_of(const FunctionTable& table) {
  return {.type = "uint",
          .declaration = "visible_function_table",
          .name = table.buffer.name,
          .meaning = functions_of(table.buffer),
          .function_fields = table.fields};
}

std::size_t count_launches(PlanFieldReader& reader, const Field& field, const NumberScope& scope,
                           std::string_view index, std::uint64_t times) {
  const bool uses_index = !index.empty() && uses_name(*field.json, index);
  return count_repeated(
      reader, scope, index, times, uses_index, [&](const NumberScope& inner) -> std::size_t {
        std::size_t steps = 0;
        for (const auto& each : reader.elements(field, "a list of launches")) {
          if (reader.failed()) break;
          steps = std::min(steps + count_element(reader, each, inner), most_launches + 1);
        }
        return steps;
      });
}

std::size_t read_buffer(PlanFieldReader& reader, const Field& field, const BufferNames& names,
                        const std::vector<BufferKind>& kinds) {
  const auto name = reader.text(field, "a buffer's name");
  if (const auto found = names.find(name); found != names.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [each, index] : names) known.push_back(each);
  const bool has_textures =
      std::ranges::any_of(kinds, [](const BufferKind& kind) { return kind.texture.has_value(); });
  reader.report_error(
      field,
      fmt::format("{} '{}' not found; {} {}", has_textures ? "buffer or texture" : "buffer", name,
                  has_textures ? "\"buffers\" and \"textures\" have" : "\"buffers\" has",
                  fmt::join(known, ", ")));
  return 0;
}

void read_launches(PlanFieldReader& reader, const Field& field, const NumberScope& scope,
                   PassState& state) {
  for (const auto& each : reader.elements(field, "a list of launches"))
    if (!reader.failed()) read_repeated(reader, each, scope, state);
}

void swap_names(PlanFieldReader& reader, const Field& swap, PassState& state) {
  auto& names = state.names;
  for (const auto& each : reader.elements(swap, "a list of pairs of names")) {
    const auto both = reader.elements(each, "a pair of names");
    if (both.size() != 2) reader.report_error(each, "it must be a pair of names, [\"u\", \"v\"]");
    if (reader.failed()) return;
    const auto a = read_buffer(reader, both[0], names, state.kinds);
    const auto b = read_buffer(reader, both[1], names, state.kinds);
    if (reader.failed()) return;
    const auto& plan = state.plan;
    if (state.kinds[a].texture != state.kinds[b].texture)
      reader.report_error(each,
                          "textures that change places must have the same kind, format and "
                          "sizes");
    // The length of a file is unknown until it is read.
    if (plan.buffers[a].bytes != plan.buffers[b].bytes && plan.buffers[a].bytes > 0 &&
        plan.buffers[b].bytes > 0)
      reader.report_error(each, "buffers that change places must be equally long");
    std::swap(names[both[0].json->get<std::string>()], names[both[1].json->get<std::string>()]);
  }
}

}  // namespace msci
