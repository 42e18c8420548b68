#include "evaluator/modes/prove/assumptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include "analysis/check/fault_table.h"
#include "base/scalar.h"

namespace msci {
namespace {

// The integers of a plan's launches that assumptions name.
class AssumedValues {
 public:
  AssumedValues(const Plan& plan, const Translation& checked, Program& program)
      : plan_(plan), checked_(checked), program_(program) {}

  std::optional<Error> error;  // of a run

  std::optional<std::int64_t> value(const AssumedNumber& number, std::size_t launch) {
    const auto& at = plan_.launches[launch];
    const auto side = [&](const Extent& extent) {
      return number.dimension == 0 ? extent.x : number.dimension == 1 ? extent.y : extent.z;
    };
    if (number.kind == AssumedNumber::Kind::grid) return side(at.grid);
    if (number.kind == AssumedNumber::Kind::threadgroup) return side(at.threadgroup);
    const auto& kernel = *checked_.find(at.kernel);
    for (const auto& argument : kernel.arguments) {
      if (argument.name != number.name) continue;
      const auto binding =
          std::find_if(at.bindings.begin(), at.bindings.end(), [&](const auto& each) {
            return each.kind == argument.kind && each.index == argument.index;
          });
      if (binding == at.bindings.end()) return std::nullopt;
      const auto bytes = plan_.buffers[binding->buffer].bytes;
      if (number.kind == AssumedNumber::Kind::length)
        return static_cast<std::int64_t>((bytes - std::min(bytes, binding->offset)) /
                                         bytes_of_element(argument.type).value_or(1));
      return number_in(contents(binding->buffer, launch), binding->offset, argument.type);
    }
    return std::nullopt;
  }

 private:
  static std::optional<std::int64_t> number_in(const Bytes& bytes, std::size_t offset,
                                               std::string_view type) {
    const auto size = scalar_of(type)->bytes;
    if (offset > bytes.size() || bytes.size() - offset < size || size > sizeof(std::uint64_t))
      return std::nullopt;
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data() + offset, size);
    if (!is_unsigned_scalar(type) && size < sizeof number) {
      const auto sign = std::uint64_t{1} << (8 * size - 1);
      return static_cast<std::int64_t>((number ^ sign) - sign);
    }
    if (is_unsigned_scalar(type) && number > std::numeric_limits<std::int64_t>::max())
      return std::nullopt;
    return static_cast<std::int64_t>(number);
  }

  bool is_written_before(std::size_t buffer, std::size_t launch) const {
    for (std::size_t i = 0; i < launch; ++i) {
      const auto& at = plan_.launches[i];
      const auto* kernel = checked_.find(at.kernel);
      if (!kernel || (kernel->anywhere && kernel->anywhere->written)) return true;
      for (std::size_t a = 0; a < kernel->arguments.size() && a < kernel->objects.size(); ++a)
        for (const auto& each : at.bindings)
          if (each.buffer == buffer && kernel->objects[a].written &&
              each.kind == kernel->arguments[a].kind && each.index == kernel->arguments[a].index)
            return true;
    }
    return false;
  }

  // Of a buffer before a launch; empty where they are not known.
  const Bytes& contents(std::size_t buffer, std::size_t launch) {
    const bool is_written = is_written_before(buffer, launch);
    auto [known, is_new] = contents_.try_emplace({buffer, is_written ? launch : 0});
    if (!is_new) return known->second;
    if (is_written) {
      known->second = after_run(buffer, launch);
    } else if (!plan_.buffers[buffer].poison) {
      known->second = plan_.buffers[buffer].initial;
      if (known->second.empty())
        known->second = std::vector<std::byte>(plan_.buffers[buffer].bytes);
    }
    return known->second;
  }

  Bytes after_run(std::size_t buffer, std::size_t launch) {
    auto part = plan_;
    part.launches.resize(launch);
    part.results = {buffer};
    auto ran = program_.run(part, verify_only);
    if (!ran) {
      error = ran.error();
      return {};
    }
    auto* run = std::get_if<Run>(&*ran);
    return run && !run->outputs.empty() ? run->outputs.front() : Bytes();
  }

  const Plan& plan_;
  const Translation& checked_;
  Program& program_;
  std::map<std::pair<std::size_t, std::size_t>, Bytes> contents_;
};

}  // namespace

Result<std::vector<Assumption>> assumptions_for(const Candidate& candidate,
                                                const std::vector<std::string>& options) {
  std::vector<Assumption> all;
  for (const auto& text : options) {
    auto read = parse_assumption(text);
    if (!read) return read.error();
    all.push_back(*std::move(read));
  }
  auto of_source = assumptions_in({candidate.name, candidate.source});
  if (!of_source) return of_source.error();
  std::move(of_source->begin(), of_source->end(), std::back_inserter(all));
  if (!candidate.compiled || !candidate.compiled->translation) return all;
  for (const auto& assumption : all) {
    bool is_of_any = false;
    std::string mistake;
    for (const auto& kernel : candidate.compiled->translation->kernels) {
      is_of_any = is_of_any || is_about(assumption, kernel);
      if (mistake.empty()) mistake = misunderstanding(assumption, kernel);
    }
    if (!is_of_any && !mistake.empty()) return Error{mistake};
    if (!is_of_any)
      return Error{fmt::format(
          "{}: no kernel has all arguments that the assumption `{}` names, and only reads them",
          candidate.name, assumption.text)};
  }
  return all;
}

Result<std::vector<Diagnostic>> broken_assumptions(const std::vector<Assumption>& assumptions,
                                                   const Plan& plan, const Translation& checked,
                                                   Program& program) {
  std::vector<Diagnostic> findings;
  AssumedValues numbers(plan, checked, program);
  for (const auto& assumption : assumptions)
    for (std::size_t i = 0; i < plan.launches.size(); ++i) {
      const auto* kernel = checked.find(plan.launches[i].kernel);
      if (!kernel || !is_about(assumption, *kernel)) continue;
      const auto value = [&](const AssumedNumber& each) { return numbers.value(each, i); };
      const auto holds = msci::holds(assumption, value);
      if (numbers.error) return *numbers.error;
      if (holds.value_or(true)) continue;
      std::string text;
      for (const auto& each : assumption.numbers())
        text +=
            fmt::format("{}{} is {}", text.empty() ? ": " : ", ", to_string(each), *value(each));
      auto finding = describe({.kind = Fault::Kind::assumption,
                               .kernel = kernel->name,
                               .object = assumption.text,
                               .numbers = {i}},
                              checked);
      finding.place = assumption.place;
      finding.message += text;
      findings.push_back(std::move(finding));
      break;
    }
  return findings;
}

}  // namespace msci
