#include "evaluator/modes/numerics/numerics_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "evaluator/result/json_fields.h"

namespace msci {

using Kind = NumericMeaning::Kind;

namespace {

struct MeaningWords {
  std::string_view name, about;
};

// By Kind.
constexpr std::array<MeaningWords, 8> words = {{
    {"as_written", "each operation is rounded once, in the order of the source"},
    {"contracted", "a product is added without being rounded first"},
    {"reassociated", "sums and products in another order, without terms that cancel"},
    {"reciprocal", "division multiplies by the rounded reciprocal, 0 for divisors above 2^126"},
    {"fast_functions", "exp, tanh, sin, pow and others by their fast variants"},
    {"flushed", "numbers below 2^-126 are 0"},
    {"nan_ignored", "tests for NaN and infinity are decided as if there were none"},
    {"together", "all of these at once"},
}};

const MeaningWords& meaning_words(Kind meaning) { return words[static_cast<std::size_t>(meaning)]; }

std::string numerics_line(const NumericsResult& result, const SplittingLine& line,
                          const std::string& source) {
  return fmt::format("    {}:{}: {}{}\n", result.heading.file, line.line,
                     trimmed(line_at(source, line.line)),
                     line.is_alone ? "" : "  (together with lines before it)");
}

}  // namespace

std::string_view to_string(Kind meaning) { return meaning_words(meaning).name; }

std::size_t NumericsResult::splits() const {
  return static_cast<std::size_t>(std::ranges::count_if(meanings, &MeaningResult::splits));
}

std::string text_of(const Verdict& verdict) {
  auto text = fmt::format("{} {:.4g}", verdict.error_kind, verdict.error_value);
  if (verdict.tolerance) text += fmt::format(" (at most {:.4g})", *verdict.tolerance);
  if (!verdict.differences || verdict.differences->wrong == 0) return text;
  const auto& differences = *verdict.differences;
  text += fmt::format("; {} of {} elements", differences.wrong, differences.compared);
  return differences.first.empty() ? text : fmt::format("{}; {}", text, differences.first);
}

std::string to_text(const NumericsResult& result, const std::string& source) {
  auto text = fmt::format("{}: {} {}\n", result.heading.file, result.heading.task, result.size);
  if (result.message) return text + fmt::format("  {}\n", *result.message);
  for (const auto& each : result.meanings) {
    text += fmt::format("  {:<15} {:<7} {}\n", to_string(each.meaning),
                        each.splits() ? "SPLITS" : "same",
                        each.verdict ? text_of(*each.verdict) : each.message);
    if (!each.splits()) continue;
    if (each.line) text += numerics_line(result, *each.line, source);
    text += fmt::format("    {}\n", meaning_words(each.meaning).about);
  }
  if (result.splits() == 0) return text + "  the results agree within the tolerance\n";
  return text + fmt::format("  the results depend on the meaning: {} of {} split\n",
                            result.splits(), result.meanings.size() - 1);
}

void describe(Fields& field, const MeaningResult& result) {
  const auto verdict = result.verdict.value_or(Verdict{});
  const auto differences = verdict.differences.value_or(Differences{});
  const auto if_compared = [&](std::size_t count) {
    return verdict.differences ? std::optional(count) : std::nullopt;
  };
  field.choice("meaning", result.meaning, Kind::together, "of arithmetic");
  field("about", std::string(meaning_words(result.meaning).about), "what it means");
  field("splits", result.splits(), "whether its results are beyond the tolerance of the task");
  field.text("error_kind", verdict.error_kind, "the measure of the error");
  field("error_value",
        result.verdict && std::isfinite(verdict.error_value) ? std::optional(verdict.error_value)
                                                             : std::nullopt,
        "null where it is not a finite number");
  field("tolerance", verdict.tolerance, "the largest error that is right");
  field("wrong_elements", if_compared(differences.wrong), "beyond the tolerance");
  field("compared_elements", if_compared(differences.compared), "in all");
  field.text("first_difference", differences.first, "the first wrong element, with both values");
  field("line", result.line ? std::optional(result.line->line) : std::nullopt,
        "of the source: the first that splits the results if it alone has the meaning");
  field("needs_lines_before", result.line && !result.line->is_alone,
        "whether the results split only if lines before it have the meaning, too");
  field.text("message", result.message, "why the kernel failed under this meaning");
}

void describe(Fields& field, const NumericsResult& result) {
  const bool is_known = !result.message && !result.error;
  describe_heading(field, result.heading);
  field.text("size", result.size, "the label of the size");
  field("valid", is_known ? std::optional(result.splits() == 0) : std::nullopt,
        "whether all meanings are within the tolerance; null where they were not run");
  field("meanings", result.meanings, "as_written first");
  field("message", result.message, "why the kernel is rejected, or wrong as it is written");
  field("error", result.error ? std::optional(result.error->message) : std::nullopt,
        "why msci could not run it");
}

std::string to_json(const NumericsResult& result) { return to_line(json_of(result)); }

std::string numerics_schema() {
  return json_schema(type_of<NumericsResult>(), "numerics", "msci-eval --numerics --json",
                     "One kernel under the meanings of fast math, on one line.");
}

}  // namespace msci
