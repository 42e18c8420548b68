#include "evaluator/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace msci {
namespace {

constexpr std::size_t bar_width = 20;

}  // namespace

Progress::Progress(std::size_t steps) : steps_(steps), shown_(::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { erase(); }

void Progress::show(std::string_view activity) {
  if (!shown_) return;
  const auto filled = steps_ ? std::min(bar_width, bar_width * done_ / steps_) : bar_width;
  fmt::print(stderr, "\r\033[K[{:#<{}}{:-<{}}] {}/{} {}", "", filled, "", bar_width - filled, done_,
             steps_, activity);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::erase() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace msci
