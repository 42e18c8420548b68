#include "lint/frame_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "lint/incoming.h"

namespace msci {
namespace {

constexpr std::string_view blank_line = "\r\n\r\n";
constexpr std::string_view length_field = "Content-Length:";
constexpr std::size_t longest_head = 4096;

// What the head of a frame says of its length.
std::optional<std::size_t> length_in(std::string_view head) {
  const auto field = head.find(length_field);
  if (field == std::string_view::npos || (field != 0 && head[field - 1] != '\n'))
    return std::nullopt;
  auto number = head.substr(field + length_field.size());
  number.remove_prefix(std::min(number.find_first_not_of(' '), number.size()));
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(number.begin(), number.end(), length);
  const bool ends = end == number.end() || *end == '\r';
  if (error != std::errc() || !ends || length > longest_frame) return std::nullopt;
  return length;
}

}  // namespace

void FrameStream::receive() {
  if (!receive_from(descriptor_, incoming_)) ended_ = true;
}

std::optional<Result<std::string>> FrameStream::next() {
  const auto end = incoming_.find(blank_line);
  if (end == std::string::npos && incoming_.size() <= longest_head) return std::nullopt;
  const auto length = length_in(std::string_view(incoming_).substr(0, end));
  if (end == std::string::npos || !length)
    return Error{fmt::format("a message begins with \"{} N\", and N is at most {} MiB",
                             length_field, longest_frame >> 20)};
  const auto begin = end + blank_line.size();
  if (incoming_.size() < begin + *length) return std::nullopt;
  auto text = incoming_.substr(begin, *length);
  incoming_.erase(0, begin + *length);
  return text;
}

std::string framed(const std::string& text) {
  return fmt::format("{} {}{}{}", length_field, text.size(), blank_line, text);
}

}  // namespace msci
