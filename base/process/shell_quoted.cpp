#include "base/process/shell_quoted.h"

namespace msci {

std::string shell_quoted(std::string_view word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace msci
