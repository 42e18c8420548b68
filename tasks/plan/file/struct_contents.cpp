#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tasks/plan/elements.h"
#include "tasks/plan/file/plan_instance.h"
#include "tasks/plan/file/texture/texture_contents.h"

namespace msci {
namespace {

constexpr std::size_t pointer_bytes = 8;  // of textures and samplers, too
constexpr std::uint64_t most_members = 1 << 20;

class StructReader {
 public:
  StructReader(PlanFieldReader& reader, std::uint64_t most_bytes)
      : reader_(reader), most_bytes_(most_bytes) {}

  BufferContents read(const Field& field, const NumberScope& scope) {
    members(field, scope);
    made_.count = bytes().size();
    return std::move(made_);
  }

 private:
  std::vector<std::byte>& bytes() { return made_.bytes; }

  void pad_to(std::size_t alignment) {
    bytes().resize((bytes().size() + alignment - 1) / alignment * alignment);
  }

  // The members of a struct that begins here, padded to its alignment, which it returns.
  std::size_t members(const Field& field, const NumberScope& scope) {
    std::size_t alignment = 1;
    for (const auto& each : reader_.elements(field, "a list of members"))
      if (!reader_.failed()) alignment = std::max(alignment, member(each, scope));
    pad_to(alignment);
    return alignment;
  }

  std::size_t member(const Field& field, const NumberScope& scope) {
    if (++members_ > most_members || bytes().size() > most_bytes_)
      reader_.report_error(field, "the struct has more members or bytes than a buffer may have");
    if (reader_.failed()) return 1;
    if (field.json->is_object()) return described(field, scope);
    const bool has_several =
        field.json->is_array() && !field.json->empty() && !field.json->front().is_string();
    if (!has_several) return numbers(field, scope);
    std::size_t alignment = 1;
    for (const auto& each : reader_.elements(field, "a list of members"))
      if (!reader_.failed()) alignment = std::max(alignment, member(each, scope));
    return alignment;
  }

  std::size_t numbers(const Field& field, const NumberScope& scope) {
    const auto values = read_elements(reader_, field, scope);
    if (reader_.failed()) return 1;
    const auto alignment = *element_bytes(values.type);
    pad_to(alignment);
    bytes().insert(bytes().end(), values.bytes.begin(), values.bytes.end());
    return alignment;
  }

  std::size_t described(const Field& field, const NumberScope& scope) {
    if (const auto inner = reader_.optional_member(field, "struct"))
      return nested(field, *inner, scope);
    if (field.has("functions")) return table(field);
    if (field.has("texture")) return texture(field);
    if (field.has("sampler")) return sampler(field);
    if (field.has("buffer")) return pointer(field, scope);
    reader_.check_keys(
        field, {"buffer", "offset", "texture", "sampler", "functions", "struct", "times", "index"});
    reader_.report_error(
        field, "it needs one of the fields buffer, texture, sampler, functions and struct");
    return 1;
  }

  std::size_t pointer(const Field& field, const NumberScope& scope) {
    reader_.check_keys(field, {"buffer", "offset"});
    const auto name = reader_.member(field, "buffer");
    if (reader_.failed()) return 1;
    const auto given = reader_.optional_member(field, "offset");
    const bool is_null = name.json->is_null();
    if (is_null && given) reader_.report_error(*given, "a null pointer has no offset");
    const std::uint64_t offset = given && !is_null ? read_number(reader_, *given, scope) : 0;
    if (!is_null) {
      add_named(ArgumentKind::buffer, name, "a buffer's name");
      made_.named_members.back().offset = offset;
      made_.named_members.back().offset_field = given.value_or(name);
    }
    // What references find there: the offset.
    return word(offset);
  }

  std::size_t texture(const Field& field) {
    reader_.check_keys(field, {"texture"});
    const auto name = reader_.member(field, "texture");
    if (reader_.failed()) return 1;
    if (!name.json->is_null()) add_named(ArgumentKind::texture, name, "a texture's name");
    return word(0);
  }

  // By its name, or described here.
  std::size_t sampler(const Field& field) {
    reader_.check_keys(field, {"sampler"});
    const auto given = reader_.member(field, "sampler");
    if (reader_.failed()) return 1;
    if (given.json->is_object()) return word(sampler_bits(read_sampler(reader_, given)));
    add_named(ArgumentKind::sampler, given, "a sampler's name");
    return word(0);
  }

