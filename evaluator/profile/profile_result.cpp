#include "evaluator/profile/profile_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/profile/advice.h"
#include "analysis/profile/claim.h"
#include "base/text.h"
#include "evaluator/result/json_fields.h"

namespace msci {
namespace {

// A launch with its prediction.
struct LaunchFields {
  LaunchProfile profile;
  LaunchPrediction prediction;
};

struct SizeFields {
  std::string label;
  PredictedPass pass;
  std::vector<LaunchFields> launches;
};

std::vector<SizeFields> sizes_of(const ProfileResult& result) {
  std::vector<SizeFields> sizes;
  const auto* profiled = std::get_if<Profiled>(&result.result);
  if (!profiled) return sizes;
  for (const auto& [label, profile, prediction] : profiled->sizes) {
    auto& size = sizes.emplace_back(
        SizeFields{label, predicted_pass(profile, prediction, m1_pro_calibration.range), {}});
    for (std::size_t i = 0; i < profile.launches.size(); ++i)
      size.launches.push_back({profile.launches[i], prediction.launches[i]});
  }
  return sizes;
}

std::string extent_text(const Extent& extent) {
  return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

}  // namespace

void describe(Fields& field, const std::array<double, work_kinds>& work) {
  for (std::size_t i = 0; i < work_kinds; ++i)
    field(std::string(to_string(static_cast<WorkKind>(i))).c_str(), work[i]);
}

void describe(Fields& field, const std::array<double, bound_count>& seconds) {
  for (std::size_t i = 0; i < bound_count; ++i)
    field(std::string(to_string(static_cast<Bound>(i))).c_str(), seconds[i]);
}

void describe(Fields& field, const LaunchFields& launch) {
  const auto& [profile, prediction] = launch;
  field("kernel", profile.kernel, "as the host calls it");
  field("grid", extent_text(profile.grid), "threads");
  field("threadgroup", extent_text(profile.threadgroup), "threads");
  field("launches", profile.weight, "equal launches that this one stands for");
  field("threadgroups", profile.groups, "of a launch");
  field("counted_threadgroups", profile.counted, "those that were counted; the others are alike");
  field("count_error", profile.count_error,
        "by which their instructions may differ from all threadgroups', in 19 of 20 cases");
  field("after_gap", profile.is_after_gap,
        "whether it may have read what a launch before it did not compute, to save time");
  field("simdgroups", profile.simdgroups, "of a threadgroup");
  field("instructions", profile.work, "by kind, that a simdgroup executes in the mean");
  field("active_lanes", profile.active_lanes, "of 32, in the mean over the instructions");
  field("chain_cycles", profile.chain, "that a simdgroup alone would wait for its own results");
  field("device_waits", profile.device_waits, "for loads, one after another, of a simdgroup");
  field("threadgroup_waits", profile.threadgroup_waits, "the same of threadgroup memory");
  field("device_lines", profile.device_lines, "of 128 bytes that a simdgroup's accesses touch");
  field("device_sectors", profile.device_sectors, "of 32 bytes");
  field("used_bytes", profile.used_bytes, "that its lanes ask for");
  field("core_misses", profile.core_misses, "lines that the core's cache lacks");
  field("first_loads", profile.first_loads,
        "lines that neither it nor a neighbouring threadgroup loaded before");
  field("first_stores", profile.first_stores, "or stored");
  field("bank_cycles", profile.bank_cycles, "turns of the banks of threadgroup memory");
  field("atomic_turns", profile.atomic_turns, "distinct addresses of atomics");
  const auto registers = register_interval(profile.registers, profile.thread_limit);
  field("registers", profile.registers, "of 16 bits, that a thread needs at once");
  field("registers_low", registers.low, "that Apple's compiler gives a thread, at least");
  field("registers_high", registers.high, "and at most");
  field("thread_limit", profile.thread_limit,
        "threads of a threadgroup, as the kernel declares; 0 for none");
  field("private_bytes", profile.private_bytes, "of private arrays in memory, of a thread");
  field("threadgroup_bytes", profile.threadgroup_bytes, "of a threadgroup");
  field("simdgroups_per_core", prediction.occupancy.simdgroups, "that a core can hold");
  field("predicted_seconds", prediction.seconds, "of one launch");
  field("parts", prediction.parts, "seconds if nothing but one part took time");
  field("bound_by", std::string(to_string(prediction.bound())), "the part that takes longest");
  field("advice", advice_on(profile, prediction), "what bounds it, and what to try");
  field("lines", profile.lines, "by line; sums over the launch");
}

void describe(Fields& field, const SizeFields& size) {
  field("label", size.label, "of the size");
  const auto [low, high] = interval_of(size.pass);
  field("predicted_seconds", size.pass.seconds, "of a pass");
  field("predicted_interval", std::vector{low, high},
        "its ends; it holds four recorded times of five");
  field("unlike", size.pass.unlike,
        "in what the pass is unlike those that the model was fitted to; empty if in nothing");
  field("launches", size.launches, "in the order of the plan");
}

void describe(Fields& field, const KernelMachineCode& kernel) {
  const auto code = kernel.code ? *kernel.code : MachineCode();
  const auto error = kernel.code ? std::nullopt : std::optional(kernel.code.error().message);
  field("kernel", kernel.kernel, "as the host calls it");
  field("instructions", code.main.size(), "that the code of a thread has");
  field("bytes", code.bytes(), "of these");
  field("preamble_instructions", code.preamble.size(),
        "that run once before the threads of a launch");
  field("registers", code.registers, "of 16 bits, of a thread");
  field("uniforms", code.uniforms, "registers of 16 bits that all threads share");
  field("spills", code.spills, "stores to private memory, of registers or arrays");
  field("fills", code.fills, "loads from private memory");
  field("scratch_bytes", code.scratch_bytes, "of private memory of a thread");
  field("error", error, "why the code is missing; null if it is there");
}

void describe(Fields& field, const ProfileResult& result) {
  const auto* error = std::get_if<Error>(&result.result);
  const auto* rejected = std::get_if<Rejected>(&result.result);
  const auto* profiled = std::get_if<Profiled>(&result.result);
  std::optional<std::string> message;
  if (rejected) message = rejected->reason;
  if (profiled && profiled->failure) message = profiled->failure->message;
  describe_heading(field, result.heading);
  field("source", result.source, "the text of the file");
  field("chip", result.chip, "that the prediction is for");
  field("sizes", sizes_of(result), "in the order of the task");
  const auto* mesa = result.machine_code ? &*result.machine_code : nullptr;
  field("machine_code_device", mesa ? std::optional(mesa->device) : std::nullopt,
        "the GPU that machine_code is for; null where Mesa's compiler is not installed");
  field("machine_code_compiler", mesa ? std::optional("Mesa " + mesa->version) : std::nullopt,
        "that made machine_code; Apple's own may differ");
  field("machine_code", mesa ? mesa->kernels : std::vector<KernelMachineCode>(),
        "of each kernel that the plan launches");
  field("message", message, "why the kernel is rejected, or why a run failed");
  field("error", error ? std::optional(error->message) : std::nullopt,
        "why msci could not profile");
}

std::string to_json(const ProfileResult& result) { return to_line(json_of(result)); }

std::string profile_schema() {
  return json_schema(type_of<ProfileResult>(), "profile", "msci-eval --profile --json",
                     "The profile of one kernel, on one line.");
}

namespace {

// Launches of one kernel and one shape that one part bounds.
struct Row {
  const LaunchProfile* first = nullptr;
  const LaunchPrediction* prediction = nullptr;
  std::size_t launches = 0;
  double instructions = 0;  // of a simdgroup of the first one
  double seconds = 0;
  bool has(const LaunchProfile& launch, const LaunchPrediction& predicted) const {
    return first->kernel == launch.kernel && first->grid == launch.grid &&
           first->threadgroup == launch.threadgroup && prediction->bound() == predicted.bound();
  }
};

std::vector<Row> rows_of(const SizeProfile& size) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < size.profile.launches.size(); ++i) {
    const auto& launch = size.profile.launches[i];
    const auto& predicted = size.prediction.launches[i];
    auto row = std::find_if(rows.begin(), rows.end(),
                            [&](const Row& each) { return each.has(launch, predicted); });
    if (row == rows.end()) {
      row = rows.insert(rows.end(), {&launch, &predicted});
      for (const auto each : launch.work) row->instructions += each;
    }
    row->launches += launch.weight;
    row->seconds += static_cast<double>(launch.weight) * predicted.seconds;
  }
  return rows;
}

std::string launches_text(const SizeProfile& size) {
  auto text =
      fmt::format("  {:<24} {:>8} {:>7} {:>9} {:>6} {:>9} {:>6} {:>9}  {}\n", "kernel", "launches",
                  "groups", "instr.", "lanes", "registers", "held", "ms", "bound by");
  for (const auto& row : rows_of(size)) {
    const auto [low, high] = register_interval(row.first->registers, row.first->thread_limit);
    text += fmt::format("  {:<24} {:>8} {:>7} {:>9.4g} {:>6.1f} {:>9} {:>6} {:>9.4g}  {}\n",
                        row.first->kernel, row.launches, row.first->groups, row.instructions,
                        row.first->active_lanes, fmt::format("{}-{}", low, high),
                        row.prediction->occupancy.simdgroups, 1e3 * row.seconds,
                        to_string(row.prediction->bound()));
  }
  return text;
}

// "256: 0.8069 ms predicted", with the time at the full clock where it is another.
std::string size_heading(const SizeProfile& size) {
  double seconds = 0;
  for (const auto& row : rows_of(size)) seconds += row.seconds;
  const auto pass = predicted_pass(size.profile, size.prediction, m1_pro_calibration.range);
  const auto [low, high] = interval_of(pass);
  auto text = fmt::format("{}: {:.4g} ms predicted (80 %: {:.4g} to {:.4g})", size.label,
                          1e3 * pass.seconds, 1e3 * low, 1e3 * high);
  if (const auto full = fmt::format("{:.4g}", 1e3 * seconds);
      full != fmt::format("{:.4g}", 1e3 * size.prediction.seconds))
    text += fmt::format(", {} ms of it at full clock; an idle GPU starts at a lower one", full);
  if (!pass.unlike.empty()) text += "\n  unlike what was measured: " + pass.unlike;
  return text + "\n";
}

// What the columns of launches_text() mean.
constexpr std::string_view legend =
    "  groups: threadgroups of a launch; instr.: instructions of a simdgroup; lanes: active ones "
    "of 32;\n"
    "  registers: of 16 bits, of a thread, at least and at most; held: simdgroups that a core can "
    "hold;\n  ms: all launches at full clock\n";

// Each kernel's sentence once.
std::string advice_text(const SizeProfile& size) {
  std::string text;
  for (const auto& row : rows_of(size)) {
    const auto sentence =
        fmt::format("  {}: {}\n", row.first->kernel, advice_on(*row.first, *row.prediction));
    if (text.find(sentence) == std::string::npos) text += sentence;
  }
  return text;
}

std::string lines_text(const SizeProfile& size, const std::string& source) {
  constexpr std::size_t most = 5;
  std::map<unsigned, double> cycles;
  double all = 0;
  for (const auto& launch : size.profile.launches)
    for (const auto& line : launch.lines) {
      cycles[line.line] += static_cast<double>(launch.weight) * line.cycles;
      all += static_cast<double>(launch.weight) * line.cycles;
    }
  cycles.erase(0);  // an unknown line
  std::vector<std::pair<unsigned, double>> lines(cycles.begin(), cycles.end());
  std::sort(lines.begin(), lines.end(),
            [](const auto& a, const auto& b) { return a.second > b.second; });
  lines.resize(std::min(most, lines.size()));
  std::string text;
  for (const auto& [line, spent] : lines)
    text += fmt::format("  {:>5.1f} % of the cycles  line {:<4} {}\n", 100 * spent / all, line,
                        trimmed(line_at(source, line)));
  return text;
}

std::string machine_code_text(const CompiledByMesa& compiled) {
  auto text =
      fmt::format("machine code for {}, from Mesa's compiler ({}); Apple's own may differ:\n",
                  compiled.device, compiled.version);
  for (const auto& [kernel, code] : compiled.kernels)
    text += fmt::format("  {:<24} {}\n", kernel, code ? describe(*code) : code.error().message);
  return text;
}

}  // namespace

