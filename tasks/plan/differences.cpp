#include <fmt/format.h>

#include "tasks/plan/task.h"

namespace msci {

std::string difference_text(const std::string& place, const std::string& got,
                            const std::string& expected) {
  return fmt::format("{} is {}, not {}", place, got, expected);
}

}  // namespace msci
