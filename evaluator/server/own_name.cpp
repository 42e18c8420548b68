#include "evaluator/server/own_name.h"

#include <fmt/format.h>

#include "base/json.h"

namespace msci {

std::string own_name_of(const std::string& digest) {
  return fmt::format("source-{}.metal", digest.substr(0, 32));
}

std::string with_name(std::string_view json, const std::string& own_name, const std::string& name) {
  const auto quoted = to_line(OrderedJson(name));
  const auto escaped = std::string_view(quoted).substr(1, quoted.size() - 2);
  std::string result;
  for (std::size_t at = 0;;) {
    const auto next = json.find(own_name, at);
    result += json.substr(at, next == json.npos ? next : next - at);
    if (next == json.npos) return result;
    result += escaped;
    at = next + own_name.size();
  }
}

}  // namespace msci
