#include "compiler/frontend/preamble/headers.h"

namespace msci {

extern const std::vector<Header> embedded_headers;  // written by the build from include/

namespace {

// Metal's keywords under names for the headers: the token pass leaves headers alone.
std::string_view keyword_macros() {
  return ""
#define MSCI_KEYWORD(name, meaning) "#define $" #name " " meaning "\n"
#include "compiler/frontend/tokens/keywords.def"
#undef MSCI_KEYWORD
      ;
}

}  // namespace

const std::vector<Header>& metal_headers() {
  static const std::vector<Header> headers = [] {
    auto all = embedded_headers;
    all.push_back({"__keywords", keyword_macros()});
    return all;
  }();
  return headers;
}

}  // namespace msci
