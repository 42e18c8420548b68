#include "evaluator/check/check_result.h"

#include <algorithm>

#include "analysis/check/fault_table.h"
#include "evaluator/result/json_fields.h"

namespace msci {
namespace {

// The three kinds of result as one list of fields.
struct CheckFields {
  std::optional<bool> valid;
  std::vector<Diagnostic> findings;
  std::vector<SuppressedFault> suppressed;
  std::optional<EqualStores> benign_races;
  std::optional<Reruns> reruns;
  std::vector<LoggedMessage> messages;
  std::optional<std::size_t> messages_left_out;
  std::optional<Failure::Cause> cause;
  std::optional<std::string> message;
  std::optional<std::string> error;
};

CheckFields fields_of(const RunOutcome<Checked>& result) {
  if (const auto* error = std::get_if<Error>(&result)) return {.error = error->message};
  if (const auto* rejected = std::get_if<Rejected>(&result))
    return {.valid = false, .message = rejected->reason};
  const auto& checked = std::get<Checked>(result);
  CheckFields fields{.valid = checked.clean(),
                     .findings = checked.findings,
                     .suppressed = checked.suppressed,
                     .reruns = checked.reruns};
  if (checked.failure) {
    fields.cause = checked.failure->cause;
    fields.message = checked.failure->message;
  } else {
    fields.benign_races = checked.benign_races;
    fields.messages = checked.messages;
    fields.messages_left_out = checked.messages_left_out;
  }
  return fields;
}

bool is_allowed_by(const AllowedRule& allowed, const Diagnostic& fault) {
  if (!may_confirm(fault, allowed.rule)) return false;
  const auto lines = lines_of(fault);
  return std::any_of(lines.begin(), lines.end(), [&](const FileLine& each) {
    const auto& [file, line] = each;
    return file.empty() && allowed.first_line <= line && line <= allowed.last_line;
  });
}

}  // namespace

bool Checked::clean() const {
  return !failure && std::none_of(findings.begin(), findings.end(), [](const Diagnostic& each) {
    return each.severity == Severity::error;
  });
}

bool Checked::has_narrowed() const {
  return std::ranges::any_of(findings, [](const Diagnostic& each) {
    return each.id == finding_id(Fault::Kind::narrowed);
  });
}

bool Checked::has_race() const {
  const auto is_race = [](const Diagnostic& each) {
    return each.id == finding_id(Fault::Kind::race);
  };
  return std::any_of(findings.begin(), findings.end(), is_race) ||
         std::any_of(suppressed.begin(), suppressed.end(),
                     [&](const SuppressedFault& each) { return is_race(each.fault); });
}

void take_suppressed(Checked& checked, std::span<const AllowedRule> allowed) {
  std::erase_if(checked.findings, [&](const Diagnostic& fault) {
    const auto by = std::find_if(allowed.begin(), allowed.end(), [&](const AllowedRule& each) {
      return is_allowed_by(each, fault);
    });
    if (by == allowed.end()) return false;
    checked.suppressed.push_back({fault, by->rule, by->reason});
    return true;
  });
}

std::string_view to_string(Joined joined) {
  switch (joined) {
    case Joined::confirmed:
      return "confirmed";
    case Joined::not_seen:
      return "not_seen";
    case Joined::not_reached:
      return "not_reached";
  }
  return "unknown";
}

std::optional<Joined> joined(const Diagnostic& finding, const Checked& checked) {
  if (!has_fault_for(finding.id)) return std::nullopt;
  const bool confirmed =
      std::ranges::any_of(checked.findings,
                          [&](const Diagnostic& fault) { return confirms(fault, finding); }) ||
      std::ranges::any_of(checked.suppressed, [&](const SuppressedFault& each) {
        return confirms(each.fault, finding);
      });
  // A run that failed may have lost faults.
  if (!confirmed && checked.failure) return std::nullopt;
  if (confirmed) return Joined::confirmed;
  const auto lines = lines_of(finding);
  const bool is_reached = std::none_of(checked.unreached.begin(), checked.unreached.end(),
                                       [&](unsigned line) { return lines.contains({"", line}); });
  return is_reached ? Joined::not_seen : Joined::not_reached;
}

void describe(Fields& field, EqualStores& stores) {
  field("count", stores.count, "how many");
  field("line", stores.first.range.begin.line, "of the first; 0 if there is none or it is unknown");
  field("column", stores.first.range.begin.column, "of the first");
}

void describe(Fields& field, Reruns& reruns) {
  field("orders", reruns.orders, "the orders of the reruns, as --order takes them");
  field("differs", reruns.differs,
        "the first order whose answer is another one; null if all agree");
  field(
      "launches_differ", reruns.launches_differ,
      "whether concurrent launches in reverse order give another answer; null without such, or if "
      "they fail");
  field("reversed_launches_fail", reruns.reversed_launches_fail,
        "whether concurrent launches in reverse order did not end, or failed");
}

void describe(Fields& field, ThreadPosition& position) {
  field("x", position.x, "from 0");
  field("y", position.y, "from 0");
  field("z", position.z, "from 0");
}

void describe(Fields& field, LoggedMessage& message) {
  field.choice("type", message.kind, DebugCall::Kind::fault, "log is without a type");
  describe_place(field, message.place);
  field("thread", message.thread, "its position in the threadgroup");
  field("threadgroup", message.threadgroup, "its position in the grid");
  field.text("subsystem", message.subsystem, "of the os_log");
  field.text("category", message.category, "of the os_log");
  field("text", message.text, "the format, filled with its arguments");
}

void describe(Fields& field, ChangedInput& change) {
  field("buffer", change.buffer, "its name");
  field("pattern", change.pattern, "of the numbers that it was given at first");
  field("changed_elements", change.changed, "that differ from the plan's");
  field("elements", change.elements, "in all");
}

void describe(Fields& field, SearchedInputs& inputs) {
  field("runs", inputs.runs, "with other contents");
  field("changes", inputs.changes, "that show the fault; empty if none do");
  field.text("plan", inputs.plan, "the file of --save-plan, which repeats the fault");
}

void describe(Fields& field, const CheckResult& result) {
  const auto fields = fields_of(result.result);
  describe_heading(field, result.heading);
  field.text("size", result.size, "the label of the size");
  field("valid", fields.valid,
        "whether the kernel ran to its end without a finding; null if it could not be checked");
  field.elements("findings", fields.findings, describe_finding, "by position");
  field.elements(
      "suppressed", fields.suppressed,
      [](Fields& element, SuppressedFault& each) {
        describe_finding(element, each.fault);
        element("rule", each.rule, "the rule that the comment names");
        element("reason", each.reason, "of the comment");
      },
      "faults that a comment of the source allows; they do not count");
  field("let_go", fields.benign_races,
        "conflicting stores that count for nothing, since they store equal values");
  field("reruns", fields.reruns,
        "of a kernel with a race: whether its answer depends on the order of its threads");
  field("messages", fields.messages,
        "what threads wrote to an os_log, by launch and thread; messages do not count");
  field("messages_left_out", fields.messages_left_out, "how many more there were");
  field.choice("cause", fields.cause, Failure::Cause::wrong_pass, "why the run failed");
  field("message", fields.message, "why the run failed, or why the kernel is rejected");
  const auto* checked = std::get_if<Checked>(&result.result);
  field.elements(
      "diagnostics", result.diagnostics,
      [&](Fields& element, Diagnostic& finding) {
        describe(element, finding);
        element.choice("in_run", checked ? joined(finding, *checked) : std::nullopt,
                       Joined::not_reached,
                       "whether a fault of the run confirms a hazard; null where none could");
      },
      "the findings of lint");
  field("inputs", result.inputs, "of --inputs, where the plan's own inputs show no fault");
  field("error", fields.error, "why msci could not check");
}

std::string to_json(const CheckResult& result) { return to_line(json_of(result)); }

std::string check_schema() {
  return json_schema(type_of<CheckResult>(), "check", "msci-eval --check --json",
                     "The result of a checked run of one kernel, on one line.");
}

}  // namespace msci
