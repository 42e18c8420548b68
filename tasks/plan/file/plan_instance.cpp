#include "tasks/plan/file/plan_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "base/process/memory_size.h"
#include "tasks/plan/bindings.h"
#include "tasks/plan/elements.h"
#include "tasks/plan/file/texture/texture_contents.h"

namespace msci {
namespace {

// A reference command finds buffers in files of their names, so a name must not be a path.
bool is_buffer_name(const std::string& name) {
  static const std::regex pattern("[A-Za-z_][A-Za-z0-9_.-]{0,63}");
  return std::regex_match(name, pattern);
}

// How a contract declares the buffer. A kernel may write what is not read-only.
std::string declaration_of(const BufferContents& contents, const Field& field, bool is_read_only) {
  const auto elements = contents.bytes.size() / element_bytes(contents.type).value_or(1);
  const auto type = contents.is_struct    ? fmt::format("struct of {} bytes", *contents.size())
                    : field.has("values") ? type_of_values(contents.type, elements)
                                          : contents.type + " *";
  const bool is_value = !type.ends_with('*');
  if (!is_read_only) return is_value ? type : "device " + type;
  return is_value ? fmt::format("constant {} &", type) : "device const " + type;
}

// The members of a struct that are not numbers, before all names are known.
struct OpenStruct {
  std::size_t buffer = 0;
  std::vector<NamedMember> members;
  std::vector<std::pair<std::size_t, FunctionTable>> tables;
};

void add_tables(OpenStruct& open, PlanInstance& instance) {
  for (auto& [at, table] : open.tables) {
    auto& name = table.buffer.name;
    name = fmt::format("{} of {}", name, instance.plan.buffers[open.buffer].name);
    instance.kinds.push_back(kind_of(table));
    const auto added = instance.plan.add(std::move(table.buffer));
    instance.plan.buffers[open.buffer].pointers.push_back(
        {.at = at, .buffer = added, .read_only = true});
  }
  std::ranges::sort(instance.plan.buffers[open.buffer].pointers, {}, &PlanPointer::at);
}

// What the member names; none, and a reported error, if the file declares nothing of its kind so.
std::optional<std::size_t> find_named(PlanFieldReader& reader, const NamedMember& member,
                                      const PlanInstance& instance) {
  const auto wanted = to_string(member.kind);
  const auto& names =
      member.kind == ArgumentKind::sampler ? instance.samplers : instance.first_names;
  const auto found = names.find(member.name);
  if (found == names.end()) {
    reader.report_error(member.field,
                        fmt::format("{0} '{1}' not found in \"{0}s\"", wanted, member.name));
    return std::nullopt;
  }
  const bool is_texture = instance.kinds[found->second].texture.has_value();
  if (is_texture != (member.kind == ArgumentKind::texture)) {
    const auto kind = to_string(is_texture ? ArgumentKind::texture : ArgumentKind::buffer);
    reader.report_error(member.field,
                        fmt::format("'{0}' is a {1}, not a {2}; write {{\"{1}\": \"{0}\"}}",
                                    member.name, kind, wanted));
    return std::nullopt;
  }
  return found->second;
}

void connect(PlanFieldReader& reader, const NamedMember& member, std::size_t from,
             PlanInstance& instance) {
  const auto target = find_named(reader, member, instance);
  if (!target) return;
  auto& buffers = instance.plan.buffers;
  const auto& named = buffers[*target];
  if (member.kind == ArgumentKind::sampler) {
    auto& contents = buffers[from].initial;
    std::vector<std::byte> with_sampler(contents.begin(), contents.end());
    std::ranges::copy(named.initial, with_sampler.begin() + std::ptrdiff_t(member.at));
    contents = std::move(with_sampler);
    return;
  }
  if (named.bytes > 0 && member.offset >= named.bytes)
    return reader.report_error(member.offset_field, fmt::format("the buffer '{}' has only {} bytes",
                                                                member.name, named.bytes));
  buffers[from].pointers.push_back({.at = member.at,
                                    .buffer = *target,
                                    .offset = member.offset,
                                    .read_only = instance.kinds[*target].is_read_only});
}

void close_structs(PlanFieldReader& reader, std::vector<OpenStruct>& open, PlanInstance& instance) {
  for (const auto& each : open)
    for (const auto& member : each.members)
      if (!reader.failed()) connect(reader, member, each.buffer, instance);
  for (auto& each : open) add_tables(each, instance);
}

// The members of one of the fields of all things that launches bind, by name.
std::vector<std::pair<std::string, Field>> named_members(PlanFieldReader& reader,
                                                         const PlanDocument& document,
                                                         const std::string& key) {
  const auto all = reader.member(document.root(), key);
  if (!all.json->is_object())
    reader.report_error(all, fmt::format("it must be an object of {} by name", key));
  if (reader.failed()) return {};
  auto members = PlanFieldReader::members(all);
  for (const auto& [name, field] : members)
    if (!is_buffer_name(name))
      reader.report_error(
          field,
          fmt::format("'{}' is not a {}'s name; a name has up to 64 letters, digits, '_', '-' "
                      "and '.', and begins with a letter or '_'",
                      name, key.substr(0, key.size() - 1)));
  return members;
}

bool is_read_only(PlanFieldReader& reader, const Field& field) {
  const auto read_only = reader.optional_member(field, "read_only");
  if (read_only && !read_only->json->is_boolean())
    reader.report_error(*read_only, "it must be true or false");
  return !reader.failed() && read_only && read_only->json->get<bool>();
}

std::string meaning_of(PlanFieldReader& reader, const Field& field) {
  const auto meaning = reader.optional_member(field, "meaning");
  return meaning ? reader.text(*meaning, "a few words") : std::string();
}

void read_buffers(PlanFieldReader& reader, const PlanDocument& document, const Size& size,
                  const Filling& filling, std::uint64_t& bytes_left, PlanInstance& instance,
                  std::vector<OpenStruct>& open) {
  // A plan may have textures alone.
  if (document.root().has("textures") && !document.root().has("buffers")) return;
  const auto folder = document.folder();
  for (const auto& [name, field] : named_members(reader, document, "buffers")) {
    if (reader.failed()) return;
    auto made = read_contents(reader, name, field, size, filling, {folder, bytes_left});
    const bool read_only = is_read_only(reader, field);
    BufferKind kind{.type = made.type,
                    .declaration = "",
                    .name = name,
                    .meaning = meaning_of(reader, field),
                    .is_read_only = read_only};
    if (reader.failed()) return;
    kind.declaration = declaration_of(made, field, read_only);
    const auto bytes = made.size();
    if (bytes == 0) reader.report_error(field, "the buffer has no bytes");
    bytes_left -= std::min(bytes_left, bytes.value_or(0));
    instance.kinds.push_back(std::move(kind));
    if (!made.named_members.empty() || !made.tables.empty())
      open.push_back(
          {instance.plan.buffers.size(), std::move(made.named_members), std::move(made.tables)});
    instance.first_names[name] =
        instance.plan.add({.name = name,
                           .bytes = bytes.value_or(0),
                           .initial = std::move(made.bytes),
                           .poison = made.is_left_out,
                           .open_type = made.is_filled ? std::string() : made.type});
  }
}

void read_textures(PlanFieldReader& reader, const PlanDocument& document, const Size& size,
                   const Filling& filling, std::uint64_t& bytes_left, PlanInstance& instance) {
  if (!document.root().has("textures")) return;
  const auto folder = document.folder();
  for (const auto& [name, field] : named_members(reader, document, "textures")) {
    if (instance.first_names.contains(name))
      reader.report_error(field, fmt::format("a buffer has the name '{}', too; rename one", name));
    if (reader.failed()) return;
    auto made = read_texture(reader, name, field, size, filling, {folder, bytes_left});
    const bool read_only = is_read_only(reader, field);
    BufferKind kind{.type = "", .declaration = "", .name = name, .texture = made.shape};
    kind.meaning = meaning_of(reader, field);
    if (reader.failed()) return;
    kind.declaration = declaration_of(made.shape, read_only);
    kind.is_open_texture = !made.is_filled;
    kind.is_read_only = read_only;
    const auto bytes = texture_bytes(made.shape);
    bytes_left -= bytes;
    instance.kinds.push_back(std::move(kind));
    instance.first_names[name] =
        instance.plan.add({.name = name, .bytes = bytes, .initial = std::move(made.memory)});
  }
}

void read_samplers(PlanFieldReader& reader, const PlanDocument& document, PlanInstance& instance) {
  if (!document.root().has("samplers")) return;
  for (const auto& [name, field] : named_members(reader, document, "samplers")) {
    const auto sampler = read_sampler(reader, field);
    auto meaning = meaning_of(reader, field);
    if (reader.failed()) return;
    instance.kinds.push_back(
        {.type = "", .declaration = "sampler", .name = name, .meaning = std::move(meaning)});
    instance.samplers[name] =
        instance.plan.add_scalar(fmt::format("sampler {}", name), sampler_bits(sampler));
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
                  .samplers = instance.samplers,
                  .kinds = instance.kinds,
                  .clamped = instance.clamped,
                  .launch_fields = instance.launch_fields};
  NumberScope scope(size);
  // A parameter of that name comes first.
  scope.indices.emplace_back("round", 0);
  for (std::uint64_t round = 0; round < rounds && !reader.failed(); ++round) {
    scope.indices.back().second = static_cast<std::int64_t>(round);
    read_launches(reader, field, scope, state);
    if (swap && !reader.failed()) swap_names(reader, *swap, state);
  }
  if (!reader.failed() && instance.plan.launches.empty())
    reader.report_error(field, fmt::format("nothing is launched at size {}", size.label));
  instance.last_names = std::move(state.names);
}

// Each texture must be one that the kernel declares.
void check_textures(PlanFieldReader& reader, const PlanInstance& instance,
                    const Translation& program) {
  for (std::size_t i = 0; i < instance.plan.launches.size() && !reader.failed(); ++i) {
    const auto& launch = instance.plan.launches[i];
    const auto* kernel = program.find(launch.kernel);
    if (!kernel) continue;
    for (const auto& argument : kernel->arguments)
      for (const auto& binding : launch.bindings) {
        const auto& bound = instance.kinds[binding.buffer];
        if (!binds(binding, argument) || !bound.texture) continue;
        if (const auto reason = refuse_texture(*bound.texture, argument))
          reader.report_error(
              {nullptr, fmt::format("{}/textures/{}", instance.launch_fields[i], binding.index)},
              fmt::format("texture '{}' does not fit the parameter '{}' of {}, which is {}: {}; "
                          "change one of them",
                          bound.name, argument.name, kernel->name, argument.type, *reason));
      }
  }
}

// The types of functions that kernels expect in a table: those of the parameters that it is bound
// to. A struct that points to it may be any kernel's, so any table of the source may be meant.
std::vector<std::string> expected_types(const Plan& plan, std::size_t table,
                                        const Translation& program) {
  std::vector<std::string> types;
  for (const auto& launch : plan.launches)
    if (const auto* kernel = program.find(launch.kernel))
      for (const auto& argument : kernel->arguments)
        for (const auto& binding : launch.bindings)
          if (binding.buffer == table && binds(binding, argument))
            if (auto type = type_in_table(argument)) types.push_back(*std::move(type));
  return types;
}

// Each function of a table must be one that kernels can call through it.
void check_function_tables(PlanFieldReader& reader, const PlanInstance& instance,
                           const Translation& program) {
  if (program.kernels.empty()) return;
  const auto& plan = instance.plan;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const auto& functions = plan.buffers[i].functions;
    if (functions.empty()) continue;
    const auto types = expected_types(plan, i, program);
    for (std::size_t j = 0; j < functions.size() && !reader.failed(); ++j)
      if (const auto reason = refuse_function(functions[j].name, types, program.tables))
        reader.report_error({nullptr, instance.kinds[i].function_fields[j]}, *reason);
  }
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

std::size_t PlanInstance::data_bytes(std::size_t buffer) const {
  const auto& texture = kinds[buffer].texture;
  return texture ? encoded_bytes(*texture) : plan.buffers[buffer].bytes;
}

PlanInstance read_instance(PlanFieldReader& reader, const PlanDocument& document, const Size& size,
                           const Filling& filling) {
  PlanInstance instance;
  auto bytes_left = most_buffer_bytes();
  std::vector<OpenStruct> open;
  read_buffers(reader, document, size, filling, bytes_left, instance, open);
  if (!reader.failed()) read_textures(reader, document, size, filling, bytes_left, instance);
  if (!reader.failed()) read_samplers(reader, document, instance);
  if (!reader.failed()) close_structs(reader, open, instance);
  if (!reader.failed()) read_pass(reader, document, size, instance);
  if (reader.failed()) return instance;
  const auto expect = reader.optional_member(document.root(), "expect");
  if (!expect || !expect->json->is_object()) return instance;
  for (const auto& [name, field] : PlanFieldReader::members(*expect)) {
    const OrderedJson as_text = name;
    const auto result =
        read_buffer(reader, {&as_text, field.pointer}, instance.last_names, instance.kinds);
    if (!reader.failed() && instance.kinds[result].is_read_only)
      reader.report_error(field, fmt::format("no kernel may write '{0}', which is \"read_only\"; "
                                             "leave that out, or '{0}' out of \"expect\"",
                                             name));
    instance.plan.results.push_back(result);
  }
  return instance;
}

Plan plan_for(PlanFieldReader& reader, const PlanInstance& instance, const Translation& program) {
  check_textures(reader, instance, program);
  check_function_tables(reader, instance, program);
  auto plan = instance.plan;
  for (const auto launch : instance.clamped) {
    const auto* kernel = program.find(plan.launches[launch].kernel);
    auto& group = plan.launches[launch].threadgroup;
    if (kernel && kernel->cap() > 0) group = clamped_to(group, kernel->cap());
  }
  return plan;
}

}  // namespace msci
