// Many kernels on one device or several: each device takes the next kernel as soon as it is free.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "evaluator/evaluate.h"
#include "evaluator/report.h"
#include "evaluator/subject.h"

namespace msci {

// Why a source is refused that none of several tasks is for.
inline constexpr const char* fits_no_task = "none of the tasks dispatches a kernel of this source";

// What is asked of every kernel.
struct Assignment {
  std::vector<const Task*> tasks;
  Protocol protocol;
  std::string_view protocol_name;
  const Subject* rival = nullptr;  // what all that is right is measured against, in turns
  // Told before each size; from several threads, one at a time.
  std::function<void(const Subject&, const Task&, std::string_view size)> begins;
};

// The subject on one of its tasks; on none where it fits none of several.
EvaluationReport judge(const Subject& subject, const Task* task, const Bench& bench,
                       const Assignment& assignment);

// The tasks that a subject is reported on: a seed's own; of several, those that dispatch a kernel
// of its; one null pointer where there is none to name.
std::vector<const Task*> tasks_of(const Subject& subject, const std::vector<const Task*>& tasks);

struct Judged {
  const Task* task = nullptr;
  EvaluationReport report;
};

// Judges all that the line holds on at least one bench, and tells of each subject in the line's
// order, on one thread at a time, with the bench that it was judged on. Called by the main thread,
// which alone takes from the line; of several benches each has a thread of its own.
using Tell = std::function<void(const Subject&, const std::vector<Judged>&, const Bench&)>;
void judge_all(SubjectLine& line, const Assignment& assignment, std::span<const Bench> benches,
               const Tell& tell);

}  // namespace msci
