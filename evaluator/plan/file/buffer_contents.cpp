#include "evaluator/plan/file/buffer_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <variant>

#include "base/files/read_file.h"
#include "evaluator/plan/elements.h"
#include "evaluator/plan/file/plan_numbers.h"
#include "evaluator/plan/npy.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// A number of the file. An integer is exact to 64 bits.
using PlanNumber = std::variant<double, ExactInteger>;

std::string to_text(double value) { return fmt::format("{}", value); }
std::string to_text(ExactInteger value) {
  return fmt::format("{}{}", value.negative ? "-" : "", value.magnitude);
}

template <typename Value>
void check_fit(PlanFieldReader& reader, const Field& field, Value value, const std::string& type) {
  if (!fits_element(type, value))
    reader.report_error(field, fmt::format("{} cannot hold {}", type, to_text(value)));
}

void put(PlanFieldReader& reader, const Field& field, PlanNumber number, BufferContents& made) {
  std::visit(
      [&](auto value) {
        check_fit(reader, field, value, made.type);
        if (!reader.failed()) put_element(made.type, value, made.bytes.data);
      },
      number);
}

// Integer types get the integer parts.
void fill_uniformly(PlanFieldReader& reader, const Field& fill, std::uint64_t count,
                    BufferContents& made) {
  const auto uniform = reader.member(fill, "uniform");
  const auto [low, high] = read_pair(reader, uniform, "[low, high]");
  for (const double end : {low, high}) check_fit(reader, uniform, std::trunc(end), made.type);
  std::mt19937_64 random(read_number(reader, reader.member(fill, "seed"), {}));
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i)
    put_element(made.type, low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53,
                made.bytes.data);
}

void fill(PlanFieldReader& reader, const Field& field, std::uint64_t count, BufferContents& made) {
  const auto how = reader.optional_member(field, "fill");
  made.is_open = !how;
  if (!how) return made.bytes.data.resize(count * *element_bytes(made.type));
  reader.check_keys(*how, {"constant", "iota", "uniform", "seed"});
  if (reader.failed()) return;
  reader.check_alone(*how, "constant", {"iota", "uniform", "seed"});
  reader.check_alone(*how, "iota", {"uniform", "seed"});
  if (reader.failed()) return;
  if (const auto constant = reader.optional_member(*how, "constant")) {
    const auto value = reader.real(*constant);
    check_fit(reader, *constant, value, made.type);
    for (std::uint64_t i = 0; i < count && !reader.failed(); ++i)
      put_element(made.type, value, made.bytes.data);
  } else if (const auto iota = reader.optional_member(*how, "iota")) {
    const auto [first, step] = read_pair(reader, *iota, "[first, step]");
    for (std::uint64_t i = 0; i < count && !reader.failed(); ++i)
      put(reader, *iota, first + step * static_cast<double>(i), made);
  } else {
    fill_uniformly(reader, *how, count, made);
  }
}

std::string read_scalar_type(PlanFieldReader& reader, const Field& field) {
  const auto name = reader.text(field, "a scalar type");
  if (!reader.failed() && !element_bytes(name))
    reader.report_error(
        field, fmt::format("'{}' is not a scalar type; use one of {}", name, element_types()));
  return name;
}

std::string read_type(PlanFieldReader& reader, const Field& field) {
  const auto type = reader.optional_member(field, "type");
  return type ? read_scalar_type(reader, *type) : std::string();
}

// A number of the file, or one that depends on the size.
PlanNumber read_value(PlanFieldReader& reader, const Field& field, const Size& size) {
  if (field.json->is_number_float()) return reader.real(field);
  if (!field.json->is_number_integer() || field.json->is_number_unsigned())
    return ExactInteger{read_number(reader, field, size)};
  const auto negative = field.json->get<std::int64_t>();
  return ExactInteger{0 - static_cast<std::uint64_t>(negative), true};
}

void pad_to(std::size_t alignment, std::vector<std::byte>& bytes) {
  bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
}

