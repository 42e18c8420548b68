#include "evaluator/report.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace msci {
namespace {

using Json = nlohmann::ordered_json;

// What an Outcome's alternatives have in common.
const std::vector<SizeOutcome>& sizes_of(const Outcome& outcome) {
  static const std::vector<SizeOutcome> none;
  if (const auto* wrong = std::get_if<Wrong>(&outcome)) return wrong->sizes;
  if (const auto* scored = std::get_if<Scored>(&outcome)) return scored->sizes;
  return none;
}

const SizeOutcome* held_out_of(const Outcome& outcome) {
  const auto* scored = std::get_if<Scored>(&outcome);
  return scored && scored->held_out ? &*scored->held_out : nullptr;
}

std::optional<double> score_of(const Outcome& outcome) {
  const auto* scored = std::get_if<Scored>(&outcome);
  return scored ? scored->score : std::nullopt;
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "note";
}

// --- JSON
// --------------------------------------------------------------------------------------------

Json or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json text_if_not_finite(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return nullptr;
}

Json to_json(const Spread& spread) {
  return {{"samples", spread.samples},
          {"median_low", spread.interval ? Json(spread.interval->low) : Json(nullptr)},
          {"median_high", spread.interval ? Json(spread.interval->high) : Json(nullptr)},
          {"interquartile", spread.interquartile},
          {"relative_error", or_null(spread.relative_error)},
          {"outliers", spread.outliers},
          {"drift", or_null(spread.drift)}};
}

Json to_json(const std::optional<Ceilings>& ceilings) {
  if (!ceilings) return nullptr;
  return {{"gflops", ceilings->gflops}, {"gbps", ceilings->gbps}};
}

Json to_json(const std::optional<MachineState>& machine) {
  if (!machine) return nullptr;
  return {{"load", or_null(machine->load)}, {"clock_mhz", or_null(machine->clock_mhz)}};
}

Json to_json(const Ratio& ratio) {
  const auto end = [&](double ConfidenceInterval::*which) {
    return ratio.interval ? Json((*ratio.interval).*which) : Json(nullptr);
  };
  return {{"ratio", ratio.median},
          {"low", end(&ConfidenceInterval::low)},
          {"high", end(&ConfidenceInterval::high)}};
}

Json to_json(const Versus& versus, const std::string& rival) {
  Json json = {{"rival", rival}, {"confidence", versus_confidence}, {"faster", versus.is_faster()}};
  json.update(to_json(versus.overall()));
  json["sizes"] = Json::array();
  for (std::size_t i = 0; i < versus.sizes.size(); ++i) {
    const auto& size = versus.sizes[i];
    json["sizes"].push_back({{"label", size.label}});
    json["sizes"].back().update(to_json(versus.at(i)));
    json["sizes"].back()["candidate"] = size.candidate;
    json["sizes"].back()["rival"] = size.rival;
  }
  return json;
}

// The type of degeneracy: 1 where the task's kernel is missing, 3 where lint calls it a stand-in.
Json regression_type(const EvaluationReport& report) {
  for (const auto& diagnostic : report.diagnostics) {
    if (diagnostic.severity != Severity::error) continue;
    if (diagnostic.id == "degenerate.no_kernel") return 1;
    if (diagnostic.id.starts_with("degenerate.")) return 3;
  }
  const auto* outcome = std::get_if<Outcome>(&report.result);
  const auto* rejected = outcome ? std::get_if<Rejected>(outcome) : nullptr;
  return rejected && rejected->kernel_is_missing ? Json(1) : Json(nullptr);
}

// What a size's answer says, without its timing.
Json answer_json(const SizeOutcome& size) {
  Json json = {{"label", size.label}, {"correct", size.correct()}};
  if (const auto* verdict = std::get_if<Verdict>(&size.answer)) {
    json["error_value"] = or_null(verdict->error_value);
    json["error_text"] = text_if_not_finite(verdict->error_value);
    json["error_kind"] = verdict->error_kind;
    json["tolerance"] = or_null(verdict->tolerance);
  } else {
    json["error_value"] = nullptr;
    json["error_text"] = "Infinity";
    json["error_kind"] = "exception";
    json["tolerance"] = nullptr;
  }
  const auto* failure = std::get_if<Failure>(&size.answer);
  json["cause"] = failure ? Json(to_string(failure->cause)) : Json(nullptr);
  json["message"] = failure ? Json(failure->message) : Json(nullptr);
  return json;
}

Json to_json(const SizeOutcome& size, const EvaluationReport& report) {
  Json json = answer_json(size);
  const auto timing = [&](double Timing::*member) {
    return size.timing ? Json((*size.timing).*member) : Json(nullptr);
  };
  json["gpu_seconds"] = timing(&Timing::seconds);
  json["achieved"] = timing(&Timing::achieved);
  json["achieved_unit"] = report.achieved_unit;
  json["ceiling"] = timing(&Timing::ceiling);
  json["ceiling_unit"] = unit_of(report.ceiling);
  json["fraction_of_ceiling"] = timing(&Timing::fraction);
  json["intensity"] = size.timing ? or_null(size.timing->intensity) : Json(nullptr);
  json["spread"] = size.timing ? to_json(size.timing->spread) : Json(nullptr);
  json["overruns"] = size.overruns;
  json["timed_correct"] = size.timed_correct ? Json(*size.timed_correct) : Json(nullptr);
  return json;
}

Json to_json(const Strict& strict) {
  Json sizes = Json::array();
  for (const auto& size : strict.sizes) {
    sizes.push_back(answer_json(size));
    sizes.back()["overruns"] = size.overruns;
  }
  return {{"passed", strict.passed()},
          {"nonce", fmt::format("{:016x}", strict.nonce)},
          {"sizes", std::move(sizes)},
          {"ghosts", strict.ghosts}};
}

void add_place(Json& json, const Range& range, const std::string& message) {
  json["line"] = range.begin.line;
  json["column"] = range.begin.column;
  json["end_line"] = range.end.line;
  json["end_column"] = range.end.column;
  json["message"] = message;
}

Json to_json(const Diagnostic& diagnostic) {
  Json json = {{"severity", to_string(diagnostic.severity)}, {"id", diagnostic.id}};
  add_place(json, diagnostic.range, diagnostic.message);
  return json;
}

Json to_json(const Diagnostic& diagnostic, const std::vector<Note>& notes) {
  auto json = to_json(diagnostic);
  json["notes"] = Json::array();
  for (const auto& note : notes) {
    Json each;
    add_place(each, note.range, note.message);
    json["notes"].push_back(std::move(each));
  }
  return json;
}

// A source may hold any bytes, and a message may quote it.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void add_outcome(Json& json, const Outcome& outcome, const EvaluationReport& report) {
  const auto* rejected = std::get_if<Rejected>(&outcome);
  json["compile_ok"] = !rejected || rejected->stage != Rejected::Stage::compile;
  json["correct"] = std::holds_alternative<Scored>(outcome);
  json["score"] = or_null(score_of(outcome));
  const auto reason = fail_reason(outcome);
  json["fail_reason"] = reason ? Json(*reason) : Json(nullptr);
  for (const auto& size : sizes_of(outcome)) json["sizes"].push_back(to_json(size, report));
  if (const auto* held_out = held_out_of(outcome)) json["held_out"] = to_json(*held_out, report);
}

