#include <fmt/format.h>

#include <algorithm>

#include "evaluator/modes/judge_each.h"
#include "evaluator/modes/modes.h"
#include "evaluator/modes/numerics/numerics_result.h"
#include "evaluator/modes/open_devices.h"
#include "evaluator/session/run_once.h"

namespace msci {
namespace {

using Kind = NumericMeaning::Kind;

// One kernel at the first size of a task, under any meaning.
class Numerics {
 public:
  Numerics(const Candidate& candidate, const Task& task, Device& device)
      : candidate_(candidate), task_(task), size_(task.sizes.front()), device_(device) {}

  // Fills in what the meanings give, or why there is nothing.
  std::optional<Error> run(NumericsResult& result) {
    auto as_written = judged(candidate_, Kind::as_written);
    if (!as_written) return as_written.error();
    if (as_written->splits()) {
      result.message = as_written->verdict ? "the result is wrong as the kernel is written: " +
                                                 text_of(*as_written->verdict)
                                           : as_written->message;
      return std::nullopt;
    }
    result.meanings.push_back(*std::move(as_written));
    for (auto kind = 1; kind < static_cast<int>(Kind::together); ++kind)
      if (auto error = add(static_cast<Kind>(kind), result)) return error;
    // Where one splits, it would only be repeated.
    return result.splits() == 0 ? add(Kind::together, result) : std::nullopt;
  }

 private:
  std::optional<Error> add(Kind kind, NumericsResult& result) {
    auto each = judged({kind});
    if (!each) return each.error();
    if (each->splits())
      if (auto error = find_line(*each)) return error;
    result.meanings.push_back(*std::move(each));
    return std::nullopt;
  }

  Result<MeaningResult> judged(const NumericMeaning& meaning) {
    return judged(compiled_for(TranslationPurpose::numerics, candidate_, meaning), meaning.kind);
  }

  Result<MeaningResult> judged(const Candidate& candidate, Kind kind) {
    MeaningResult result{.meaning = kind};
    Session session(candidate, &task_, device_);
    const auto ran = run_once(session, size_);
    if (!ran) return ran.error();
    if (const auto* failure = std::get_if<Failure>(&*ran)) {
      result.message = failure->message;
      return result;
    }
    auto verdict = judge(std::get<Run>(*ran).outputs);
    if (!verdict) return verdict.error();
    result.verdict = *std::move(verdict);
    return result;
  }

  Result<Verdict> judge(const Outputs& outputs) {
    if (!reference_) reference_ = task_.reference ? task_.reference(size_) : Bytes{};
    return task_.judge(size_, *reference_, outputs, outputs);
  }

  // Whether the results split if some lines alone have the meaning.
  Result<bool> splits_in(Kind kind, unsigned first, unsigned last) {
    const auto result = judged({kind, first, last});
    if (!result) return result.error();
    return result->splits();
  }

  // The first line that splits the results alone; without one, the last line that they need.
  std::optional<Error> find_line(MeaningResult& result) {
    auto enough = static_cast<unsigned>(std::ranges::count(candidate_.source, '\n') + 1);
    const auto all = splits_in(result.meaning, 1, enough);
    if (!all) return all.error();
    if (!*all) return std::nullopt;  // code without a line is needed
    for (unsigned too_few = 0; enough - too_few > 1;) {
      const auto middle = too_few + (enough - too_few) / 2;
      const auto splits = splits_in(result.meaning, 1, middle);
      if (!splits) return splits.error();
      (*splits ? enough : too_few) = middle;
    }
    const auto alone = splits_in(result.meaning, enough, enough);
    if (!alone) return alone.error();
    result.line = SplittingLine{enough, *alone};
    return std::nullopt;
  }

  const Candidate& candidate_;
  const Task& task_;
  const Size& size_;
  Device& device_;
  std::optional<Bytes> reference_;
};

NumericsResult run_numerics(const EvaluatorOptions& options, const Candidate& candidate,
                            const Task* task, Device& device) {
  NumericsResult result{.heading = heading_of(candidate, task, device)};
  result.heading.requested_device = replaced_device(options, device.info());
  if (!candidate.compiled) {
    result.error = candidate.compiled.error();
  } else if (!candidate.compiled->translation) {
    result.message = candidate.compiled->rejection;
  } else if (!task) {
    result.message = fits_no_task;
  } else {
    result.size = task->sizes.front().label;
    result.error = Numerics(candidate, *task, device).run(result);
  }
  return result;
}

}  // namespace

int numerics_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                   Device& device) {
  return judge_each(options, tasks, TranslationPurpose::numerics,
                    [&](const Candidate& candidate, const Task* task) -> Judged {
                      const auto result = run_numerics(options, candidate, task, device);
                      return {.error = result.error,
                              .output = options.output.json ? to_json(result) + "\n"
                                        : result.error      ? std::string()
                                                            : to_text(result, candidate.source),
                              .is_right = !result.message && result.splits() == 0};
                    });
}

}  // namespace msci
