#include "evaluator/modes/inputs/check_inputs.h"

#include <fmt/format.h>

#include "base/files/write_file.h"
#include "evaluator/check/checked_run.h"
#include "evaluator/modes/modes.h"
#include "evaluator/session/session.h"

namespace msci {
namespace {

// What the search says of its answer.
SearchedInputs inputs_of(const InputSearch& search, const Plan& plan) {
  SearchedInputs inputs{.runs = search.runs};
  for (const auto& change : search.changes)
    inputs.changes.push_back(
        {change.of.name, change.pattern, change.changed_in(plan), change.of.count_in(plan)});
  return inputs;
}

class InputChecker {
 public:
  InputChecker(const Candidate& candidate, const Task& task, Device& device)
      : candidate_(candidate), task_(task), session_(candidate, &task, device) {}

  // Fills in what the search finds.
  std::optional<Error> search(std::size_t most, const std::string& plan_file, CheckResult& result) {
    auto before = text_before_update(plan_file);
    if (!before) return before.error();
    auto* const* program = std::get_if<Program*>(&session_.open());
    auto made = session_.plan(task_.small);
    if (!made) return made.error();
    const auto* plan = std::get_if<Plan>(&*made);
    if (!program || !plan) return Error{"the kernel does not run a second time"};
    const auto buffers = searched_buffers(std::string(task_.plan_file), *plan);
    if (!buffers) return buffers.error();
    if (buffers->empty())
      return Error{fmt::format(
          "{} has no buffer that --inputs may change: give one a \"fill\" of \"uniform\" numbers, "
          "whose range it then keeps, or declare a length as one integer of \"values\"",
          task_.plan_file)};
    const auto found =
        search_inputs(*plan, *buffers, most, [&](const Plan& each) -> Result<Checked> {
          auto checked = check(each, *session_.translation(), **program);
          if (checked) take_suppressed(*checked, candidate_.compiled->allowed);
          return checked;
        });
    if (!found) return found.error();
    result.inputs = inputs_of(*found, *plan);
    if (found->changes.empty()) return std::nullopt;
    result.result = found->checked;
    if (plan_file.empty()) return std::nullopt;
    return save(*found, {plan_file, *std::move(before), "msci-eval"}, result);
  }

 private:
  std::optional<Error> save(const InputSearch& found, const FileUpdate& update,
                            CheckResult& result) {
    const auto text =
        plan_with(std::string(task_.plan_file), task_.small.label, found.changes, update.path);
    if (!text) return text.error();
    if (auto error = update_file(update, *text)) return *error;
    result.inputs->plan = update.path;
    return std::nullopt;
  }

  const Candidate& candidate_;
  const Task& task_;
  Session session_;
};

}  // namespace

CheckResult check_inputs_on(const Candidate& candidate, const Task* task, Device& device,
                            std::size_t most, const std::string& plan_file) {
  auto result = check_candidate_on(candidate, task, device);
  const auto* checked = std::get_if<Checked>(&result.result);
  if (!checked || !checked->clean()) return result;
  if (auto error = InputChecker(candidate, *task, device).search(most, plan_file, result))
    result.result = *std::move(error);
  return result;
}

}  // namespace msci