// --- Text
// --------------------------------------------------------------------------------------------

struct Paint {
  bool on = false;
  std::string operator()(std::string text, fmt::color color) const {
    return on ? fmt::format(fmt::fg(color), "{}", text) : text;
  }
};

std::string seconds_text(double seconds) {
  return seconds < 1 ? fmt::format("{:.4g} ms", seconds * 1e3) : fmt::format("{:.4g} s", seconds);
}

std::string line_of(const SizeOutcome& size, const EvaluationReport& report, Paint paint) {
  // Padded before it is painted: colours have no width.
  const auto mark =
      size.correct() ? paint("right  ", fmt::color::green) : paint("WRONG  ", fmt::color::red);
  const auto head = fmt::format("  {:<14} {}", size.label, mark);
  if (const auto* failure = std::get_if<Failure>(&size.answer))
    return head + failure->message + "\n";

  const auto& verdict = std::get<Verdict>(size.answer);
  auto error = fmt::format("{} {:.3e}", verdict.error_kind, verdict.error_value);
  if (verdict.tolerance) error += fmt::format(" (at most {:.3e})", *verdict.tolerance);
  // How fast a wrong answer came is nobody's business; records tell, as the benchmark's do.
  if (!size.timing || !size.correct()) return fmt::format("{}{}\n", head, error);
  return fmt::format("{}{:<42} {:>11}  {:>9.4g} {:<6}  {:>6.1f} % of {:.4g}\n", head, error,
                     seconds_text(size.timing->seconds), size.timing->achieved,
                     unit_of(report.ceiling), 100 * size.timing->fraction, size.timing->ceiling);
}

