#include "runtime/engine/queue/compiled_kernels.h"

#include <fmt/format.h>

namespace msci::engine {

Result<const CompiledKernel*> Kernels::find(const std::string& symbol, std::optional<Extent> shape,
                                            const Execution& execution, bool distinct, bool counted,
                                            bool brief) {
  const bool covered = execution.counted && !execution.lane_by_lane;
  const bool quickly = brief && translation_.is_checked();
  const auto key_of = [&](const std::optional<Extent>& shape) {
    return fmt::format("{} {} {} {} {} {} {} {}", symbol,
                       shape ? fmt::format("{}x{}x{}", shape->x, shape->y, shape->z) : "any",
                       execution.vector_bits, execution.lane_by_lane, distinct, counted, covered,
                       quickly);
  };
  if (brief && !compiled_.contains(key_of(shape))) shape.reset();
  const auto key = key_of(shape);
  if (const auto found = compiled_.find(key); found != compiled_.end()) return &found->second;
  auto options = options_of(symbol, distinct);
  options.shape = shape;
  options.vector_bits = execution.vector_bits;
  options.counted = counted;
  options.covered = covered;
  auto compiled = jit_.compile(translation_.ir, symbol, options, execution.lane_by_lane, quickly);
  if (!compiled) return compiled.error();
  return &compiled_.emplace(key, *compiled).first->second;
}

Result<std::string> Kernels::assembly(const std::string& symbol) {
  auto options = options_of(symbol, /*distinct=*/true);
  options.with_lines = true;
  return jit_.assembly(translation_.ir, symbol, options);
}

VectorOptions Kernels::options_of(const std::string& symbol, bool distinct) const {
  VectorOptions options{.checked = translation_.is_checked()};
  for (const auto& kernel : translation_.kernels) {
    if (kernel.symbol != symbol) continue;
    for (const auto& argument : kernel.arguments) {
      const bool is_buffer = is_device_memory(argument.kind);
      options.alone.push_back(is_buffer && distinct);
      options.constant.push_back(is_buffer && argument.constant);
      if (!is_buffer) continue;
      options.alone.push_back(false);  // the offset
      options.constant.push_back(false);
    }
  }
  return options;
}

}  // namespace msci::engine
