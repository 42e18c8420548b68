#include "evaluator/device/plan_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace msci {
namespace {

constexpr std::size_t slack_unit = 4096;
constexpr std::size_t slack_limit = std::size_t{1} << 20;
constexpr unsigned char slack_byte = 0xff;                            // NaN as float and as half
constexpr std::array<unsigned char, 3> poisons = {0x5a, 0xff, 0x7f};  // 2e16, NaN and 3e38

// Buffers that some launch binds and no launch may write.
std::vector<std::size_t> constant_buffers(const Plan& plan, const Translation& translation) {
  enum class Use { none, read, written };
  std::vector<Use> uses(plan.buffers.size(), Use::none);
  for (const auto& launch : plan.launches) {
    const auto* kernel = translation.find(launch.kernel);
    for (const auto& argument : kernel->arguments)
      for (const auto& binding : launch.bindings)
        if (argument.kind == KernelArgument::Kind::buffer && argument.index == binding.index)
          uses[binding.buffer] =
              argument.constant ? std::max(uses[binding.buffer], Use::read) : Use::written;
  }
  std::vector<std::size_t> constant;
  for (std::size_t i = 0; i < uses.size(); ++i)
    if (uses[i] == Use::read) constant.push_back(i);
  return constant;
}

bool holds_only(std::span<const std::byte> contents, unsigned char value) {
  return std::all_of(contents.begin(), contents.end(),
                     [=](std::byte each) { return each == std::byte{value}; });
}

bool holds_initial(std::span<const std::byte> contents, const PlanBuffer& buffer) {
  if (buffer.initial.empty()) return holds_only(contents, 0);
  return std::equal(contents.begin(), contents.end(), buffer.initial.begin());
}

}  // namespace

std::size_t slack_beside(std::size_t bytes) {
  const auto rounded = (bytes + slack_unit - 1) / slack_unit * slack_unit;
  return std::clamp(rounded, slack_unit, slack_limit);
}

std::optional<Error> PlanBuffers::allocate() {
  for (const auto& buffer : plan_.buffers) {
    const auto slack = slack_beside(buffer.bytes);
    const auto bytes = slack + buffer.bytes + slack;
    const auto memory = queue_.allocate(bytes);
    if (!memory)
      return Error{fmt::format("the device cannot give {} bytes for buffer {} ({})", bytes,
                               buffer.name, memory.error().message)};
    buffers_.push_back({*memory, buffer.bytes, slack});
  }
  return std::nullopt;
}

std::optional<Error> PlanBuffers::reset() {
  ++resets_;
  for (std::size_t i = 0; i < buffers_.size(); ++i)
    if (auto error = while_doing("resetting " + plan_.buffers[i].name, reset(i))) return error;
  return std::nullopt;
}

std::optional<Error> PlanBuffers::reset(std::size_t buffer) {
  const auto& from = plan_.buffers[buffer];
  const auto& to = buffers_[buffer];
  const auto beside = slack_byte_of(buffer);
  if (auto error = queue_.fill(to.memory, 0, to.slack, beside)) return error;
  if (auto error = queue_.fill(to.memory, to.slack + to.bytes, to.slack, beside)) return error;
  if (to.bytes == 0) return std::nullopt;
  if (from.poison)
    return queue_.fill(to.memory, to.slack, to.bytes, poisons[resets_ % poisons.size()]);
  const bool is_first = resets_ == 1;
  if (!from.reset && !is_first) return std::nullopt;
  if (from.initial.empty()) return queue_.fill(to.memory, to.slack, to.bytes, 0);
  return queue_.write(to.memory, to.slack, from.initial);
}

unsigned char PlanBuffers::slack_byte_of(std::size_t buffer) const {
  return plan_.vary_slack ? poisons[(resets_ + buffer) % poisons.size()] : slack_byte;
}

Result<std::optional<Failure>> PlanBuffers::find_changed_constant() const {
  for (const auto i : constant_buffers(plan_, translation_)) {
    const auto& buffer = plan_.buffers[i];
    const auto& from = buffers_[i];
    if (from.bytes == 0) continue;
    const auto unchanged = queue_.test(from.memory, from.slack, from.bytes, [&](auto contents) {
      return holds_initial(contents, buffer);
    });
    if (!unchanged) return *while_doing("reading " + buffer.name, unchanged.error());
    if (!*unchanged)
      return std::optional(
          Failure{Failure::Cause::wrote_constant,
                  fmt::format("the kernel changed {}, which it may only read", buffer.name)});
  }
  return std::optional<Failure>();
}

Result<Outputs> PlanBuffers::read_results() const {
  Outputs outputs;
  for (const auto i : plan_.results) {
    const auto& from = buffers_[i];
    std::vector<std::byte> contents(from.bytes);
    if (!contents.empty())
      if (auto error = while_doing("reading " + plan_.buffers[i].name,
                                   queue_.read(from.memory, from.slack, contents)))
        return *error;
    outputs.push_back({std::move(contents)});
  }
  return outputs;
}

std::optional<Error> PlanBuffers::find_overruns(std::vector<std::string>& names) const {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const auto& name = plan_.buffers[i].name;
    const auto untouched = is_slack_untouched(i);
    if (!untouched) return while_doing("reading the slack of " + name, untouched.error());
    if (!*untouched && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  return std::nullopt;
}

Result<bool> PlanBuffers::is_slack_untouched(std::size_t buffer) const {
  const auto& [memory, bytes, slack] = buffers_[buffer];
  const auto is_untouched = [filling = slack_byte_of(buffer)](auto contents) {
    return holds_only(contents, filling);
  };
  const auto before = queue_.test(memory, 0, slack, is_untouched);
  if (!before || !*before) return before;
  return queue_.test(memory, slack + bytes, slack, is_untouched);
}

}  // namespace msci