// What makes the times of a row doubtful.
std::string doubts_about(const std::vector<SizeOutcome>& sizes) {
  constexpr double wide = 0.1;
  std::string text;
  for (const auto& size : sizes) {
    if (!size.timing) continue;
    const auto& spread = size.timing->spread;
    if (spread.drift)
      text += fmt::format("  note: the times of size {} change by {:+.1f} % from first to last\n",
                          size.label, 100 * *spread.drift);
    if (spread.interquartile > wide)
      text += fmt::format("  note: the times of size {} spread by {:.0f} % (interquartile range)\n",
                          size.label, 100 * spread.interquartile);
  }
  return text;
}

// Where a fraction means less than it seems to.
std::string doubts_about(const Ceilings& ceilings, const std::vector<SizeOutcome>& sizes) {
  constexpr double beyond = 1.1;
  const auto above = std::find_if(sizes.begin(), sizes.end(), [](const SizeOutcome& size) {
    return size.correct() && size.timing && size.timing->fraction > beyond;
  });
  if (above == sizes.end() || ceilings.source == Ceilings::Source::table) return {};
  return fmt::format(
      "  note: size {} is above the ceiling: it fits into caches, or the machine was slower "
      "when the ceiling was measured (docs/measuring.md)\n",
      above->label);
}

std::string overruns_of(const std::vector<SizeOutcome>& sizes) {
  for (const auto& size : sizes)
    if (!size.overruns.empty())
      return fmt::format("  note: writes beside the ends of {} at size {}\n",
                         fmt::join(size.overruns, ", "), size.label);
  return {};
}

std::string wrong_while_timed(const std::vector<SizeOutcome>& sizes) {
  std::string text;
  for (const auto& size : sizes)
    if (size.correct() && !size.timed_correct.value_or(true))
      text += fmt::format("  note: right when verified, wrong in a timed pass at size {}\n",
                          size.label);
  return text;
}

std::string conclusion(const Outcome& outcome, const EvaluationReport& report, Paint paint) {
  if (const auto reason = fail_reason(outcome))
    return "  " + paint(*reason, fmt::color::red) + "\n";
  const auto score = score_of(outcome);
  if (!score) return "  all sizes right\n";
  return fmt::format("  score {:.4f} of the {} ceiling\n", *score,
                     report.ceilings->source == Ceilings::Source::table ? "table's" : "measured");
}

std::string text_of(const Versus& versus, const std::string& rival) {
  auto text = fmt::format("  against {}, in turns:\n", rival);
  for (std::size_t i = 0; i < versus.sizes.size(); ++i)
    text += fmt::format("  {:<14} {}\n", versus.sizes[i].label,
                        with_interval(versus.at(i), "times as fast"));
  const auto conclusion = versus.is_faster()
                              ? "faster"
                              : fmt::format("not shown to be {:.0f} % faster", 100 * least_gain);
  return text + fmt::format("  {:<14} {}: {}\n", "all",
                            with_interval(versus.overall(), "times as fast"), conclusion);
}

std::string body(const Outcome& outcome, const EvaluationReport& report, Paint paint) {
  std::string text;
  for (const auto& size : sizes_of(outcome)) text += line_of(size, report, paint);
  text += overruns_of(sizes_of(outcome));
  text += wrong_while_timed(sizes_of(outcome));
  text += doubts_about(sizes_of(outcome));
  if (report.ceilings) text += doubts_about(*report.ceilings, sizes_of(outcome));
  for (const auto& sentence : report.misread) text += fmt::format("  note: {}\n", sentence);
  text += conclusion(outcome, report, paint);
  if (const auto* held_out = held_out_of(outcome))
    text += "  held out:\n" + line_of(*held_out, report, paint);
  if (report.versus) text += text_of(*report.versus, report.rival);
  return text;
}

std::string line_of(const Diagnostic& diagnostic, const std::string& file) {
  return fmt::format("{}:{}:{}: {}: {} [{}]\n", file, diagnostic.range.begin.line,
                     diagnostic.range.begin.column, to_string(diagnostic.severity),
                     diagnostic.message, diagnostic.id);
}

