// <metal_stdlib> as Clang's serialised AST, made by the build (prebuild.cpp) and held in memory:
// Clang takes from it what a source names, in a quarter of the time that reading the headers takes.
#pragma once

#include <string_view>

#include "compiler/frontend/version.h"

namespace msci {

// The header that prebuilt ASTs hold, beside the prelude.
constexpr std::string_view prebuilt_header = "metal_stdlib";

// Of that version; empty if the build makes none for it (versions.def).
std::string_view prebuilt_headers(LanguageVersion version);

}  // namespace msci
