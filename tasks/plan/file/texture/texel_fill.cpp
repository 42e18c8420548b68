#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>

#include "tasks/plan/file/plan_numbers.h"
#include "tasks/plan/file/texture/texture_contents.h"
#include "tasks/plan/texture/texel_fields.h"

namespace msci {
namespace {

// What a component may be.
struct Range {
  double low = 0;
  double high = 0;
};

Range range_of(TexelEncoding encoding, TexelField field) {
  const auto largest = static_cast<double>(largest_of(field));
  switch (encoding) {
    case TexelEncoding::unorm:
    case TexelEncoding::srgb:
      return {0, 1};
    case TexelEncoding::snorm:
      return {-1, 1};
    case TexelEncoding::uint:
      return {0, largest};
    case TexelEncoding::sint:
      return {-(largest + 1) / 2, (largest - 1) / 2};
    case TexelEncoding::shared_exponent:
      return {0, 65408};  // the largest number of rgb9e5float
    case TexelEncoding::floating:
      break;
  }
  if (field.bits == 32) return {-3.402823466e38, 3.402823466e38};
  if (field.bits == 16) return {-65504, 65504};
  return {0, field.bits == 11 ? 65024.0 : 64512.0};
}

// The texels of a fill, component by component.
class TexelFill {
 public:
  TexelFill(PlanFieldReader& reader, TexelFormat format)
      : reader_(reader), layout_(layout_of(format)), format_(format) {
    for (std::size_t i = 0; i < layout_.fields.size(); ++i)
      if (layout_.fields[i].bits > 0) present_.push_back(i);
  }

  std::size_t components() const { return present_.size(); }
  bool is_whole() const { return is_integer(format_); }

  // Reports a number that the component cannot hold: component `component` of those present.
  void check(const Field& field, std::size_t component, double value) {
    const auto range = range_of(layout_.encoding, layout_.fields[present_[component]]);
    constexpr double slack = 1e-6;  // for the rounding of sums like first + 255 * step
    const bool is_right_kind = !is_whole() || std::trunc(value) == value;
    if (!(value >= range.low - slack && value <= range.high + slack && is_right_kind))
      reader_.report_error(
          field,
          fmt::format("{} cannot hold {}; a component is {} from {:g} to {:g}", layout_.name, value,
                      is_whole() ? "a whole number" : "a number", range.low, range.high));
  }

  // Calls `next` for each component of each texel, in order.
  template <typename Next>
  void put(std::vector<std::byte>& texels, Next next) const {
    for (std::size_t at = 0; at < texels.size(); at += layout_.bytes) {
      Texel texel{};
      for (std::size_t i = 0; i < present_.size(); ++i) texel[present_[i]] = bits_of(next(i));
      encode(format_, texel, std::span(texels).subspan(at, layout_.bytes));
    }
  }

 private:
  std::uint32_t bits_of(double value) const {
    if (is_whole()) return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }

  PlanFieldReader& reader_;
  const TexelLayout& layout_;
  TexelFormat format_;
  std::vector<std::size_t> present_;  // the components of the format
};

void fill_constantly(PlanFieldReader& reader, const Field& constant, TexelFill& fill,
                     std::vector<std::byte>& texels) {
  std::vector<double> values(fill.components());
  if (constant.json->is_array()) {
    const auto given = reader.elements(constant, "a number for each component");
    if (given.size() != values.size())
      return reader.report_error(
          constant, fmt::format("the format has {} component{}, and {} numbers are given",
                                values.size(), values.size() == 1 ? "" : "s", given.size()));
    for (std::size_t i = 0; i < given.size(); ++i) values[i] = reader.real(given[i]);
  } else {
    std::ranges::fill(values, reader.real(constant));
  }
  for (std::size_t i = 0; i < values.size(); ++i) fill.check(constant, i, values[i]);
  if (!reader.failed()) fill.put(texels, [&](std::size_t i) { return values[i]; });
}

void fill_counting(PlanFieldReader& reader, const Field& iota, TexelFill& fill,
                   std::vector<std::byte>& texels) {
  const auto [first, step] = read_pair(reader, iota, "[first, step]");
  if (reader.failed()) return;
  std::uint64_t number = 0;
  fill.put(texels, [&](std::size_t i) {
    const auto value = first + step * static_cast<double>(number++);
    fill.check(iota, i, value);
    return reader.failed() ? 0 : value;
  });
}

// `draw` returns 64 random bits.
template <typename Draw>
void fill_texels_uniformly(PlanFieldReader& reader, const Field& uniform, Draw draw,
                           TexelFill& fill, std::vector<std::byte>& texels) {
  const auto [low, high] = read_pair(reader, uniform, "[low, high]");
  if (low > high)
    reader.report_error(uniform,
                        fmt::format("the lower end {} is above the upper end {}", low, high));
  const auto integers = integers_between(low, high);
  if (fill.is_whole() && integers.last < integers.first)
    reader.report_error(uniform, fmt::format("there is no integer from {} to below {}", low, high));
  for (std::size_t i = 0; i < fill.components(); ++i) {
    fill.check(uniform, i, fill.is_whole() ? integers.first : low);
    fill.check(uniform, i, fill.is_whole() ? integers.last : high);
  }
  if (reader.failed()) return;
  const auto length = high - low;
  fill.put(texels, [&](std::size_t) {
    const auto step = draw() >> 11;
    return fill.is_whole() ? integers.at(step) : low + length * static_cast<double>(step) * 0x1p-53;
  });
}

}  // namespace

void fill_texels(PlanFieldReader& reader, const std::string& name, const Field& field,
                 const Filling& filling, TexelFormat format, std::vector<std::byte>& texels) {
  reader.check_keys(field, {"constant", "iota", "uniform", "seed"});
  if (reader.failed()) return;
  reader.check_alone(field, "constant", {"iota", "uniform", "seed"});
  reader.check_alone(field, "iota", {"uniform", "seed"});
  if (reader.failed()) return;
  TexelFill fill(reader, format);
  if (const auto constant = reader.optional_member(field, "constant"))
    return fill_constantly(reader, *constant, fill, texels);
  if (const auto iota = reader.optional_member(field, "iota"))
    return fill_counting(reader, *iota, fill, texels);
  const auto uniform = reader.member(field, "uniform");
  const auto seed = read_number(reader, reader.member(field, "seed"), Size{});
  if (reader.failed()) return;
  if (filling.contents == Filling::Contents::keyed) {
    KeyedRandom random(key_of_contents(filling.key, name));
    return fill_texels_uniformly(reader, uniform, [&] { return random.next(); }, fill, texels);
  }
  std::mt19937_64 random(seed);
  fill_texels_uniformly(reader, uniform, [&] { return random(); }, fill, texels);
}

}  // namespace msci
