#include "lint/line_stream.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "lint/incoming.h"

namespace msci {

constexpr auto none = std::string::npos;

bool LineStream::wants_more() const { return !ended_ && !too_long_ && line_end_ == none; }

void LineStream::receive() {
  std::string received;
  if (!receive_from(descriptor_, received)) ended_ = true;
  if (received.empty()) return;
  std::string_view text(received);
  if (skips_) {
    const auto end = text.find('\n');
    if (end == none) return;
    text.remove_prefix(end + 1);
    skips_ = false;
  }
  const auto known = incoming_.size();
  incoming_ += text;
  line_end_ = incoming_.find('\n', known);
  if (std::min(line_end_, incoming_.size()) <= longest_line) return;
  too_long_ = true;
  skips_ = line_end_ == none;
  drop_line();
}

void LineStream::drop_line() {
  incoming_.erase(0, line_end_ == none ? none : line_end_ + 1);
  line_end_ = incoming_.find('\n');
}

std::optional<std::optional<std::string>> LineStream::next() {
  if (std::exchange(too_long_, false)) return std::optional<std::string>();
  if (line_end_ == none && (!ended_ || incoming_.empty())) return std::nullopt;
  auto line = incoming_.substr(0, line_end_);
  drop_line();
  return std::optional(std::move(line));
}

}  // namespace msci
