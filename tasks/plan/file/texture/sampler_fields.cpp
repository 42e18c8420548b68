#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tasks/plan/file/plan_numbers.h"
#include "tasks/plan/file/texture/texture_contents.h"

namespace msci {
namespace {

// In the order of the enumerators.
constexpr std::string_view coords[] = {"normalized", "pixel"};
constexpr std::string_view addresses[] = {"clamp_to_edge", "clamp_to_zero", "clamp_to_border",
                                          "repeat", "mirrored_repeat"};
constexpr std::string_view filters[] = {"nearest", "linear"};
constexpr std::string_view mip_filters[] = {"none", "nearest", "linear"};
constexpr std::string_view comparisons[] = {"none",       "never",     "less",
                                            "less_equal", "greater",   "greater_equal",
                                            "equal",      "not_equal", "always"};
constexpr std::string_view borders[] = {"transparent_black", "opaque_black", "opaque_white"};
constexpr std::string_view reductions[] = {"weighted_average", "minimum", "maximum"};

// Sets the enumerator whose word the field has, if the field is there.
template <typename Enumeration>
void read_word(PlanFieldReader& reader, const Field& field, const std::string& key,
               std::span<const std::string_view> words, Enumeration& to) {
  const auto given = reader.optional_member(field, key);
  if (!given) return;
  const auto word = reader.text(*given, "a word of Metal's samplers");
  if (reader.failed()) return;
  const auto found = std::ranges::find(words, word);
  if (found == words.end())
    return reader.report_error(*given, fmt::format("'{}' is unknown{}", word, hint(word, words)));
  to = static_cast<Enumeration>(found - words.begin());
}

float read_between(PlanFieldReader& reader, const Field& field, double least, double most) {
  const auto value = reader.real(field);
  if (!(value >= least && value <= most))
    reader.report_error(field, fmt::format("it must be from {:g} to {:g}", least, most));
  return static_cast<float>(value);
}

}  // namespace

SamplerDescription read_sampler(PlanFieldReader& reader, const Field& field) {
  reader.check_keys(
      field, {"coord", "address", "s_address", "t_address", "r_address", "filter", "mag_filter",
              "min_filter", "mip_filter", "compare_func", "border_color", "reduction",
              "max_anisotropy", "lod_clamp", "bias", "meaning"});
  reader.check_alone(field, "address", {"s_address", "t_address", "r_address"});
  reader.check_alone(field, "filter", {"mag_filter", "min_filter"});
  SamplerDescription sampler;
  if (reader.failed()) return sampler;
  read_word(reader, field, "coord", coords, sampler.coord);
  for (const auto& [key, to] :
       {std::pair("s_address", &sampler.s_address), std::pair("t_address", &sampler.t_address),
        std::pair("r_address", &sampler.r_address)}) {
    read_word(reader, field, "address", addresses, *to);
    read_word(reader, field, key, addresses, *to);
  }
  for (const auto& [key, to] : {std::pair("mag_filter", &sampler.mag_filter),
                                std::pair("min_filter", &sampler.min_filter)}) {
    read_word(reader, field, "filter", filters, *to);
    read_word(reader, field, key, filters, *to);
  }
  read_word(reader, field, "mip_filter", mip_filters, sampler.mip_filter);
  read_word(reader, field, "compare_func", comparisons, sampler.compare);
  read_word(reader, field, "border_color", borders, sampler.border);
  read_word(reader, field, "reduction", reductions, sampler.reduction);
  if (const auto most = reader.optional_member(field, "max_anisotropy")) {
    sampler.max_anisotropy = read_unsigned(reader, *most, Size{});
    if (sampler.max_anisotropy < 1 || sampler.max_anisotropy > 16)
      reader.report_error(*most, "it must be from 1 to 16");
  }
  if (const auto clamp = reader.optional_member(field, "lod_clamp")) {
    const auto [least, most] = read_pair(reader, *clamp, "[least, most]");
    if (!(least >= 0 && least <= most))
      reader.report_error(*clamp, "it must be [least, most] with 0 <= least <= most");
    sampler.least_lod = static_cast<float>(least);
    sampler.most_lod = static_cast<float>(most);
  }
  if (const auto bias = reader.optional_member(field, "bias"))
    sampler.bias = read_between(reader, *bias, -16, 15.999);
  return sampler;
}

}  // namespace msci
