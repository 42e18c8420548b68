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
  auto text = number(ratio.median);
  if (!unit.empty()) text += fmt::format(" {}", unit);
  if (ratio.interval)
    text += fmt::format(" ({:.0f} %: {} to {})", 100 * versus_confidence,
                        number(ratio.interval->low), number(ratio.interval->high));
  return text;
}

std::string_view doubt_about(const Ratio& ratio) {
  if (ratio.interval && ratio.interval->low > 1) return "";
  return ratio.interval && ratio.interval->high < 1 ? ", slower" : ", not shown to be faster";
}

}  // namespace msci
