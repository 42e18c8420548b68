// Lists.
#pragma once

#include <vector>

namespace msci {

// Adds the elements of `more` to the end of `list`.
template <typename T>
void append(std::vector<T>& list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace msci
