#include "base/io/message_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "base/io/descriptor.h"

namespace msci {
namespace {

constexpr std::string_view blank_line = "\r\n\r\n";
constexpr std::string_view length_field = "Content-Length:";
constexpr std::size_t longest_header = 4096;
constexpr auto none = std::string::npos;

// The length that a header gives.
std::optional<std::size_t> length_in(std::string_view header) {
  const auto field = header.find(length_field);
  if (field == std::string_view::npos || (field != 0 && header[field - 1] != '\n'))
    return std::nullopt;
  auto number = header.substr(field + length_field.size());
  number.remove_prefix(std::min(number.find_first_not_of(' '), number.size()));
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), length);
  const bool ends = end == number.data() + number.size() || *end == '\r';
  if (error != std::errc() || !ends || length > longest_frame) return std::nullopt;
  return length;
}

}  // namespace

std::string MessageReader::receive() {
  std::string received;
  if (!msci::read_available(descriptor_, received)) ended_ = true;
  return received;
}

bool LineReader::needs_input() const { return !ended() && !too_long_ && line_end_ == none; }

void LineReader::read_available() {
  const auto received = receive();
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
  if (line_end_ == none && (!ended() || buffer_.empty())) return std::nullopt;
  auto line = buffer_.substr(0, line_end_);
  drop_line();
  return line;
}

std::optional<Result<std::string>> FrameReader::next_frame() {
  const auto end = buffer_.find(blank_line);
  if (end == std::string::npos && buffer_.size() <= longest_header) return std::nullopt;
  const auto length = length_in(std::string_view(buffer_).substr(0, end));
  if (end == std::string::npos || !length)
    return Error{fmt::format("malformed message header: expected \"{} N\" with N at most {} MiB",
                             length_field, longest_frame >> 20)};
  const auto begin = end + blank_line.size();
  if (buffer_.size() < begin + *length) return std::nullopt;
  auto text = buffer_.substr(begin, *length);
  buffer_.erase(0, begin + *length);
  return text;
}

std::string to_frame(const std::string& text) {
  return fmt::format("{} {}{}{}", length_field, text.size(), blank_line, text);
}

}  // namespace msci
