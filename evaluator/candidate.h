// The candidates of msci-eval: files and the tasks' own kernels, prepared for a device.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/frontend.h"
#include "plan/task.h"

namespace msci {

// One file or one seed, prepared independently of any task.
struct Candidate {
  std::string name;
  Result<Prepared> prepared;  // an Error also where this build cannot read Metal
  std::string source = {};
  std::string hash = {};          // of the source
  double prepare_seconds = 0;     // the time that take() waited for it
  const Task* seed_of = nullptr;  // the task whose own kernel it is; null for a file
  // Prepares it again for another purpose; null for a translated program.
  std::function<Result<Prepared>(TranslationPurpose)> prepare_as = nullptr;
};

// What is translated of a file; its members are those of PrepareOptions.
struct Specialisation {
  std::vector<std::string> kernels = {};
  std::vector<std::string> launched = {};
  std::map<std::string, std::string> constants = {};
  CompileOptions compile = {};
  Limits limits = default_preparation_limits;
};

// The origin of a candidate: a file, or a task whose seed it is. A file is Metal, whatever its text
// begins with: a model's answer must not become OpenCL C that nothing has checked.
struct CandidateOrigin {
  std::string file = {};
  bool is_program = false;            // the user named the file as a translated program
  const Task* task = nullptr;         // null for a file
  std::optional<Source> source = {};  // instead of a file: a text in memory
};

Candidate candidate_of(const CandidateOrigin& origin, GateRules rules,
                       const Specialisation& specialisation = {});
// Of a Metal text in memory.
Candidate candidate_of(const Source& source, GateRules rules, TranslationPurpose purpose,
                       const Specialisation& specialisation = {});
Candidate seed_of(const Task& task, GateRules rules);

// How sources become candidates.
struct Preparation {
  GateRules rules;  // for Metal; a translated program has passed them
  TranslationPurpose purpose = TranslationPurpose::running;
  // Reads and translates the next source, in an isolated process, while the caller judges the
  // candidate that it took. Otherwise no other work runs beside the caller.
  bool ahead = false;
  Specialisation specialisation = {};  // of files; a seed is translated as a whole
};

// Candidates in the order of their origins.
class CandidateQueue {
 public:
  CandidateQueue(std::vector<CandidateOrigin> origins, Preparation preparation);

  std::size_t size() const { return origins_.size(); }
  // The next one; none at the end. Always for the same thread: the processes that it starts die
  // with it.
  std::optional<Candidate> take();

 private:
  // Waits for a candidate whose preparation has started.
  using Pending = std::function<Candidate()>;
  Pending start(const CandidateOrigin& origin) const;

  std::vector<CandidateOrigin> origins_;
  Preparation preparation_;
  std::size_t next_ = 0;
  Pending pending_;  // the next one, where its preparation has started
};

}  // namespace msci
