// The candidates of msci-eval: files and the tasks' own kernels, compiled.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "evaluator/result/result_heading.h"
#include "evaluator/session/compile_kernel.h"
#include "tasks/plan/task.h"

namespace msci {

// One file or one seed, compiled independently of any task.
struct Candidate {
  std::string name;
  Result<Compiled> compiled;
  std::string source = {};
  std::string hash = {};          // of the source
  double compile_seconds = 0;     // the time that the caller waited for it
  const Task* seed_of = nullptr;  // the task whose own kernel it is; null for a file
  TranslationPurpose purpose = TranslationPurpose::running;  // of `compiled`
  // Translates it for another purpose, in the process that has parsed it; null for a translated
  // program.
  std::function<Result<Compiled>(TranslationPurpose, const NumericMeaning&)> compile_for = nullptr;
};

// The candidate for another purpose.
Candidate compiled_for(TranslationPurpose purpose, Candidate candidate,
                       const NumericMeaning& meaning = {});

// Of a result that a candidate gives on a task, which is null where none of several fits.
ResultHeading heading_of(const Candidate& candidate, const Task* task, const Device& device);

// The origin of a candidate: a file, or a task whose seed it is. A file is Metal, whatever its text
// begins with: a model's answer must not become OpenCL C that nothing has checked.
struct CandidateOrigin {
  std::string file = {};
  bool is_program = false;            // the user named the file as a translated program
  const Task* task = nullptr;         // null for a file
  std::optional<Source> source = {};  // instead of a file: a text in memory
};

// Adds the kernels that the task requires, those that a plan launches, and the task's values of
// function constants, which the request may replace.
void add_task(CompileRequest& request, const Task& task);

// Compiles a candidate. To a seed's request, its task is added. `rules`: for Metal; a translated
// program has passed them.
Candidate candidate_of(const CandidateOrigin& origin, GateRules rules,
                       const CompileRequest& request = {});

// Candidates in the order of their origins.
class CandidateQueue {
 public:
  // With `reads_ahead`, reads and compiles the next source, in an isolated process, while the
  // caller judges the candidate that it took. Otherwise no other work runs beside the caller.
  CandidateQueue(std::vector<CandidateOrigin> origins, GateRules rules, CompileRequest request = {},
                 bool reads_ahead = false);

  std::size_t size() const { return origins_.size(); }
  // The next one; none at the end. Always for the same thread: the processes that it starts die
  // with it.
  std::optional<Candidate> take();

 private:
  std::vector<CandidateOrigin> origins_;
  GateRules rules_;
  CompileRequest request_;
  bool reads_ahead_;
  std::size_t next_ = 0;
  std::function<Candidate()> pending_;  // waits for the next one, where its compilation has started
};

}  // namespace msci
