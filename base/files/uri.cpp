#include "base/files/uri.h"

#include <fmt/format.h>

#include <charconv>

namespace msci {

std::string uri_of(std::string_view path) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path)
    if (plain.find(c) != std::string_view::npos)
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return uri;
}

std::string path_of(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return std::string(uri);
  std::string path;
  for (auto at = scheme.size(); at < uri.size(); ++at) {
    const auto digits = uri.substr(at).substr(1, 2);
    unsigned char value = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
    const bool is_escape =
        uri[at] == '%' && digits.size() == 2 && end == digits.data() + digits.size();
    path += is_escape ? static_cast<char>(value) : uri[at];
    if (is_escape) at += 2;
  }
  return path;
}

}  // namespace msci
