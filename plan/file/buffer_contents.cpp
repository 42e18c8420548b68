#include "plan/file/buffer_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <variant>

#include "base/files/read_file.h"
#include "plan/elements.h"
#include "plan/file/plan_numbers.h"
#include "plan/file/struct_contents.h"

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
        if (!reader.failed()) put_element(made.type, value, made.bytes);
      },
      number);
}

// The 64-bit integers that both ends of a range are; none for other ranges.
std::optional<std::pair<ExactInteger, ExactInteger>> exact_range(const Field& ends,
                                                                 const std::string& type) {
  if (type != "long" && type != "ulong") return std::nullopt;
  std::vector<ExactInteger> exact;
  for (const auto& end : *ends.json) {
    if (!end.is_number_integer()) return std::nullopt;
    const bool is_negative = !end.is_number_unsigned() && end.get<std::int64_t>() < 0;
    const auto bits = end.is_number_unsigned()
                          ? end.get<std::uint64_t>()
                          : static_cast<std::uint64_t>(end.get<std::int64_t>());
    exact.push_back({is_negative ? 0 - bits : bits, is_negative});
  }
  return std::pair(exact.at(0), exact.at(1));
}

std::uint64_t bits_of(const ExactInteger& number) {
  return number.negative ? 0 - number.magnitude : number.magnitude;
}

ExactInteger integer_of(std::uint64_t bits, const std::string& type) {
  const bool negative = type == "long" && static_cast<std::int64_t>(bits) < 0;
  return {negative ? 0 - bits : bits, negative};
}

void report_reversed(PlanFieldReader& reader, const Field& uniform) {
  reader.report_error(uniform, fmt::format("the lower end {} is above the upper end {}",
                                           uniform.json->at(0).dump(), uniform.json->at(1).dump()));
}

void report_single(PlanFieldReader& reader, const Field& uniform, const std::string& type) {
  reader.report_error(uniform,
                      fmt::format("from {} to below {}, {} has one number; widen the "
                                  "range, or fill with a \"constant\"",
                                  uniform.json->at(0).dump(), uniform.json->at(1).dump(), type));
}

bool is_below(const ExactInteger& a, const ExactInteger& b) {
  if (a.negative != b.negative) return a.negative;
  return a.negative ? a.magnitude > b.magnitude : a.magnitude < b.magnitude;
}

// The number of a range at a fraction of its length, of 2^53 steps.
double number_at(double low, double high, std::uint64_t step) {
  return low + (high - low) * static_cast<double>(step) * 0x1p-53;
}

bool has_several_numbers(double low, double high, const std::string& type) {
  constexpr auto last = (std::uint64_t{1} << 53) - 1;
  std::vector<std::byte> ends;
  put_element(type, number_at(low, high, 1), ends);
  put_element(type, number_at(low, high, last), ends);
  return get_element(type, ends, 0) != get_element(type, ends, 1);
}

// Integer types get the integer parts; 64-bit integers between integers are exact. `draw` returns
// 64 random bits.
template <typename Draw>
void put_uniform(PlanFieldReader& reader, const Field& uniform, std::uint64_t count, Draw draw,
                 BufferContents& made) {
  const auto [low, high] = read_pair(reader, uniform, "[low, high]");
  if (reader.failed()) return;
  if (const auto exact = exact_range(uniform, made.type)) {
    for (const auto& end : {exact->first, exact->second})
      check_fit(reader, uniform, end, made.type);
    const auto first = bits_of(exact->first);
    const auto length = bits_of(exact->second) - first;
    if (is_below(exact->second, exact->first)) return report_reversed(reader, uniform);
    if (length < 2) return report_single(reader, uniform, made.type);
    for (std::uint64_t i = 0; i < count && !reader.failed(); ++i)
      put_element(made.type, integer_of(first + draw() % length, made.type), made.bytes);
    return;
  }
  if (low > high) return report_reversed(reader, uniform);
  for (const double end : {low, high})
    check_fit(reader, uniform, is_floating(made.type) ? end : std::trunc(end), made.type);
  if (reader.failed()) return;
  if (!has_several_numbers(low, high, made.type)) return report_single(reader, uniform, made.type);
  for (std::uint64_t i = 0; i < count; ++i)
    put_element(made.type, number_at(low, high, draw() >> 11), made.bytes);
}

void fill_uniformly(PlanFieldReader& reader, const std::string& name, const Field& fill,
                    std::uint64_t count, const Filling& filling, BufferContents& made) {
  const auto uniform = reader.member(fill, "uniform");
  const auto seed = read_number(reader, reader.member(fill, "seed"), Size{});
  if (reader.failed()) return;
  if (filling.contents == Filling::Contents::keyed) {
    KeyedRandom random(key_of_contents(filling.key, name));
    put_uniform(reader, uniform, count, [&] { return random.next(); }, made);
  } else {
    std::mt19937_64 random(seed);
    put_uniform(reader, uniform, count, [&] { return random(); }, made);
  }
}

