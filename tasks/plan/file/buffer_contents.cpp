#include "tasks/plan/file/buffer_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <variant>

#include "base/files/read_file.h"
#include "tasks/plan/elements.h"
#include "tasks/plan/file/plan_instance.h"
#include "tasks/plan/file/plan_numbers.h"

namespace msci {
namespace {

// Longer buffers hold data rather than parameters.
constexpr std::uint64_t most_small_bytes = std::uint64_t{1} << 20;
// Offsets into a buffer are signed numbers of 64 bits.
constexpr std::uint64_t addressable_bytes = std::uint64_t{1} << 62;

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

std::optional<ExactInteger> exact_integer(const OrderedJson& number) {
  if (number.is_number_unsigned()) return ExactInteger{number.get<std::uint64_t>()};
  if (number.is_number_integer()) {
    const auto value = number.get<std::int64_t>();
    const auto bits = static_cast<std::uint64_t>(value);
    return value < 0 ? ExactInteger{0 - bits, true} : ExactInteger{bits};
  }
  const auto value = number.get<double>();
  if (std::trunc(value) != value || std::abs(value) >= 0x1p64) return std::nullopt;
  return ExactInteger{static_cast<std::uint64_t>(std::abs(value)), value < 0};
}

ExactInteger one_below(const ExactInteger& number) {
  if (number.negative || number.magnitude == 0) return {number.magnitude + 1, true};
  return {number.magnitude - 1};
}

// The first and the last 64-bit integer of a range whose ends are integers; none for other ranges.
std::optional<std::pair<ExactInteger, ExactInteger>> exact_range(const Field& ends,
                                                                 const std::string& type) {
  if (type != "long" && type != "ulong") return std::nullopt;
  const auto low = exact_integer(ends.json->at(0)), high = exact_integer(ends.json->at(1));
  if (low && high) return std::pair(*low, one_below(*high));
  // Above the last number of ulong lies an end that 64 bits cannot hold.
  if (low && ends.json->at(1).get<double>() == 0x1p64)
    return std::pair(*low, ExactInteger{UINT64_MAX});
  return std::nullopt;
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

// A range of one number, or of none.
void report_few(PlanFieldReader& reader, const Field& uniform, const std::string& type,
                std::string_view how_many) {
  reader.report_error(
      uniform, fmt::format("from {} to below {}, {} has {}; widen the range, or fill with a "
                           "\"constant\"",
                           uniform.json->at(0).dump(), uniform.json->at(1).dump(), type, how_many));
}

// Both ends of the integers of a range.
template <typename Value>
void check_integers(PlanFieldReader& reader, const Field& uniform, Value first, Value last,
                    const std::string& type) {
  check_fit(reader, uniform, first, type);
  if (!fits_element(type, last))
    reader.report_error(uniform, fmt::format("{} cannot hold {}, the last integer below {}", type,
                                             to_text(last), uniform.json->at(1).dump()));
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

template <typename Draw>
void put_exactly(PlanFieldReader& reader, const Field& uniform, std::uint64_t count, Draw draw,
                 const ExactInteger& first, const ExactInteger& last, BufferContents& made) {
  const auto length = bits_of(last) - bits_of(first) + 1;  // 0 stands for 2^64, or for none
  if (is_below(last, first))
    return length == 0 ? report_few(reader, uniform, made.type, "no number")
                       : report_reversed(reader, uniform);
  check_integers(reader, uniform, first, last, made.type);
  if (length == 1) return report_few(reader, uniform, made.type, "one number");
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
    const auto steps = length == 0 ? draw() : draw() % length;
    put_element(made.type, integer_of(bits_of(first) + steps, made.type), made.bytes);
  }
}

template <typename Draw>
void put_of_range(PlanFieldReader& reader, const Field& uniform, std::uint64_t count, Draw draw,
                  const IntegerRange& range, BufferContents& made) {
  check_integers(reader, uniform, range.first, range.last, made.type);
  if (range.last <= range.first)
    report_few(reader, uniform, made.type, range.last < range.first ? "no number" : "one number");
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i)
    put_element(made.type, range.at(draw() >> 11), made.bytes);
}

// Integer types get the integers of the range; those of 64 bits between integers are exact. `draw`
// returns 64 random bits.
template <typename Draw>
void put_uniform(PlanFieldReader& reader, const Field& uniform, std::uint64_t count, Draw draw,
                 BufferContents& made) {
  const auto [low, high] = read_pair(reader, uniform, "[low, high]");
  if (reader.failed()) return;
  if (const auto exact = exact_range(uniform, made.type))
    return put_exactly(reader, uniform, count, draw, exact->first, exact->second, made);
  if (low > high) return report_reversed(reader, uniform);
  if (!is_floating(made.type))
    return put_of_range(reader, uniform, count, draw, integers_between(low, high), made);
  for (const double end : {low, high}) check_fit(reader, uniform, end, made.type);
  if (reader.failed()) return;
  if (!has_several_numbers(low, high, made.type))
    return report_few(reader, uniform, made.type, "one number");
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

std::string type_of_values(const std::string& type, std::size_t count) {
  if (count == 1) return type;
  return count <= 4 && type != "bool" ? fmt::format("packed_{}{}", type, count) : type + " *";
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
  const auto most_bytes = filling.must_fit ? limits.most_bytes : addressable_bytes;
  if (count > most_bytes / *element_bytes(type))
    reader.report_error(
        field, fmt::format("{} elements are more than a buffer may have here: {} bytes", count,
                           most_bytes));
  if (reader.failed()) return made;
  made.is_left_out = filling.contents == Filling::Contents::small &&
                     count > most_small_bytes / *element_bytes(type);
  if (made.is_left_out)
    fill(reader, name, field, count, {.contents = Filling::Contents::none}, made);
  else
    fill(reader, name, field, count, filling, made);
  return made;
}

}  // namespace msci
