#include <fmt/format.h>

#include <algorithm>

#include "base/io/report.h"
#include "base/text.h"
#include "evaluator/check/check_result.h"
#include "evaluator/result/finding_text.h"

namespace msci {
namespace {

// The findings, and the suppressed faults with their reasons.
std::string faults_text(const Checked& checked, const std::string& file, Paint paint) {
  std::string text;
  for (const auto& finding : checked.findings) text += text_of(finding, file, paint);
  for (const auto& [fault, rule, reason] : checked.suppressed)
    text += fmt::format("{}: suppressed: {} [{}]\n  {} is allowed here: {}\n",
                        printable(to_string(fault.place, file)), printable(fault.message), fault.id,
                        rule, printable(reason));
  return text;
}

std::string text_of(const ThreadPosition& position) {
  return fmt::format("({}, {}, {})", position.x, position.y, position.z);
}

// What the kernel wrote to an os_log, a line each. A terminal must not obey it.
std::string messages_text(const Checked& checked, const std::string& file) {
  std::string text;
  for (const auto& message : checked.messages) {
    auto to = std::string(to_string(message.kind));
    for (const auto* part : {&message.subsystem, &message.category})
      if (!part->empty()) to += fmt::format(", {}", printable(*part));
    text += fmt::format("{}: note: thread {} of threadgroup {} logs ({}): {}\n",
                        printable(to_string(message.place, file)), text_of(message.thread),
                        text_of(message.threadgroup), to, printable(message.text));
  }
  return text;
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// "2 faults, 1 note"
std::string counted(const std::vector<Diagnostic>& findings) {
  if (findings.empty()) return "nothing found";
  const auto errors = static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [](const Diagnostic& each) { return each.severity == Severity::error; }));
  const auto notes = findings.size() - errors;
  if (notes == 0) return counted(errors, "fault");
  return (errors ? counted(errors, "fault") : "no faults") + ", " + counted(notes, "note");
}

std::string conclusion(const Checked& checked) {
  if (checked.failure) return "the run failed: " + checked.failure->message;
  const auto found = counted(checked.findings);
  if (checked.suppressed.empty()) return found;
  return fmt::format("{}, {} suppressed", found, checked.suppressed.size());
}

std::string_view text_of(Joined in_run) {
  switch (in_run) {
    case Joined::confirmed:
      return "confirmed by this run";
    case Joined::not_seen:
      return "not seen in this run";
    case Joined::not_reached:
      return "not reached by this run";
  }
  return "";
}

// Whether the answer depends on an order, a line for that of the threads and one for that of the
// launches, where a plan leaves it open.
std::string reruns_text(const Reruns& reruns) {
  const auto& launches = reruns.launches_differ;
  std::string text =
      reruns.differs
          ? fmt::format("  the answer depends on the order of the threads: {} changes it",
                        *reruns.differs)
          : fmt::format("  the answer is the same in {} orders of the threads",
                        reruns.orders.size());
  if (!launches && !reruns.reversed_launches_fail) return text + "\n";
  if (!reruns.differs) text += ", with the launches in the plan's order";
  if (!launches) return text + "\n  the concurrent launches fail or do not end in reverse order\n";
  text += *launches
              ? "\n  the answer depends on the order of the concurrent launches: the reverse of "
                "the plan's changes it\n"
              : "\n  the answer is the same with the concurrent launches in reverse order\n";
  return text;
}

// What messages, reruns and stores of equal values say, a line each.
std::string remarks(const Checked& checked, const std::string& file) {
  std::string text;
  if (!checked.messages.empty()) {
    text += "  " + counted(checked.messages.size(), "message");
    if (checked.messages_left_out > 0)
      text += fmt::format(", and {} more that were not kept", checked.messages_left_out);
    text += "\n";
  }
  if (checked.reruns) text += reruns_text(*checked.reruns);
  if (const auto& [count, first] = checked.benign_races; count > 0) {
    text += count == 1 ? "  1 conflicting store of an equal value was let go"
                       : fmt::format("  {} conflicting stores of equal values were let go", count);
    if (first.is_known())
      text += fmt::format("{} {}", count == 1 ? ":" : ", the first at",
                          printable(to_string(first, file)));
    text += "\n";
  }
  return text;
}

std::string inputs_text(const SearchedInputs& inputs, const std::string& file) {
  if (inputs.changes.empty())
    return fmt::format("  no fault in {} with other inputs\n", counted(inputs.runs, "run"));
  std::string text;
  for (const auto& each : inputs.changes)
    text +=
        fmt::format("{} {} {} ({} of {} elements changed)", text.empty() ? "  found with" : " and",
                    each.buffer, each.pattern, each.changed, each.elements);
  text += fmt::format(", after {}\n", counted(inputs.runs, "run"));
  if (inputs.plan.empty()) return text;
  return text +
         fmt::format("  repeat it with: msci-eval {} --plan {} --check\n", file, inputs.plan);
}

}  // namespace

std::string to_text(const CheckResult& result, bool colour) {
  const Paint paint{colour};
  const auto& heading = result.heading;
  const auto file = printable(heading.file);
  std::string text;
  const auto* checked = std::get_if<Checked>(&result.result);
  for (const auto& diagnostic : result.diagnostics) {
    text += line_of(diagnostic, file);
    const auto in_run = checked ? joined(diagnostic, *checked) : std::nullopt;
    if (in_run) text += fmt::format("  {}\n", text_of(*in_run));
  }
  if (checked) text += messages_text(*checked, file);
  if (checked) text += faults_text(*checked, file, paint);
  const auto what =
      heading.task.empty() ? "no task" : fmt::format("{} {}", heading.task, result.size);
  text += fmt::format("{}: {} on {}, checked\n", file, what, heading.device);
  if (const auto* rejected = std::get_if<Rejected>(&result.result))
    return text + "  " + paint(report_text(rejected->reason), fmt::terminal_color::red) + "\n";
  if (const auto* error = std::get_if<Error>(&result.result))
    return text + "  " +
           paint("could not check: " + report_text(error->message), fmt::terminal_color::red) +
           "\n";
  return text + "  " +
         paint(conclusion(*checked),
               checked->clean() ? fmt::terminal_color::green : fmt::terminal_color::red) +
         "\n" + remarks(*checked, heading.file) +
         (result.inputs ? inputs_text(*result.inputs, file) : std::string());
}

}  // namespace msci
