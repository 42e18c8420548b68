#include "evaluator/measure/speedup.h"

#include <fmt/format.h>

namespace msci {
namespace {

// What is many times slower is still more than nothing.
std::string number(double ratio) {
  return ratio < 0.1 ? fmt::format("{:.2g}", ratio) : fmt::format("{:.2f}", ratio);
}

}  // namespace

std::string with_interval(const Ratio& ratio, std::string_view unit) {
  const auto unit_text = unit.empty() ? std::string() : fmt::format(" {}", unit);
  if (ratio == same_program_ratio) return fmt::format("1{} (the same program)", unit_text);
  return fmt::format("{}{} ({:.0f} %: {} to {})", number(ratio.median), unit_text,
                     100 * versus_confidence, number(ratio.interval.low),
                     number(ratio.interval.high));
}

std::string_view doubt_about(const Ratio& ratio) {
  if (ratio == same_program_ratio || ratio.interval.low > 1) return "";
  return ratio.interval.high < 1 ? ", slower" : ", not shown to be faster";
}

}  // namespace msci
