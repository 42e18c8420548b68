#include "evaluator/result/result_text.h"

#include <fmt/color.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "analysis/check/fault_table.h"
#include "base/io/report.h"
#include "base/text.h"
#include "evaluator/result/finding_text.h"

namespace msci {
namespace {

constexpr std::size_t most_diagnostics = 20;  // in a prompt

std::string seconds_text(double seconds) {
  return seconds < 1 ? fmt::format("{:.4g} ms", seconds * 1e3) : fmt::format("{:.4g} s", seconds);
}

// "predicted 1.52 ms (80 %: 0.76 to 3.1)"
std::string prediction_text(const PredictedTime& predicted) {
  return fmt::format("predicted {:.3g} ms (80 %: {:.3g} to {:.3g})", 1e3 * predicted.seconds,
                     1e3 * predicted.low, 1e3 * predicted.high);
}

// What bounds the predicted times, and whether the model was fitted to such kernels: once for all
// sizes that have it in common.
std::string predictions_text(const Outcome& outcome) {
  std::vector<const SizeResult*> predicted;
  const auto add = [&](const SizeResult& size) {
    if (size.predicted && size.correct()) predicted.push_back(&size);
  };
  std::ranges::for_each(sizes_of(outcome), add);
  if (const auto* held_out = held_out_of(outcome)) add(*held_out);
  if (predicted.empty()) return {};
  // " at a, b", or nothing for all sizes.
  const auto at_sizes = [&](auto&& fits) {
    std::vector<std::string_view> labels;
    for (const auto* size : predicted)
      if (fits(*size->predicted)) labels.push_back(size->label);
    return labels.size() == predicted.size() ? std::string()
                                             : fmt::format(" at {}", fmt::join(labels, ", "));
  };
  std::string text;
  std::vector<std::string_view> named;
  for (const auto* size : predicted) {
    const auto bound = to_string(size->predicted->bound_by);
    if (std::ranges::find(named, bound) != named.end()) continue;
    named.push_back(bound);
    text += fmt::format(
        "{} by {}{}", text.empty() ? "  predicted times: bound" : ",", bound,
        at_sizes([&](const PredictedTime& each) { return to_string(each.bound_by) == bound; }));
  }
  const auto is_unlike = [](const PredictedTime& each) { return each.extrapolated(); };
  const auto first =
      std::ranges::find_if(predicted, [&](auto* size) { return is_unlike(*size->predicted); });
  if (first != predicted.end())
    text += fmt::format(";{} unlike what was measured: {}", at_sizes(is_unlike),
                        (*first)->predicted->unlike);
  return text + "\n";
}

// The width of the first column, so that the second one begins at one place in all lines.
std::size_t label_width(std::span<const SizeResult> sizes) {
  std::size_t width = 14;
  for (const auto& size : sizes) width = std::max(width, size.label.size());
  return width;
}

// "  62.5 % of 200", or that the rate is above.
std::string share_text(const Timing& timing) {
  if (timing.is_above()) return fmt::format("above {:.4g}", timing.ceiling);
  return fmt::format("{:>6.1f} % of {:.4g}", 100 * timing.fraction, timing.ceiling);
}

std::string line_of(const SizeResult& size, std::size_t width, Paint paint) {
  const auto head = fmt::format("  {:<{}} {}", size.label, width,
                                size.correct() ? paint("right", fmt::terminal_color::green)
                                               : paint("WRONG", fmt::terminal_color::red));
  if (const auto* failure = std::get_if<Failure>(&size.answer))
    return head + "  " + failure->message + "\n";

  const auto& verdict = std::get<Verdict>(size.answer);
  auto error = error_text(verdict);
  if (const auto wrong = wrong_elements_text(verdict); !wrong.empty())
    error = verdict.error_kind == "different" ? wrong : error + "; " + wrong;
  // The time of a wrong answer says nothing; the JSON has it, as the benchmark's records do.
  const auto predicted =
      size.predicted && size.correct() ? "  " + prediction_text(*size.predicted) : std::string();
  if (size.timing && size.correct())
    error =
        fmt::format("{:<42} {:>11}  {:>9.4g} {:<6}  {}", error, seconds_text(size.timing->seconds),
                    size.timing->achieved, size.ceiling_unit, share_text(*size.timing));
  else if (!predicted.empty())
    error = fmt::format("{:<41}", error);
  const auto rest = error + predicted;
  return head + (rest.empty() ? "" : "  " + rest) + "\n";
}

// What makes the times of a row doubtful.
std::string doubts_about(const std::vector<SizeResult>& sizes) {
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
std::string doubts_about(const Ceilings& ceilings, const std::vector<SizeResult>& sizes) {
  std::string text;
  for (const auto& size : sizes)
    if (size.correct() && size.timing && size.timing->above_ceiling)
      text += fmt::format("  note: size {} is above the ceiling: {}\n", size.label,
                          *size.timing->above_ceiling);
  const bool has_fractions = std::ranges::any_of(
      sizes, [](const SizeResult& size) { return size.correct() && size.timing; });
  if (ceilings.is_beside_load && has_fractions)
    text +=
        "  note: other work ran on this machine while its ceiling was measured, so the fractions "
        "are rough (docs/reference/measuring.md)\n";
  return text;
}

std::string stray_writes_of(const std::vector<SizeResult>& sizes) {
  std::string text;
  const auto add = [&](std::string_view what, const auto& buffers) {
    const auto first = std::ranges::find_if(
        sizes, [&](const SizeResult& size) { return !(size.*buffers).empty(); });
    if (first != sizes.end())
      text += fmt::format("  note: writes {} {} at size {}\n", what,
                          fmt::join((*first).*buffers, ", "), first->label);
  };
  add("beside the ends of", &SizeResult::overruns);
  add("to the input", &SizeResult::changed_inputs);
  return text;
}

// What is right when verified and wrong otherwise.
std::string wrong_otherwise(const std::vector<SizeResult>& sizes) {
  std::string text;
  for (const auto& size : sizes)
    if (size.correct() && !size.timed_correct.value_or(true))
      text += fmt::format("  note: right when verified, but at size {} {}\n", size.label,
                          size.wrong_pass.value_or("a timed pass is wrong"));
    else if (size.correct() && size.wrong_pass)
      text += fmt::format("  at size {} {}, which fails the strict verdict\n", size.label,
                          *size.wrong_pass);
  return text;
}

// Why a right kernel has no score.
std::string void_times(const std::vector<SizeResult>& sizes) {
  for (const auto& size : sizes)
    if (!size.keeps_the_rules() && size.timed_correct)
      return fmt::format("  the times count for nothing: see the note about size {}\n", size.label);
  return {};
}

std::string conclusion(const Outcome& outcome, const EvaluationResult& result, Paint paint) {
  if (!std::holds_alternative<Scored>(outcome))
    return "  " +
           paint(report_text(fail_reason(outcome).value_or("not right")),
                 fmt::terminal_color::red) +
           "\n";
  const auto score = score_of(outcome);
  auto text = score ? fmt::format("  score {:.4f} of the {} ceiling\n", *score,
                                  result.ceilings->source == Ceilings::Source::measured
                                      ? "measured"
                                      : fmt::format("{}'s", to_string(result.ceilings->source)))
                    : "  all sizes right\n" + void_times(sizes_of(outcome));
  if (const auto predicted = result.predicted_score())
    text +=
        fmt::format("  predicted score {:.4f} of the ceiling of {}{}\n", *predicted, result.chip,
                    result.chip == default_chip ? "" : ", not compared with measurements");
  return text;
}

std::string ratio_text(const PairedComparison& times, const std::optional<Ratio>& ratio) {
  if (ratio) return with_interval(*ratio, "times as fast");
  return fmt::format("no ratio after {} round{}", times.rounds(), times.rounds() == 1 ? "" : "s");
}

std::string text_of(const ComparisonResult& comparison) {
  if (comparison.same_program)
    return fmt::format("  against {}: both translate to the same program; no comparison is run\n",
                       printable(comparison.rival));
  const auto& times = comparison.times;
  auto text = fmt::format("  against {}, in turns:\n", printable(comparison.rival));
  for (std::size_t i = 0; i < times.sizes.size(); ++i)
    text += fmt::format("  {:<14} {}\n", times.sizes[i].label, ratio_text(times, times.at(i)));
  const auto conclusion = times.is_faster() ? "faster"
                          : times.is_slower()
                              ? "slower"
                              : fmt::format("not shown to be {:.0f} % faster", 100 * least_gain);
  return text +
         fmt::format("  {:<14} {}: {}\n", "all", ratio_text(times, times.overall()), conclusion);
}

std::string text_of(const PredictedComparison& comparison) {
  auto text = fmt::format("  against {}, as predicted for {}:\n", printable(comparison.rival),
                          comparison.chip);
  for (const auto& size : comparison.sizes) {
    text += fmt::format("  {:<14} {:.2f} times as fast; bound by {}, the other by {}\n", size.label,
                        size.ratio(), to_string(size.candidate.bound_by),
                        to_string(size.rival.bound_by));
    for (const auto& [counter, candidate, rival] : size.moved)
      text += fmt::format("  {:<14}   {:<20} {:>10.4g}  instead of {:.4g}\n", "", counter,
                          candidate, rival);
  }
  return text + fmt::format("  {:<14} {}\n", "all", text_of(comparison.claim(), "times as fast"));
}

std::string body(const Outcome& outcome, const EvaluationResult& result, Paint paint) {
  std::string text;
  const auto width = label_width(sizes_of(outcome));
  for (const auto& size : sizes_of(outcome)) text += line_of(size, width, paint);
  text += predictions_text(outcome);
  text += stray_writes_of(sizes_of(outcome));
  text += wrong_otherwise(sizes_of(outcome));
  text += doubts_about(sizes_of(outcome));
  if (result.ceilings) text += doubts_about(*result.ceilings, sizes_of(outcome));
  for (const auto& sentence : result.type_mismatches) text += fmt::format("  note: {}\n", sentence);
  text += conclusion(outcome, result, paint);
  if (const auto* held_out = held_out_of(outcome))
    text += "  held out:\n" + line_of(*held_out, width, paint);
  if (result.comparison) text += text_of(*result.comparison);
  if (result.predicted_comparison) text += text_of(*result.predicted_comparison);
  return text;
}

// The counts, and the first places that no run has seen, but for those that "never executed" names.
std::string certificate_text(const Certificate& certificate, std::size_t width) {
  using Status = CertifiedOutcome::Status;
  constexpr std::size_t most_places = 3;
  auto text = fmt::format("  {:<{}} {} outcomes of conditions seen, {} impossible, {} never\n",
                          "certificate", width, certificate.count(Status::seen),
                          certificate.count(Status::impossible), certificate.count(Status::never));
  std::size_t places = 0;
  for (const auto& outcome : certificate.outcomes) {
    if (outcome.status != Status::never || is_decisive(outcome) || ++places > most_places) continue;
    text += fmt::format("  {:<{}} never seen: {}\n", "", width, printable(place_text(outcome)));
  }
  if (places > most_places)
    text +=
        fmt::format("  {:<{}} and {} more, which --json lists\n", "", width, places - most_places);
  return text;
}

bool is_right_and_drawn(const SizeResult& size) {
  return size.label.starts_with("drawn ") && size.correct() && size.keeps_the_rules();
}

// The conditions that hold at the wrong size alone.
std::string seen_only_when_wrong(const std::vector<CertifiedOutcome>& outcomes) {
  constexpr std::size_t most = 3;
  std::vector<std::string> places;
  for (const auto& outcome : outcomes)
    if (places.size() < most) places.push_back(printable(place_text(outcome)));
  if (places.empty()) return "";
  const auto more = outcomes.size() - places.size();
  return fmt::format("  only the wrong size executed: {}{}\n", fmt::join(places, "; "),
                     more > 0 ? fmt::format("; and {} more, which --json lists", more) : "");
}

// Each stress size, and how to see the same again where one is not right. `device`: of the recorded
// verdict. `decides`: whether a kernel that fails counts as wrong.
std::string strict_text(const StrictResult& strict, std::string_view device, Paint paint,
                        bool decides) {
  const bool is_elsewhere = !strict.device.empty() && strict.device != device;
  auto text = fmt::format("  {}{}:\n", decides ? "strict" : "stress sizes",
                          is_elsewhere ? ", on " + strict.device : "");
  std::vector<SizeResult> shown;
  std::ranges::remove_copy_if(strict.sizes, std::back_inserter(shown), is_right_and_drawn);
  const auto width = label_width(shown);
  for (const auto& size : shown) text += line_of(size, width, paint);
  if (const auto right = strict.sizes.size() - shown.size())
    text += fmt::format("  {:<{}} right at {}\n", "drawn sizes", width, right);
  text += stray_writes_of(strict.sizes);
  text += seen_only_when_wrong(strict.only_at_wrong_size);
  if (const auto& dependence = strict.order_dependence)
    text += fmt::format(
        "  {:<14} the answer depends on the order of threads: right with --order {}, wrong with "
        "--order {}\n",
        dependence->size, dependence->right, dependence->wrong);
  for (const auto& fault : strict.faults) text += fmt::format("  {}\n", printable(fault));
  if (strict.not_checked)
    text += fmt::format("  a run with checked accesses is missing: {}\n", *strict.not_checked);
  if (strict.certificate) text += certificate_text(*strict.certificate, width);
  if (strict.not_certified)
    text += fmt::format("  the certificate is missing: {}\n", *strict.not_certified);
  if (strict.never_executed) text += fmt::format("  never executed: {}\n", *strict.never_executed);
  for (const auto& irrelevant_part : strict.irrelevant_parts)
    text += fmt::format("  note: the results do not depend on the {}\n", irrelevant_part);
  if (!strict.passed && !why_undecided(strict))
    text +=
        "  " + paint("fails the strict verdict", fmt::terminal_color::red) +
        fmt::format("{}; repeat with --nonce {}\n",
                    decides ? "" : ", which decides only with --strict", hexadecimal(strict.nonce));
  return text;
}

std::string line_of(std::string_view who, const GateSide& side) {
  if (!side.correct) return fmt::format("  {:<10} WRONG  {}\n", who, side.fail_reason);
  if (!side.seconds) return fmt::format("  {:<10} right\n", who);
  const auto fraction = side.fraction.value_or(0);
  return fmt::format("  {:<10} right  {:.4g} ms  {}\n", who, *side.seconds * 1e3,
                     fraction < most_fraction
                         ? fmt::format("{:.1f} % of the ceiling", 100 * fraction)
                         : "above the ceiling");
}

// One size in a prompt.
std::string prompt_line(const SizeResult& size) {
  if (const auto* failure = std::get_if<Failure>(&size.answer))
    return fmt::format("{:>16}  INCORRECT ({})\n", size.label, failure->message);
  const auto& verdict = std::get<Verdict>(size.answer);
  if (!verdict.correct) {
    const auto wrong = wrong_elements_text(verdict);
    return fmt::format("{:>16}  INCORRECT ({}={:.3e}, tolerance {}{}{})\n", size.label,
                       verdict.error_kind, verdict.error_value,
                       verdict.tolerance ? fmt::format("{:.3e}", *verdict.tolerance) : "n/a",
                       wrong.empty() ? "" : "; ", wrong);
  }
  if (const auto& predicted = size.predicted; predicted && !size.timing)
    return fmt::format("{:>16}  correct, {:.2f} ms as predicted ({:.1f}% of the ceiling); {}{}\n",
                       size.label, predicted->seconds * 1e3, predicted->fraction * 100,
                       predicted->advice,
                       predicted->extrapolated() ? "; unlike what was measured" : "");
  if (!size.timing) return fmt::format("{:>16}  correct\n", size.label);
  const auto& timing = *size.timing;
  const auto share = timing.is_above() ? std::string("above the ceiling")
                                       : fmt::format("{:.1f}% of {:.0f} {}", 100 * timing.fraction,
                                                     timing.ceiling, size.ceiling_unit);
  return fmt::format("{:>16}  correct, {:.2f} ms, {:.1f} {} ({})\n", size.label,
                     timing.seconds * 1e3, timing.achieved, size.achieved_unit, share);
}

// The checked mode runs on the processor; `elsewhere`: the device of the verdict, if another.
std::string findings_text(const Diagnosis& diagnosis, const std::string& file,
                          std::string_view elsewhere, Paint paint) {
  const auto more = diagnosis.other_findings;
  auto text = fmt::format("  a run{} with every access checked, at size {}, finds{}:\n",
                          elsewhere.empty() ? "" : " on the processor", diagnosis.sizes.back(),
                          more > 0 ? fmt::format(" this and {} more (--check)", more) : "");
  for (const auto& finding : diagnosis.findings) text += text_of(finding, file, paint);
  return text;
}

std::string nothing_found(const std::vector<std::string>& sizes, std::string_view elsewhere) {
  const auto other_device = fmt::format(
      "judge the kernel with --device cpu; if it is right there, look at what differs "
      "on {}: the order of threads, and fast math (--numerics); if not, ",
      report_text(elsewhere));
  return fmt::format(
      "  runs{} with every access checked, at {}, find no fault: {}look at the arithmetic, and at "
      "which elements each thread computes; --reduce wrong shrinks the kernel to what is wrong\n",
      elsewhere.empty() ? "" : " on the processor", fmt::join(sizes, " and "),
      elsewhere.empty() ? "" : other_device);
}

// "k.metal:15: note: ..."; "k.metal: note: one of lines 15 and 17: ..." of several.
std::string text_of(const FirstDifference& difference, const std::string& file) {
  auto text = fmt::format("  {}\n", difference.where);
  const auto& lines = difference.lines;
  if (difference.cause.empty()) return text;
  return text +
         fmt::format(
             "{}{}: note: {}{}\n", file, lines.size() == 1 ? fmt::format(":{}", lines.front()) : "",
             lines.size() > 1 ? fmt::format("one of the lines {}: ", fmt::join(lines, ", ")) : "",
             difference.cause);
}

// With what the checked runs of a strict verdict say of them; null without such runs, and where
// they found nothing.
std::string quoted(const std::vector<Diagnostic>& diagnostics, const StrictResult* strict) {
  std::string text;
  for (std::size_t i = 0; i < std::min(diagnostics.size(), most_diagnostics); ++i) {
    const auto& [severity, id, place, message, notes, edits] = diagnostics[i];
    const bool is_confirmed = strict && std::ranges::any_of(strict->findings, [&](auto& fault) {
                                return confirms(fault, diagnostics[i]);
                              });
    const auto& [line, column] = place.range.begin;
    const auto at = place.is_known() ? fmt::format("{}:{}: ", line, column) : "";
    text += fmt::format("  {}{}{}{}: {} [{}]{}\n", place.file, place.file.empty() ? "" : ":", at,
                        to_string(severity), message, id,
                        is_confirmed ? "; a run with checked accesses confirms it" : "");
  }
  if (diagnostics.size() > most_diagnostics)
    text += fmt::format("  and {} more\n", diagnostics.size() - most_diagnostics);
  return text;
}

std::string prompt_text(const Diagnosis& diagnosis) {
  const std::string heading = "what runs that look for the cause say";
  if (!diagnosis.findings.empty())
    return heading + ", as LINE:COLUMN:\n" + quoted(diagnosis.findings, nullptr);
  const auto cause = diagnosis.cause();
  const auto lines = diagnosis.lines();
  if (cause.empty()) return "";
  return fmt::format("{} of the first wrong element{}: {}\n", heading,
                     lines.empty() ? ""
                     : lines.size() == 1
                         ? fmt::format(", line {}", lines.front())
                         : fmt::format(", one of the lines {}", fmt::join(lines, ", ")),
                     cause);
}

}  // namespace

std::string to_text(const EvaluationResult& result, bool colour, bool strict_decides) {
  const Paint paint{colour};
  std::string text;
  const auto file = printable(result.file);
  for (const auto& diagnostic : result.diagnostics) text += line_of(diagnostic, file);
  text += fmt::format("{}: {}{}\n", file, result.task.empty() ? "no task" : result.task,
                      result.device.empty() ? "" : " on " + result.device);
  if (const auto* error = std::get_if<Error>(&result.result))
    return text + "  " +
           paint("could not check: " + report_text(error->message), fmt::terminal_color::red) +
           "\n";
  text += body(std::get<Outcome>(result.result), result, paint);
  return result.strict ? text + strict_text(*result.strict, result.device, paint, strict_decides)
                       : text;
}

std::string to_text(const GateResult& result) {
  auto text = fmt::format("{} at the held-out size {} on {}: {}\n", result.task, result.size,
                          result.device, to_string(result.verdict));
  if (result.seed) text += line_of(result.rival, *result.seed);
  text += line_of("incumbent", result.incumbent);
  if (result.same_program) text += "  both translate to the same program; no comparison is run\n";
  if (result.speed_up)
    text += fmt::format("  measured again in turns with {}: {}{}\n", result.rival,
                        with_interval(*result.speed_up, "times as fast"),
                        doubt_about(*result.speed_up));
  if (result.predicted)
    text += fmt::format("  predicted on {} against {}: {}\n", result.predicted->chip, result.rival,
                        text_of(result.predicted->claim(), "times as fast"));
  return text;
}

std::string diagnosis_text(const EvaluationResult& result, bool colour) {
  if (!result.diagnosis) return "";
  const auto& diagnosis = *result.diagnosis;
  const auto file = printable(result.file);
  const auto elsewhere = result.device == diagnosis.device ? std::string_view() : result.device;
  std::string text;
  if (diagnosis.not_checked)
    text = fmt::format("  a run with every access checked could not be made: {}\n",
                       report_text(*diagnosis.not_checked));
  // The text of the strict verdict has its own faults.
  if (!diagnosis.findings.empty())
    return diagnosis.sizes.empty() ? text : findings_text(diagnosis, file, elsewhere, {colour});
  if (diagnosis.difference) return text + text_of(*diagnosis.difference, file);
  return text.empty() && !diagnosis.sizes.empty() ? nothing_found(diagnosis.sizes, elsewhere)
                                                  : text;
}

std::string to_text(const PhaseTimes& times) {
  auto text = fmt::format(
      "front end {:.1f}, inputs {:.1f}, references {:.1f}, driver's build {:.1f}, run (with what "
      "the driver compiles late) {:.1f}, judging {:.1f}",
      times.front_end, times.inputs, times.references, times.build, times.run, times.judging);
  if (times.strict > 0) text += fmt::format(", strict verdict {:.1f}", times.strict);
  if (times.comparison > 0) text += fmt::format(", in turns {:.1f}", times.comparison);
  return text;
}

std::string prompt_text(const EvaluationResult& result) {
  std::string text;
  const auto score = result.score();
  for (const auto& size : result.sizes()) text += prompt_line(size);
  const auto predicted = result.predicted_score();
  if (score)
    text += fmt::format("score {:.4f}\n", *score);
  else if (predicted)
    text += fmt::format("predicted score {:.4f}\n", *predicted);
  if (const auto reason = result.fail_reason()) text += *reason + "\n";
  if (!result.diagnostics.empty() && !score && !predicted)
    text += "what the linter says, as LINE:COLUMN:\n" +
            quoted(result.diagnostics, result.strict ? &*result.strict : nullptr);
  return text + (result.diagnosis ? prompt_text(*result.diagnosis) : "");
}

}  // namespace msci
