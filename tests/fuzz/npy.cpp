// An array of NumPy's, and its elements.
#include "tasks/plan/npy.h"

#include "tasks/plan/elements.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  if (!msci::is_npy(bytes)) return 0;
  const auto array = msci::read_npy(bytes);
  if (!array) {
    msci::promise(!array.error().message.empty());
    return 0;
  }
  const auto width = msci::element_bytes(array->type);
  msci::promise(width && array->contents.size() % *width == 0);
  if (!array->contents.empty())
    msci::get_element(array->type, array->contents, array->contents.size() / *width - 1);
  return 0;
}
