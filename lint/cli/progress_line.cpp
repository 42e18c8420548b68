#include <fmt/format.h>

#include "lint/cli/options.h"

namespace msci {
namespace {

constexpr std::size_t fewest_files = 20;
constexpr std::chrono::milliseconds period(100);

}  // namespace

ProgressLine::ProgressLine(std::size_t files) : files_(files >= fewest_files ? files : 0) {}

void ProgressLine::advance() {
  ++done_;
  const auto now = std::chrono::steady_clock::now();
  if (files_ == 0 || now < next_) return;
  next_ = now + period;
  line_.draw(fmt::format("msci-lint: {} of {} files", done_, files_));
}

}  // namespace msci
