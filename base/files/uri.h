// Paths of files as URIs (RFC 8089), and back.
#pragma once

#include <string>
#include <string_view>

namespace msci {

// The path with escapes for the characters that a URI cannot hold: "a b.metal" → "a%20b.metal".
// Absolute paths get the scheme: "file:///a%20b.metal".
std::string uri_of(std::string_view path);

// "file:///a%20b" → "/a b"; a URI with another scheme stays as it is.
std::string path_of(std::string_view uri);

}  // namespace msci
