#include "lint/metal/headers.h"

#include <string>

namespace msci {

extern const std::vector<Header> embedded_headers;  // written by the build from include/

namespace {

// One macro per attribute, under the name that the token pass gives it: $uffer for buffer.
const std::string& attribute_macros() {
  static const std::string text = [] {
    std::string macros;
    const auto define = [&](std::string name, std::string_view form) {
      macros += "#define $" + name.substr(1);
      if (form == "flag") macros += " clang::annotate(\"" + name + "\")\n";
      if (form == "value") macros += "(...) clang::annotate(\"" + name + "\", __VA_ARGS__)\n";
      if (form == "words") macros += "(...) clang::annotate(\"" + name + "\", #__VA_ARGS__)\n";
    };
#define MSCI_ATTRIBUTE(name, form) define(#name, #form);
#include "lint/metal/attributes.def"
#undef MSCI_ATTRIBUTE
    return macros;
  }();
  return text;
}

}  // namespace

const std::vector<Header>& metal_headers() {
  static const std::vector<Header> headers = [] {
    auto all = embedded_headers;
    all.push_back({"__attributes", attribute_macros()});
    return all;
  }();
  return headers;
}

}  // namespace msci
