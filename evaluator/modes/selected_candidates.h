// The kernels that the options of msci-eval select.
#pragma once

#include <string>
#include <vector>

#include "evaluator/options/eval_options.h"
#include "evaluator/session/candidate.h"

namespace msci {

// The rules that a kernel must pass before it runs. A build without the front end reads no Metal,
// so it has none.
GateRules gate_rules();

// What the options and, of a plan, its task say about translating files.
CompileRequest compile_request_of(const EvaluatorOptions& options, const Task* task = nullptr,
                                  TranslationPurpose purpose = TranslationPurpose::running);

// The same for the candidates of origins_of(): the first task is that of all files; each seed adds
// its own.
CompileRequest queue_request_of(const EvaluatorOptions& options, const Task* first,
                                TranslationPurpose purpose);

// The files; without any, the tasks' own kernels.
std::vector<CandidateOrigin> origins_of(const EvaluatorOptions& options,
                                        const std::vector<const Task*>& tasks);

// The kernel of --vs, ready to run: a file, or "seed". Errors: it cannot be read, or is rejected.
Result<Candidate> read_rival(const std::string& name, const EvaluatorOptions& options,
                             const Task& task);

}  // namespace msci
