#include "base/io/frame_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/io/read_available.h"

namespace msci {
namespace {

constexpr std::string_view blank_line = "\r\n\r\n";
constexpr std::string_view length_field = "Content-Length:";
constexpr std::size_t longest_header = 4096;

// The length that a header gives.
std::optional<std::size_t> length_in(std::string_view header) {
  const auto field = header.find(length_field);
  if (field == std::string_view::npos || (field != 0 && header[field - 1] != '\n'))
    return std::nullopt;
  auto number = header.substr(field + length_field.size());
  number.remove_prefix(std::min(number.find_first_not_of(' '), number.size()));
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(number.begin(), number.end(), length);
  const bool ends = end == number.end() || *end == '\r';
  if (error != std::errc() || !ends || length > longest_frame) return std::nullopt;
  return length;
}

}  // namespace

void FrameReader::read_available() {
  if (!msci::read_available(descriptor_, buffer_)) ended_ = true;
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
