#include "base/io/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/io/read_available.h"

namespace msci {

constexpr auto none = std::string::npos;

bool LineReader::needs_input() const { return !ended_ && !too_long_ && line_end_ == none; }

void LineReader::read_available() {
  std::string received;
  if (!msci::read_available(descriptor_, received)) ended_ = true;
  if (received.empty()) return;
  std::string_view text(received);
  if (skips_) {
    const auto end = text.find('\n');
    if (end == none) return;
    text.remove_prefix(end + 1);
    skips_ = false;
  }
  const auto searched = buffer_.size();
  buffer_ += text;
  line_end_ = buffer_.find('\n', searched);
  if (std::min(line_end_, buffer_.size()) <= longest_line) return;
  too_long_ = true;
  skips_ = line_end_ == none;
  drop_line();
}

void LineReader::drop_line() {
  buffer_.erase(0, line_end_ == none ? none : line_end_ + 1);
  line_end_ = buffer_.find('\n');
}

std::optional<Result<std::string>> LineReader::next_line() {
  if (std::exchange(too_long_, false))
    return Error{fmt::format("the line is longer than {} MiB", longest_line >> 20)};
  if (line_end_ == none && (!ended_ || buffer_.empty())) return std::nullopt;
  auto line = buffer_.substr(0, line_end_);
  drop_line();
  return line;
}

}  // namespace msci
