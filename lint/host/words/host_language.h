// The languages that programs around kernels are written in.
#pragma once

#include <optional>
#include <string_view>

namespace msci::host {

enum class HostLanguage { c_family, python, rust, swift };

// By the extension of the file: C, C++, Objective-C, Objective-C++ and their headers; Python; Rust;
// Swift. Nothing for other files.
std::optional<HostLanguage> language_of(std::string_view file);

}  // namespace msci::host
