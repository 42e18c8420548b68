#include "evaluator/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evaluator/evaluate.h"
#include "tasks/battery.h"

namespace msci {
namespace {

// How clearly a strict verdict says no.
void judge_margin(Audited& audited, const StrictResult& strict) {
  for (const auto& size : strict.sizes) {
    if (const auto* failure = std::get_if<Failure>(&size.answer)) {
      audited.caught_by = to_string(failure->cause);
      continue;
    }
    const auto& verdict = std::get<Verdict>(size.answer);
    if (!size.overruns.empty() && audited.caught_by.empty()) audited.caught_by = "overrun";
    if (verdict.correct) continue;
    // Any error at all is more than a tolerance of zero.
    const double margin =
        std::isnan(verdict.error_value) ? INFINITY : verdict.error_value / *verdict.tolerance;
    audited.margin = std::max(margin, audited.margin.value_or(0));
  }
  if (audited.caught_by.empty() && audited.margin) audited.caught_by = "error";
  audited.strict_accepts = strict.passed;
}

// The program of a wrong kernel. Errors: it has none.
Result<Program*> open(Session& session, std::string_view name) {
  const auto& opened = session.open();
  if (auto* const* program = std::get_if<Program*>(&opened)) return *program;
  if (const auto* error = std::get_if<Error>(&opened)) return *error;
  const auto* failure = std::get_if<Failure>(&opened);
  return Error{fmt::format("{} does not build: {}", name,
                           failure ? failure->message : std::get<Rejected>(opened).reason)};
}

Result<Audited> audit_one(const Task& task, const WrongKernel& kernel, const AuditContext& bench,
                          std::uint64_t nonce) {
  const auto text = spoil(task.seed, kernel);
  if (!text) return text.error();
  const auto name = fmt::format("{}/{}", task.name, kernel.name);
  const auto translation = bench.translate({name, *text});
  if (!translation) return translation.error();
  Session session(*translation, task, bench.device);
  const auto program = open(session, name);
  if (!program) return program.error();
  const auto strict = judge_strictly(task, *translation, bench.device.info(), **program, nonce);
  if (!strict) return strict.error();
  Audited audited{.name = kernel.name, .what = kernel.what};
  judge_margin(audited, *strict);
  if (bench.compatible) {
    const auto evaluation = evaluate(session, {.device = bench.device, .cache = bench.cache},
                                     {.repeats = verify_only, .stop_at_wrong = true});
    if (!evaluation) return evaluation.error();
    audited.compatible_accepts = std::holds_alternative<Scored>(evaluation->outcome);
  }
  return audited;
}

std::string strict_text(const Audited& kernel) {
  if (kernel.strict_accepts) return "**accepts**";
  if (!kernel.margin) return "refuses: " + kernel.caught_by;
  if (std::isinf(*kernel.margin)) return "refuses: not a number, or not exact";
  return fmt::format("refuses: {:.2g} times the tolerance", *kernel.margin);
}

}  // namespace

bool Audit::passed() const {
  return std::none_of(kernels.begin(), kernels.end(),
                      [](const Audited& each) { return each.strict_accepts; });
}

std::optional<Audited> Audit::weakest() const {
  std::optional<Audited> weakest;
  for (const auto& kernel : kernels)
    if (kernel.caught_by == "error" && (!weakest || kernel.margin < weakest->margin))
      weakest = kernel;
  return weakest;
}

Result<Audit> audit(const Task& task, const AuditContext& bench, std::uint64_t nonce) {
  const auto battery = read_battery(task.page);
  if (!battery)
    return Error{fmt::format("tasks/{0}/{0}.md: {1}", task.name, battery.error().message)};
  Audit audit{.task = std::string(task.name)};
  for (const auto& kernel : *battery) {
    if (bench.begins) bench.begins(kernel.name);
    auto audited = audit_one(task, kernel, bench, nonce);
    if (!audited) return audited.error();
    audit.kernels.push_back(*std::move(audited));
  }
  return audit;
}

std::string to_markdown(const Audit& audit) {
  std::string text = fmt::format(
      "## {}\n\n| wrong kernel | | compatible | strict |\n|---|---|---|---|\n", audit.task);
  for (const auto& kernel : audit.kernels)
    text += fmt::format("| `{}` | {} | {} | {} |\n", kernel.name, kernel.what,
                        !kernel.compatible_accepts   ? "not asked"
                        : *kernel.compatible_accepts ? "**accepts**"
                                                     : "refuses",
                        strict_text(kernel));
  const auto refused = std::count_if(audit.kernels.begin(), audit.kernels.end(),
                                     [](const Audited& each) { return !each.strict_accepts; });
  const auto missed =
      std::count_if(audit.kernels.begin(), audit.kernels.end(),
                    [](const Audited& each) { return each.compatible_accepts.value_or(false); });
  text += fmt::format("\nThe strict verdict refuses {} of {}", refused, audit.kernels.size());
  if (const auto weakest = audit.weakest())
    text += fmt::format("; `{}` is nearest to its tolerance, {:.2g} times", weakest->name,
                        *weakest->margin);
  if (audit.kernels.empty() || !audit.kernels[0].compatible_accepts) return text + ".\n";
  return text + fmt::format(". The compatible one accepts {}.\n", missed);
}

}  // namespace msci
