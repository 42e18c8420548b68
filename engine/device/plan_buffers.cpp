#include "engine/device/plan_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>

#include "tasks/plan/bindings.h"

namespace msci {
namespace {

constexpr std::size_t slack_unit = 4096;  // a page of memory
constexpr std::size_t slack_limit = std::size_t{1} << 20;
constexpr std::byte slack_byte{0xff};  // NaN as float and as half

std::size_t in_units(std::size_t bytes) {
  return (bytes + slack_unit - 1) / slack_unit * slack_unit;
}

// Buffers that some launch binds and no launch may write.
std::vector<std::size_t> constant_buffers(const Plan& plan, const Translation& translation) {
  enum class Use { none, read, written };
  std::vector<Use> uses(plan.buffers.size(), Use::none);
  for (const auto& launch : plan.launches) {
    const auto* kernel = translation.find(launch.kernel);
    for (const auto& argument : kernel->arguments)
      for (const auto& binding : launch.bindings)
        if (binds(binding, argument))
          uses[binding.buffer] =
              argument.constant ? std::max(uses[binding.buffer], Use::read) : Use::written;
  }
  // A pointer in memory leads kernels to a buffer whether they are bound to it or not.
  for (const auto& buffer : plan.buffers)
    for (const auto& pointer : buffer.pointers)
      if (!pointer.read_only) uses[pointer.buffer] = Use::written;
  std::vector<std::size_t> constant;
  for (std::size_t i = 0; i < uses.size(); ++i)
    if (uses[i] == Use::read) constant.push_back(i);
  return constant;
}

bool holds_only(std::span<const std::byte> contents, unsigned char value) {
  return contents.empty() ||
         (contents.front() == std::byte{value} &&
          std::memcmp(contents.data(), contents.data() + 1, contents.size() - 1) == 0);
}

// Much faster than std::equal() for bytes.
bool holds(std::span<const std::byte> contents, std::span<const std::byte> expected) {
  return contents.size() == expected.size() &&
         std::memcmp(contents.data(), expected.data(), expected.size()) == 0;
}

// No kernel can restore what it has overwritten of this.
void fill_randomly(std::vector<std::byte>& filling) {
  std::mt19937_64 random{std::random_device{}()};
  for (std::size_t i = 0; i < filling.size(); i += sizeof(std::uint64_t)) {
    const std::uint64_t word = random();
    std::memcpy(&filling[i], &word, sizeof word);
  }
}

// The contents of a buffer in a variant of the plan; empty for zeros.
std::span<const std::byte> planned_contents(const PlanBuffer& buffer, std::size_t variant) {
  return variant == 0 || buffer.variants.empty() ? buffer.initial : buffer.variants[variant - 1];
}

constexpr std::size_t address_bytes = sizeof(std::uint64_t);
constexpr std::size_t function_bytes = sizeof(std::uint32_t);

void add_once(const std::string& name, std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

std::size_t slack_before(std::size_t bytes) {
  return std::clamp(in_units(bytes), slack_unit, slack_limit);
}

std::size_t slack_after(std::size_t bytes) { return slack_before(bytes) + in_units(bytes) - bytes; }

std::optional<Error> PlanBuffers::allocate() {
  std::size_t largest = 0;
  for (const auto& buffer : plan_.buffers) largest = std::max(largest, slack_after(buffer.bytes));
  // What a checked kernel reads there is reported: zeros end its loops soonest.
  filling_.assign(2 * in_units(largest), translation_.is_checked() ? std::byte{0} : slack_byte);
  if (plan_.vary_slack && !translation_.is_checked()) fill_randomly(filling_);
  for (const auto& buffer : plan_.buffers) {
    const auto before = slack_before(buffer.bytes), after = slack_after(buffer.bytes);
    const auto bytes = before + buffer.bytes + after;
    const auto memory = queue_.allocate(bytes);
    if (!memory)
      return Error{fmt::format("the device cannot give {} bytes for buffer {} ({})", bytes,
                               buffer.name, memory.error().message)};
    buffers_.push_back({*memory, buffer.bytes, before, after});
  }
  return while_doing("finding where the buffers lie", write_pointers());
}

std::optional<Error> PlanBuffers::write_pointers() {
  std::vector<std::optional<std::uint64_t>> addresses(buffers_.size());
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const auto& buffer = plan_.buffers[i];
    if (buffer.pointers.empty() && buffer.functions.empty()) continue;
    for (std::size_t variant = 0; variant <= buffer.variants.size(); ++variant) {
      const auto planned = planned_contents(buffer, variant);
      auto& contents = buffers_[i].with_pointers.emplace_back(planned.begin(), planned.end());
      contents.resize(buffer.bytes);
    }
    for (const auto& pointer : buffer.pointers) {
      const auto& target = buffers_[pointer.buffer];
      auto& address = addresses[pointer.buffer];
      if (!address) {
        const auto found = queue_.address(target.memory);
        if (!found) return found.error();
        address = *found;
      }
      const std::uint64_t word = *address + target.before + pointer.offset;
      for (auto& contents : buffers_[i].with_pointers)
        std::memcpy(&contents[pointer.at], &word, address_bytes);
    }
    for (const auto& function : buffer.functions) {
      const auto& functions = translation_.tables.functions;
      const auto found = std::ranges::find(functions, function.name, &TableFunction::name);
      const auto number = static_cast<std::uint32_t>(found - functions.begin() + 1);
      for (auto& contents : buffers_[i].with_pointers)
        std::memcpy(&contents[function.at], &number, sizeof number);
    }
  }
  return std::nullopt;
}

// Empty for zeros.
std::span<const std::byte> PlanBuffers::contents_of(std::size_t buffer, std::size_t variant) const {
  const auto& all = buffers_[buffer].with_pointers;
  if (all.empty()) return planned_contents(plan_.buffers[buffer], variant);
  return all[plan_.buffers[buffer].variants.empty() ? 0 : variant];
}

std::optional<Error> PlanBuffers::reset(std::size_t variant) {
  ++resets_;
  variant_ = variant;
  // Never the same in two passes in a row.
  junk_ = (junk_ + 1 + random_() % (junk_bytes.size() - 1)) % junk_bytes.size();
  for (std::size_t i = 0; i < buffers_.size(); ++i)
    if (auto error = while_doing("resetting " + plan_.buffers[i].name, fill(i))) return error;
  return std::nullopt;
}

std::optional<Error> PlanBuffers::fill(std::size_t buffer) {
  const auto& to = buffers_[buffer];
  if (auto error = fill_contents(buffer)) return error;
  if (auto error = queue_.write(to.memory, 0, slack_of(buffer, Side::before))) return error;
  return queue_.write(to.memory, to.before + to.bytes, slack_of(buffer, Side::after));
}

std::optional<Error> PlanBuffers::fill_contents(std::size_t buffer) {
  const auto& from = plan_.buffers[buffer];
  auto& to = buffers_[buffer];
  if (to.bytes == 0) return std::nullopt;
  if (from.poison) return queue_.fill(to.memory, to.before, to.bytes, junk_bytes[junk_]);
  const bool holds_it = to.is_filled && (to.contents == variant_ || from.variants.empty());
  if (!from.reset && holds_it) return std::nullopt;
  to.contents = variant_;
  to.is_filled = true;
  const auto contents = contents_of(buffer, variant_);
  if (contents.empty()) return queue_.fill(to.memory, to.before, to.bytes, 0);
  return queue_.write(to.memory, to.before, contents);
}

std::span<const std::byte> PlanBuffers::slack_of(std::size_t buffer, Side side) const {
  constexpr std::size_t step = 8 * 1021;  // so that neighbours and passes in a row differ
  const auto number = 2 * (resets_ * buffers_.size() + buffer) + (side == Side::after);
  const auto first = number * step % (filling_.size() / 2);
  const auto& to = buffers_[buffer];
  return std::span(filling_).subspan(first, side == Side::before ? to.before : to.after);
}

bool PlanBuffers::holds_initial(std::span<const std::byte> contents, std::size_t buffer) const {
  const auto initial = contents_of(buffer, variant_);
  if (initial.empty()) return holds_only(contents, 0);
  return holds(contents, initial);
}

Result<std::optional<Failure>> PlanBuffers::find_changed_constant(
    std::vector<std::string>& changed) {
  const auto declared = constant_buffers(plan_, translation_);
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const auto& buffer = plan_.buffers[i];
    auto& from = buffers_[i];
    const bool is_declared = std::find(declared.begin(), declared.end(), i) != declared.end();
    if (from.bytes == 0 || !(is_declared || buffer.constant)) continue;
    const auto unchanged = queue_.test(from.memory, from.before, from.bytes,
                                       [&](auto contents) { return holds_initial(contents, i); });
    if (!unchanged) return *while_doing("reading " + buffer.name, unchanged.error());
    if (*unchanged) continue;
    if (is_declared)
      return std::optional(
          Failure{Failure::Cause::wrote_constant,
                  fmt::format("the kernel changed {}, which it may only read", buffer.name)});
    add_once(buffer.name, changed);
    from.is_filled = false;
  }
  return std::optional<Failure>();
}

// Replaces what the plan wrote there for the device by what the plan has in its place. A number
// that a kernel wrote must not pass for that, so it becomes another one.
void PlanBuffers::put_plan_back(std::size_t buffer, std::span<std::byte> word,
                                std::size_t at) const {
  const auto planned = planned_contents(plan_.buffers[buffer], variant_);
  std::vector<std::byte> in_plan(word.size());
  if (!planned.empty()) std::memcpy(in_plan.data(), &planned[at], word.size());
  if (std::memcmp(word.data(), &contents_of(buffer, variant_)[at], word.size()) == 0)
    std::ranges::copy(in_plan, word.begin());
  else if (std::ranges::equal(word, in_plan))
    for (auto& byte : word) byte = ~byte;
}

Result<std::vector<std::byte>> PlanBuffers::read(std::size_t buffer) const {
  const auto& from = buffers_[buffer];
  std::vector<std::byte> contents(from.bytes);
  if (contents.empty()) return contents;
  if (auto error = while_doing("reading " + plan_.buffers[buffer].name,
                               queue_.read(from.memory, from.before, contents)))
    return *error;
  for (const auto& pointer : plan_.buffers[buffer].pointers)
    put_plan_back(buffer, std::span(contents).subspan(pointer.at, address_bytes), pointer.at);
  for (const auto& function : plan_.buffers[buffer].functions)
    put_plan_back(buffer, std::span(contents).subspan(function.at, function_bytes), function.at);
  return contents;
}

Result<Outputs> PlanBuffers::keep_results() const {
  Outputs outputs;
  for (const auto i : plan_.results) {
    auto kept = keep(i);
    if (!kept) return *while_doing("keeping " + plan_.buffers[i].name, kept.error());
    outputs.push_back(*std::move(kept));
  }
  return outputs;
}

Result<Bytes> PlanBuffers::keep(std::size_t buffer) const {
  const auto& from = buffers_[buffer];
  if (from.bytes == 0) return Bytes();
  if (!from.with_pointers.empty()) {
    const auto contents = read(buffer);
    if (!contents) return contents.error();
    return shared_.keep(*contents);
  }
  Result<Bytes> kept = Bytes();
  const auto seen = queue_.test(from.memory, from.before, from.bytes, [&](auto contents) {
    kept = shared_.keep(contents);
    return true;
  });
  if (!seen) return seen.error();
  return kept;
}

Result<bool> PlanBuffers::has_results(const Outputs& outputs) const {
  for (std::size_t i = 0; i < plan_.results.size(); ++i) {
    const auto result = plan_.results[i];
    const auto& from = buffers_[result];
    if (from.bytes == 0) continue;
    if (!from.with_pointers.empty()) {
      const auto contents = read(result);
      if (!contents) return contents.error();
      if (!holds(*contents, outputs[i])) return false;
      continue;
    }
    const auto same = queue_.test(from.memory, from.before, from.bytes,
                                  [&](auto contents) { return holds(contents, outputs[i]); });
    if (!same) return *while_doing("reading " + plan_.buffers[result].name, same.error());
    if (!*same) return false;
  }
  return true;
}

std::optional<Error> PlanBuffers::find_overruns(std::vector<std::string>& names) const {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const auto& name = plan_.buffers[i].name;
    const auto untouched = is_slack_untouched(i);
    if (!untouched) return while_doing("reading the slack of " + name, untouched.error());
    if (!*untouched) add_once(name, names);
  }
  return std::nullopt;
}

Result<bool> PlanBuffers::is_slack_untouched(std::size_t buffer) const {
  const auto& to = buffers_[buffer];
  const auto holds = [&](std::size_t offset, Side side) {
    const auto filling = slack_of(buffer, side);
    return queue_.test(to.memory, offset, filling.size(), [&](auto contents) {
      return std::memcmp(contents.data(), filling.data(), filling.size()) == 0;
    });
  };
  const auto before = holds(0, Side::before);
  if (!before || !*before) return before;
  return holds(to.before + to.bytes, Side::after);
}

}  // namespace msci
