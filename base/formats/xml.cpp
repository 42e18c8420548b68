#include "base/formats/xml.h"

#include "base/text.h"

namespace msci {

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char c : valid_utf8(text)) switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      case '\n':
        escaped += "&#10;";  // a line feed in an attribute would become a space
        break;
      default:
        escaped += c;
    }
  return escaped;
}

}  // namespace msci