// Each stress size, and how to see the same again where one is not right.
std::string strict_text(const Strict& strict, const EvaluationReport& report, Paint paint) {
  std::string text = "  strict:\n";
  for (const auto& size : strict.sizes) text += line_of(size, report, paint);
  text += overruns_of(strict.sizes);
  for (const auto& ghost : strict.ghosts)
    text += fmt::format("  note: the results do not hang on the {}\n", ghost);
  if (!strict.passed())
    text += "  " + paint("strictly wrong", fmt::color::red) +
            fmt::format("; the same inputs again: --nonce {:016x}\n", strict.nonce);
  return text;
}

}  // namespace

std::optional<std::string> fail_reason(const Outcome& outcome) {
  if (const auto* rejected = std::get_if<Rejected>(&outcome))
    return fmt::format("{} error: {}",
                       rejected->stage == Rejected::Stage::compile ? "compile" : "pipeline",
                       rejected->reason);
  const auto* wrong = std::get_if<Wrong>(&outcome);
  if (!wrong) return std::nullopt;
  const auto& first = *std::find_if(wrong->sizes.begin(), wrong->sizes.end(),
                                    [](const SizeOutcome& size) { return !size.correct(); });
  if (const auto* failure = std::get_if<Failure>(&first.answer))
    return fmt::format("runtime error at size {}: {}", first.label, failure->message);
  const auto& verdict = std::get<Verdict>(first.answer);
  return fmt::format("correctness failed at size {}: {}={:.3e}", first.label, verdict.error_kind,
                     verdict.error_value);
}

std::string to_text(const EvaluationReport& report, bool colour) {
  const Paint paint{colour};
  std::string text;
  for (const auto& diagnostic : report.diagnostics) text += line_of(diagnostic, report.file);
  text += fmt::format("{}: {}{}\n", report.file, report.task.empty() ? "no task" : report.task,
                      report.device.empty() ? "" : " on " + report.device);
  if (const auto* error = std::get_if<Error>(&report.result))
    return text + "  " + paint("could not check: " + error->message, fmt::color::red) + "\n";
  text += body(std::get<Outcome>(report.result), report, paint);
  return report.strict ? text + strict_text(*report.strict, report, paint) : text;
}

std::string to_json(const EvaluationReport& report) {
  Json json = {{"file", report.file},
               {"role", report.is_seed ? "seed" : "candidate"},
               {"task", report.task.empty() ? Json(nullptr) : Json(report.task)},
               {"device", report.device.empty() ? Json(nullptr) : Json(report.device)},
               {"ceiling_source",
                report.ceilings ? Json(to_string(report.ceilings->source)) : Json(nullptr)},
               {"ceilings", to_json(report.ceilings)},
               {"protocol", report.protocol.empty() ? Json(nullptr) : Json(report.protocol)},
               {"machine", to_json(report.machine)},
               {"compile_ok", nullptr},
               {"correct", nullptr},
               {"score", nullptr},
               {"fail_reason", nullptr},
               {"regression_type", regression_type(report)},
               {"threadgroup_bytes",
                report.threadgroup_bytes ? Json(*report.threadgroup_bytes) : Json(nullptr)},
               {"source_bytes", report.source_bytes},
               {"misread", report.misread},
               {"sizes", Json::array()},
               {"held_out", nullptr},
               {"strict", report.strict ? to_json(*report.strict) : Json(nullptr)},
               {"versus", report.versus ? to_json(*report.versus, report.rival) : Json(nullptr)},
               {"diagnostics", Json::array()},
               {"error", nullptr}};
  for (const auto& diagnostic : report.diagnostics)
    json["diagnostics"].push_back(to_json(diagnostic));
  if (const auto* error = std::get_if<Error>(&report.result))
    json["error"] = error->message;
  else
    add_outcome(json, std::get<Outcome>(report.result), report);
  return dump(json);
}

std::string to_text(const Effort& effort) {
  auto text = fmt::format(
      "front end {:.1f}, inputs {:.1f}, references {:.1f}, driver's build {:.1f}, run (with what "
      "the driver compiles late) {:.1f}, judging {:.1f}",
      effort.frontend, effort.inputs, effort.reference, effort.build, effort.run, effort.judge);
  if (effort.strict > 0) text += fmt::format(", strict verdict {:.1f}", effort.strict);
  if (effort.turns > 0) text += fmt::format(", in turns {:.1f}", effort.turns);
  return text;
}

