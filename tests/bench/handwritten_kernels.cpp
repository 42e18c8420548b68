#include "tests/bench/handwritten_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace msci {

namespace {

Result<std::string_view> find_file(std::string_view name) {
  const auto found = std::find_if(handwritten_files.begin(), handwritten_files.end(),
                                  [&](const EmbeddedText& file) { return file.name == name; });
  if (found == handwritten_files.end())
    return Error{fmt::format("tests/bench/handwritten/{} is missing; write it", name)};
  return found->text;
}

Result<std::string> text_behind(std::string_view header_name, std::string_view task) {
  const auto header = find_file(header_name);
  if (!header) return header.error();
  const auto kernels = find_file(fmt::format("{}.cl", task));
  if (!kernels) return kernels.error();
  return fmt::format("{}\n{}", *header, *kernels);
}

// Other kernels with the seed's interface; their symbols are the plain names.
Translation with_interface_of(const Translation& seed, std::string text) {
  Translation made{
      .source_name = seed.source_name, .text = std::move(text), .kernels = seed.kernels};
  for (auto& kernel : made.kernels) kernel.symbol = kernel.name;
  return made;
}

}  // namespace

Result<Translation> handwritten_opencl(std::string_view task, const Translation& seed) {
  auto text = text_behind("opencl_prelude.h", task);
  if (!text) return text.error();
  return with_interface_of(seed, *std::move(text));
}

Result<std::string> handwritten_cuda_text(std::string_view task) {
  return text_behind("cuda_prelude.h", task);
}

Translation handwritten_cuda(std::string image, const Translation& seed) {
  return with_interface_of(seed, std::move(image));
}

}  // namespace msci