std::string to_text(const ProfileResult& result) {
  auto text = fmt::format("{}: {}, as predicted for {}\n", printable(result.heading.file),
                          result.heading.task, result.chip);
  if (const auto* rejected = std::get_if<Rejected>(&result.result))
    return text + "  " + rejected->reason + "\n";
  const auto* profiled = std::get_if<Profiled>(&result.result);
  if (!profiled) return text;
  for (const auto& size : profiled->sizes)
    text += size_heading(size) + launches_text(size) + advice_text(size) +
            lines_text(size, result.source);
  if (!profiled->sizes.empty()) text += legend;
  if (result.machine_code) text += machine_code_text(*result.machine_code);
  if (profiled->failure) text += "  " + profiled->failure->message + "\n";
  return text;
}

void describe(Fields& field, LineProfile& line) {
  field("line", line.line, "of the source; 0 if unknown");
  field("instructions", line.instructions, "that simdgroups execute");
  field("cycles", line.cycles, "that they keep a scheduler busy");
  field("active_lanes", line.active_lanes, "of 32");
  field("device_lines", line.lines, "of 128 bytes that accesses of device memory touch");
  field("least_device_lines", line.least_lines, "that they would touch if they were coalesced");
  field("bank_cycles", line.bank_cycles, "turns of the banks of threadgroup memory");
  field("least_bank_cycles", line.least_bank_cycles, "turns without conflicts");
}

}  // namespace msci
