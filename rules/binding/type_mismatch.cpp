#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include "lint/arguments.h"
#include "lint/rule.h"

namespace msci {
namespace {

std::string_view kind_of(const Scalar& scalar) {
  return scalar.is_floating ? "floating-point" : "whole";
}

// "4-byte floating-point numbers"
std::string described(const Scalar& scalar) {
  return fmt::format("{}-byte {} numbers", scalar.bytes, kind_of(scalar));
}

void check_promise(const Promise& promise, const BufferArgument& argument, Reporter& report) {
  const auto bound = scalar_of(promise.type);
  if (!bound || !argument.scalar) return;
  const auto& from = report.expectation().from;
  const auto place = argument.parameter->getLocation();
  if (*bound != *argument.scalar) {
    report(place, fmt::format("{} binds '{}' to index {}: {}, which are not read as '{}'", from,
                              promise.type, promise.index, described(*bound), argument.spelling));
    return;
  }
  // One value is bound, and more than one is taken.
  const bool is_value = promise.type.find('&') != std::string::npos;
  const auto bytes = bound->bytes * lanes_of(promise.type);
  if (is_value && argument.bytes && *argument.bytes > bytes)
    report(place, fmt::format("{} binds {} bytes to index {}, and '{}' takes {}", from, bytes,
                              promise.index, argument.name, *argument.bytes));
}

void check_binding(const HostBinding& binding, const BufferArgument& argument, const Kernel& kernel,
                   Reporter& report) {
  const bool too_few = binding.bytes && !binding.is_buffer && argument.is_reference &&
                       argument.bytes && *binding.bytes < *argument.bytes;
  if (too_few) {
    report.in_host(
        binding.range,
        fmt::format("{} bytes are bound to index {}, and '{}' takes {} for '{}'", *binding.bytes,
                    binding.index, kernel.name, *argument.bytes, argument.name));
    return;
  }
  const auto bound = scalar_of(binding.type);
  if (bound && argument.scalar && *bound != *argument.scalar)
    report.in_host(binding.range, fmt::format("{} are bound to index {}, and '{}' takes '{}' as {}",
                                              described(*bound), binding.index, kernel.name,
                                              argument.name, described(*argument.scalar)));
}

void check_host(const Host& host, const Kernel& kernel, const BufferArgument& argument,
                Reporter& report) {
  for (const auto& dispatch : host.dispatched)
    if (dispatch.kernel == kernel.name)
      for (const auto& binding : dispatch.bindings)
        if (binding.index == argument.index) check_binding(binding, argument, kernel, report);
}

}  // namespace

extern constinit const Rule type_mismatch{
    .severity = Severity::warning,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto& expectation = report.expectation();
          for (const auto& kernel : unit.kernels())
            for (const auto& argument : buffer_arguments(kernel, unit)) {
              for (const auto& promise : expectation.promises)
                if (promise.kernel == kernel.name && promise.index == argument.index)
                  check_promise(promise, argument, report);
              if (expectation.host) check_host(*expectation.host, kernel, argument, report);
            }
        },
};

}  // namespace msci
