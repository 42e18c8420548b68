#include "lint/cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace msci {
namespace {

constexpr std::size_t fewest_files = 20;
constexpr std::chrono::milliseconds period(100);

bool is_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) && kind && std::string_view(kind) != "dumb";
}

}  // namespace

ProgressLine::ProgressLine(std::size_t files)
    : files_(files >= fewest_files && is_terminal() ? files : 0) {}

void ProgressLine::advance() {
  ++done_;
  const auto now = std::chrono::steady_clock::now();
  if (files_ == 0 || now < next_) return;
  next_ = now + period;
  fmt::print(stderr, "\r\033[Kmsci-lint: {} of {} files", done_, files_);
  std::fflush(stderr);
  is_shown_ = true;
}

void ProgressLine::erase() {
  if (!is_shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  is_shown_ = false;
}

}  // namespace msci