  void add_named(ArgumentKind kind, const Field& name, std::string_view what) {
    pad_to(pointer_bytes);
    made_.named_members.push_back(
        {.at = bytes().size(), .kind = kind, .name = reader_.text(name, what), .field = name});
  }

  std::size_t word(std::uint64_t value) {
    pad_to(pointer_bytes);
    const auto* begin = reinterpret_cast<const std::byte*>(&value);
    bytes().insert(bytes().end(), begin, begin + pointer_bytes);
    return pointer_bytes;
  }

  std::size_t table(const Field& field) {
    pad_to(pointer_bytes);
    made_.tables.emplace_back(bytes().size(), read_function_table(reader_, field));
    bytes().resize(bytes().size() + pointer_bytes);
    return pointer_bytes;
  }

  std::size_t nested(const Field& field, const Field& inner, const NumberScope& scope) {
    reader_.check_keys(field, {"struct", "times", "index"});
    if (reader_.failed()) return 1;
    const auto times = reader_.optional_member(field, "times");
    const auto index = reader_.optional_member(field, "index");
    const auto count = times ? read_number(reader_, *times, scope) : 1;
    auto own = scope;
    if (index) {
      const auto name = reader_.text(*index, "the name of the array's index");
      if (!times) reader_.report_error(*index, "an index needs \"times\"");
      if (own.has(name))
        reader_.report_error(*index, fmt::format("'{}' has a meaning here already", name));
      own.indices.emplace_back(name, 0);
    }
    if (count == 0) reader_.report_error(*times, "a struct must be there at least once");
    std::size_t alignment = alignment_of(inner);
    for (std::uint64_t i = 0; i < count && !reader_.failed(); ++i) {
      if (index) own.indices.back().second = static_cast<std::int64_t>(i);
      if (++members_ > most_members)
        reader_.report_error(field, fmt::format("a struct has at most {} members", most_members));
      pad_to(alignment);
      members(inner, own);
    }
    return alignment;
  }

  // Known before the members are read: the first one already lies at a multiple of it.
  std::size_t alignment_of(const Field& field) {
    std::size_t alignment = 1;
    if (!field.json->is_array()) return alignment;
    for (const auto& each : *field.json) {
      if (each.is_array() && !each.empty() && each.front().is_string())
        alignment = std::max<std::size_t>(
            alignment, element_bytes(each.front().get<std::string>()).value_or(1));
      else if (each.is_array())
        alignment = std::max(alignment, alignment_of({&each, field.pointer}));
      else if (each.is_object() && each.contains("struct"))
        alignment = std::max(alignment, alignment_of({&each.at("struct"), field.pointer}));
      else
        alignment = std::max(alignment, pointer_bytes);
    }
    return alignment;
  }

  PlanFieldReader& reader_;
  std::uint64_t most_bytes_;
  std::uint64_t members_ = 0;
  BufferContents made_{.type = "uchar", .is_struct = true};
};

}  // namespace

BufferContents read_struct(PlanFieldReader& reader, const Field& field, const NumberScope& scope,
                           std::uint64_t most_bytes) {
  return StructReader(reader, most_bytes).read(field, scope);
}

FunctionTable read_function_table(PlanFieldReader& reader, const Field& field) {
  reader.check_keys(field, {"functions"});
  FunctionTable made{.buffer = {.name = "functions"}};
  if (reader.failed()) return made;
  const auto entries = reader.elements(reader.member(field, "functions"), "a list of functions");
  if (entries.empty()) reader.report_error(field, "a table needs at least one function");
  const auto count = static_cast<std::uint32_t>(entries.size());
  auto& table = made.buffer;
  table.bytes = sizeof count * (1 + entries.size());
  std::vector<std::byte> numbers(table.bytes);
  std::memcpy(numbers.data(), &count, sizeof count);
  table.initial = std::move(numbers);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].json->is_null()) continue;
    auto name = reader.text(entries[i], "the name of a [[visible]] function, or null");
    table.name += "_" + name;
    table.functions.push_back({sizeof count * (1 + i), std::move(name)});
    made.fields.push_back(entries[i].pointer);
  }
  return made;
}

}  // namespace msci