// ["uint", "n"] or ["int", 1, 2, 3]: a member, or an array. Returns its alignment.
std::size_t put_member(PlanFieldReader& reader, const Field& field, const Size& size,
                       BufferContents& made) {
  const auto words = reader.elements(field, "a type and its values, [\"uint\", \"n\"]");
  if (words.size() < 2)
    reader.report_error(field, "it must be a type and its values, [\"uint\", \"n\"]");
  if (reader.failed()) return 1;
  BufferContents member{.type = read_scalar_type(reader, words[0])};
  if (reader.failed()) return 1;
  const auto alignment = *element_bytes(member.type);
  pad_to(alignment, made.bytes.data);
  for (std::size_t i = 1; i < words.size() && !reader.failed(); ++i)
    put(reader, words[i], read_value(reader, words[i], size), member);
  const auto& bytes = member.bytes.data;
  made.bytes.data.insert(made.bytes.data.end(), bytes.begin(), bytes.end());
  return alignment;
}

// The members one after the other, each at a multiple of its size, as a compiler lays them out.
BufferContents read_struct(PlanFieldReader& reader, const Field& field, const Size& size) {
  BufferContents made{.type = "uchar"};
  std::size_t alignment = 1;
  for (const auto& member : reader.elements(field, "a list of members"))
    if (!reader.failed()) alignment = std::max(alignment, put_member(reader, member, size, made));
  pad_to(alignment, made.bytes.data);
  return made;
}

}  // namespace

BufferContents read_contents_file(PlanFieldReader& reader, const Field& field, const Size& size,
                                  const fs::path& folder, std::string type,
                                  std::uint64_t most_bytes) {
  const auto path = folder / substitute(reader.text(field, "a file's name"), size);
  if (reader.failed()) return {};
  auto contents = read_bytes(path, most_bytes);
  if (!contents) {
    reader.report_error(field, contents.error().message);
    return {};
  }
  if (!is_npy(*contents)) {
    if (type.empty()) reader.report_error(field, "raw bytes need a \"type\"");
    return {std::move(type), {*std::move(contents)}};
  }
  auto array = read_npy(*contents);
  if (!array) {
    reader.report_error(field, fmt::format("{}: {}", path.string(), array.error().message));
    return {};
  }
  if (!type.empty() && type != array->type)
    reader.report_error(field,
                        fmt::format("{} holds {}, not {}", path.string(), array->type, type));
  return {array->type, {std::move(array->contents)}};
}

BufferContents read_contents(PlanFieldReader& reader, const Field& field, const Size& size,
                             const fs::path& folder, std::uint64_t most_bytes) {
  reader.check_keys(field, {"type", "count", "values", "file", "fill", "struct"});
  reader.check_alone(field, "struct", {"type", "count", "values", "file", "fill"});
  reader.check_alone(field, "file", {"values", "count", "fill"});
  reader.check_alone(field, "values", {"count", "fill"});
  if (reader.failed()) return {};
  if (const auto members = reader.optional_member(field, "struct"))
    return read_struct(reader, *members, size);
  auto type = read_type(reader, field);
  if (reader.failed()) return {};
  if (const auto file = reader.optional_member(field, "file"))
    return read_contents_file(reader, *file, size, folder, type, most_bytes);
  if (type.empty()) {
    reader.report_error(field, "\"type\" is missing; only a .npy \"file\" needs none");
    return {};
  }
  BufferContents made{.type = type};
  if (const auto values = reader.optional_member(field, "values")) {
    for (const auto& value : reader.elements(*values, "a list of numbers"))
      put(reader, value, read_value(reader, value, size), made);
    return made;
  }
  const auto count = read_number(reader, reader.member(field, "count"), size);
  if (count > most_bytes / *element_bytes(type))
    reader.report_error(
        field, fmt::format("{} elements are more than a buffer may have here: {} bytes", count,
                           most_bytes));
  if (!reader.failed()) fill(reader, field, count, made);
  return made;
}

}  // namespace msci