std::string devices_json(std::span<const DeviceInfo> devices) {
  constexpr std::string_view kinds[] = {"cpu", "gpu", "other"};
  std::string lines;
  for (std::size_t place = 0; place < devices.size(); ++place) {
    const auto& device = devices[place];
    const Json json = {{"index", place},
                       {"name", device.name},
                       {"vendor", device.vendor},
                       {"platform", device.platform},
                       {"driver", device.driver},
                       {"platform_index", device.platform_index},
                       {"device_index", device.device_index},
                       {"kind", kinds[static_cast<std::size_t>(device.kind)]},
                       {"compute_units", device.compute_units},
                       {"max_threads_per_threadgroup", device.max_threads_per_threadgroup},
                       {"threadgroup_memory", device.threadgroup_memory},
                       {"global_memory", device.global_memory},
                       {"max_buffer", device.max_buffer}};
    lines += dump(json) + "\n";
  }
  return lines;
}

namespace {

std::string text_of(const Diagnostic& finding, const std::string& file, Paint paint) {
  const auto line = [&](const Range& range, const std::string& severity,
                        const std::string& message) {
    return fmt::format("{}:{}:{}: {}: {}\n", file, range.begin.line, range.begin.column, severity,
                       message);
  };
  auto text = line(finding.range, paint("error", fmt::color::red),
                   fmt::format("{} [{}]", finding.message, finding.id));
  for (const auto& note : finding.notes) text += line(note.range, "note", note.message);
  return text;
}

std::string conclusion(const Checked& checked) {
  if (checked.failure) return "the run failed: " + checked.failure->message;
  if (checked.findings.empty()) return "nothing found";
  return fmt::format("{} fault{}", checked.findings.size(),
                     checked.findings.size() == 1 ? "" : "s");
}

}  // namespace

std::string to_text(const CheckReport& report, bool colour) {
  const Paint paint{colour};
  std::string text;
  for (const auto& diagnostic : report.diagnostics) text += line_of(diagnostic, report.file);
  const auto* checked = std::get_if<Checked>(&report.result);
  if (checked)
    for (const auto& finding : checked->findings) text += text_of(finding, report.file, paint);
  const auto what =
      report.task.empty() ? "no task" : fmt::format("{} {}", report.task, report.size);
  text += fmt::format("{}: {} on {}, checked\n", report.file, what, report.device);
  if (const auto* rejected = std::get_if<Rejected>(&report.result))
    return text + "  " + paint(rejected->reason, fmt::color::red) + "\n";
  if (const auto* error = std::get_if<Error>(&report.result))
    return text + "  " + paint("could not check: " + error->message, fmt::color::red) + "\n";
  const bool clean = checked->findings.empty() && !checked->failure;
  return text + "  " + paint(conclusion(*checked), clean ? fmt::color::green : fmt::color::red) +
         "\n";
}

std::string to_json(const CheckReport& report) {
  const auto or_null = [](std::string_view text) {
    return text.empty() ? Json(nullptr) : Json(text);
  };
  Json json = {{"file", report.file},
               {"task", or_null(report.task)},
               {"size", or_null(report.size)},
               {"device", report.device},
               {"valid", nullptr},
               {"findings", Json::array()},
               {"cause", nullptr},
               {"message", nullptr},
               {"diagnostics", Json::array()},
               {"error", nullptr}};
  for (const auto& diagnostic : report.diagnostics)
    json["diagnostics"].push_back(to_json(diagnostic));
  if (const auto* error = std::get_if<Error>(&report.result)) json["error"] = error->message;
  if (const auto* rejected = std::get_if<Rejected>(&report.result)) {
    json["valid"] = false;
    json["message"] = rejected->reason;
  }
  if (const auto* checked = std::get_if<Checked>(&report.result)) {
    json["valid"] = checked->findings.empty() && !checked->failure;
    for (const auto& finding : checked->findings)
      json["findings"].push_back(to_json(finding, finding.notes));
    if (checked->failure) {
      json["cause"] = to_string(checked->failure->cause);
      json["message"] = checked->failure->message;
    }
  }
  return dump(json);
}

}  // namespace msci