void fill(PlanFieldReader& reader, const std::string& name, const Field& field, std::uint64_t count,
          const Filling& filling, BufferContents& made) {
  const auto how = reader.optional_member(field, "fill");
  made.is_filled = how.has_value();
  made.count = count * *element_bytes(made.type);
  if (!how) {
    if (filling.contents != Filling::Contents::none) made.bytes.resize(*made.count);
    return;
  }
  reader.check_keys(*how, {"constant", "iota", "uniform", "seed"});
  if (reader.failed()) return;
  reader.check_alone(*how, "constant", {"iota", "uniform", "seed"});
  reader.check_alone(*how, "iota", {"uniform", "seed"});
  if (reader.failed()) return;
  const auto last = count > 0 ? count - 1 : 0;
  // The form of a fill is read in any case.
  if (filling.contents == Filling::Contents::none) count = std::min<std::uint64_t>(count, 1);
  if (const auto constant = reader.optional_member(*how, "constant")) {
    const auto value = reader.real(*constant);
    check_fit(reader, *constant, value, made.type);
    for (std::uint64_t i = 0; i < count && !reader.failed(); ++i)
      put_element(made.type, value, made.bytes);
  } else if (const auto iota = reader.optional_member(*how, "iota")) {
    const auto [first, step] = read_pair(reader, *iota, "[first, step]");
    check_fit(reader, *iota, std::trunc(first + step * static_cast<double>(last)), made.type);
    for (std::uint64_t i = 0; i < count && !reader.failed(); ++i)
      put(reader, *iota, first + step * static_cast<double>(i), made);
  } else {
    fill_uniformly(reader, name, *how, count, filling, made);
  }
  if (filling.contents == Filling::Contents::none) made.bytes.clear();
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
PlanNumber read_value(PlanFieldReader& reader, const Field& field, const NumberScope& scope) {
  if (field.json->is_number_float()) return reader.real(field);
  if (field.json->is_number_unsigned()) return ExactInteger{field.json->get<std::uint64_t>()};
  const auto value = read_integer(reader, field, scope);
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? ExactInteger{0 - bits, true} : ExactInteger{bits};
}

}  // namespace

Key key_of_contents(Key key, const std::string& name) {
  return {keyed_hash(key, name + " low"), keyed_hash(key, name + " high")};
}

BufferContents read_contents_file(PlanFieldReader& reader, const Field& field, const Size& size,
                                  std::string type, const ContentsLimits& limits) {
  const auto path = limits.folder / substitute(reader.text(field, "a file's name"), size);
  if (reader.failed()) return {};
  auto contents = read_bytes(path, limits.most_bytes);
  if (!contents) {
    reader.report_error(field, contents.error().message);
    return {};
  }
  if (!is_npy(*contents)) {
    if (type.empty()) reader.report_error(field, "raw bytes need a \"type\"");
    return {.type = std::move(type), .bytes = {*std::move(contents)}};
  }
  auto array = read_array(reader, field, path, *contents);
  if (!array) return {};
  if (!type.empty() && type != array->type)
    reader.report_error(field,
                        fmt::format("{} holds {}, not {}", path.string(), array->type, type));
  return {.type = array->type, .bytes = {std::move(array->contents)}};
}

std::optional<NpyArray> read_array(PlanFieldReader& reader, const Field& field,
                                   const std::filesystem::path& path,
                                   std::span<const std::byte> file) {
  auto array = read_npy(file);
  if (array) return *std::move(array);
  reader.report_error(field, fmt::format("{}: {}", path.string(), array.error().message));
  return std::nullopt;
}

BufferContents read_elements(PlanFieldReader& reader, const Field& field,
                             const NumberScope& scope) {
  BufferContents made;
  const auto words = reader.elements(field, "a type and its values, [\"uint\", \"n\"]");
  if (words.size() < 2)
    reader.report_error(field, "it must be a type and its values, [\"uint\", \"n\"]");
  if (!reader.failed()) made.type = read_scalar_type(reader, words[0]);
  for (std::size_t i = 1; i < words.size() && !reader.failed(); ++i)
    put(reader, words[i], read_value(reader, words[i], scope), made);
  return made;
}

BufferContents read_values(PlanFieldReader& reader, const Field& field, const NumberScope& scope) {
  BufferContents made{.type = read_scalar_type(reader, reader.member(field, "type"))};
  if (reader.failed()) return made;
  const auto values = reader.member(field, "values");
  for (const auto& value : reader.elements(values, "a list of numbers"))
    if (!reader.failed()) put(reader, value, read_value(reader, value, scope), made);
  made.count = made.bytes.size();
  return made;
}

BufferContents read_contents(PlanFieldReader& reader, const std::string& name, const Field& field,
                             const NumberScope& scope, const Filling& filling,
                             const ContentsLimits& limits) {
  reader.check_keys(field,
                    {"type", "count", "values", "file", "fill", "struct", "read_only", "meaning"});
  reader.check_alone(field, "struct", {"type", "count", "values", "file", "fill"});
  reader.check_alone(field, "file", {"values", "count", "fill"});
  reader.check_alone(field, "values", {"count", "fill"});
  if (reader.failed()) return {};
  if (const auto members = reader.optional_member(field, "struct"))
    return read_struct(reader, *members, scope, limits.most_bytes);
  auto type = read_type(reader, field);
  if (reader.failed()) return {};
  if (const auto file = reader.optional_member(field, "file")) {
    if (filling.contents == Filling::Contents::none) return {.type = std::move(type)};
    auto made = read_contents_file(reader, *file, scope.size, std::move(type), limits);
    made.count = made.bytes.size();
    return made;
  }
  if (type.empty()) {
    reader.report_error(field, "\"type\" is missing; only a .npy \"file\" needs none");
    return {};
  }
  if (field.has("values")) return read_values(reader, field, scope);
  BufferContents made{.type = type};
  const auto count = read_number(reader, reader.member(field, "count"), scope);
  if (count > limits.most_bytes / *element_bytes(type))
    reader.report_error(
        field, fmt::format("{} elements are more than a buffer may have here: {} bytes", count,
                           limits.most_bytes));
  if (!reader.failed()) fill(reader, name, field, count, filling, made);
  return made;
}

}  // namespace msci
