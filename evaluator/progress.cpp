#include "evaluator/progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace msci {
namespace {

constexpr std::size_t bar_width = 20;

}  // namespace

void Progress::show(std::string_view activity) {
  const auto filled = steps_ ? std::min(bar_width, bar_width * done_ / steps_) : bar_width;
  line_.draw(fmt::format("[{:#<{}}{:-<{}}] {}/{} {}", "", filled, "", bar_width - filled, done_,
                         steps_, activity));
}

}  // namespace msci
