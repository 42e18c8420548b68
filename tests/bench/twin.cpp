#include "tests/bench/twin.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace msci {

namespace {

Result<std::string_view> twin_file(std::string_view name) {
  const auto found = std::find_if(twin_files.begin(), twin_files.end(),
                                  [&](const EmbeddedText& file) { return file.name == name; });
  if (found == twin_files.end())
    return Error{fmt::format("there is no twin {0}; write tests/bench/twins/{0}", name)};
  return found->text;
}

Result<std::string> text_behind(std::string_view words, std::string_view task) {
  const auto header = twin_file(words);
  if (!header) return header.error();
  const auto twin = twin_file(fmt::format("{}.cl", task));
  if (!twin) return twin.error();
  return fmt::format("{}\n{}", *header, *twin);
}

// What a host must know of a twin is what it must know of the seed; only kernels carry their plain
// names.
Translation in_place_of(const Translation& seed, std::string text) {
  Translation twin{
      .source_name = seed.source_name, .text = std::move(text), .kernels = seed.kernels};
  for (auto& kernel : twin.kernels) kernel.symbol = kernel.name;
  return twin;
}

}  // namespace

Result<Translation> opencl_twin(std::string_view task, const Translation& seed) {
  auto text = text_behind("opencl.h", task);
  if (!text) return text.error();
  return in_place_of(seed, *std::move(text));
}

Result<std::string> cuda_text(std::string_view task) { return text_behind("cuda.h", task); }

Translation cuda_twin(std::string image, const Translation& seed) {
  return in_place_of(seed, std::move(image));
}

}  // namespace msci
