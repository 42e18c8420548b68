#include "evaluator/session/candidate.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/elapsed.h"
#include "base/files/read_file.h"
#include "base/sha256.h"
#include "lint/host/embedded/composed_sources.h"

namespace msci {
namespace {

std::string_view what_needs_metal(TranslationPurpose purpose) {
  switch (purpose) {
    case TranslationPurpose::running:
    case TranslationPurpose::covering:
      return "";
    case TranslationPurpose::checking:
    case TranslationPurpose::tracing:
    case TranslationPurpose::widening:
    case TranslationPurpose::proving:
      return "--check";
    case TranslationPurpose::profiling:
      return "a profile";
    case TranslationPurpose::numerics:
      return "--numerics";
    case TranslationPurpose::reading:
      return "code for reading";
  }
  return "";
}

// Checks, counters and lines come from translating Metal; a translated program has none.
Result<Compiled> read_program(const Source& source, TranslationPurpose purpose) {
  if (const auto needs = what_needs_metal(purpose); !needs.empty())
    return Error{
        fmt::format("{}: {} needs the Metal source, not a translated program", source.name, needs)};
  auto translation = load_program_file(source.text);
  if (!translation) return Error{source.name + ": " + translation.error().message};
  return Compiled{.translation = *std::move(translation)};
}

// Says which option reads a translated program, which is not Metal.
void explain_program_file(Candidate& candidate) {
  if (candidate.compiled && !candidate.compiled->rejection.empty() &&
      is_program_file(candidate.source))
    candidate.compiled->rejection += " (a translated program? --program reads one)";
}

// Whether it can be read at once; a pipe can block.
bool reads_at_once(const CandidateOrigin& origin) {
  std::error_code problem;
  return origin.task || origin.source || std::filesystem::is_regular_file(origin.file, problem);
}

Result<Source> read(const CandidateOrigin& origin) {
  if (origin.task)
    return Source{fmt::format("{}.metal", origin.task->name), std::string(origin.task->seed)};
  if (origin.source) return *origin.source;
  return metal_in(read_source(origin.file));
}

// Reads a source and starts to compile it; the returned function waits for the candidate.
std::function<Candidate()> start_candidate(const CandidateOrigin& origin, GateRules rules,
                                           CompileRequest request) {
  auto source = read(origin);
  if (!source)
    return [name = origin.file, error = source.error()] { return Candidate{name, error}; };
  if (origin.task) add_task(request, *origin.task);
  const auto purpose = request.purpose;
  std::shared_ptr<FrontEnd> front_end;
  if (!origin.is_program) {
    front_end = std::make_shared<FrontEnd>(*source, rules, std::move(request));
    front_end->begin();
  }
  return [source = *std::move(source), task = origin.task, purpose, front_end] {
    const auto start = std::chrono::steady_clock::now();
    Candidate candidate{source.name,
                        front_end ? front_end->finish() : read_program(source, purpose),
                        source.text, sha256_of(source.text)};
    candidate.compile_seconds = seconds_since(start);
    candidate.seed_of = task;
    candidate.purpose = purpose;
    if (!front_end) return candidate;
    explain_program_file(candidate);
    candidate.compile_for = [front_end](TranslationPurpose other, const NumericMeaning& meaning) {
      return front_end->compile(other, meaning);
    };
    return candidate;
  };
}

}  // namespace

Candidate compiled_for(TranslationPurpose purpose, Candidate candidate,
                       const NumericMeaning& meaning) {
  candidate.compiled = candidate.compile_for(purpose, meaning);
  candidate.purpose = purpose;
  return candidate;
}

ResultHeading heading_of(const Candidate& candidate, const Task* task, const Device& device) {
  return {.file = candidate.name,
          .task = std::string(task ? task->name : ""),
          .device = device.info().name};
}

void add_task(CompileRequest& request, const Task& task) {
  request.required.clear();
  for (const auto& kernel : task.kernels) request.required.push_back(kernel.name);
  request.launched.clear();
  if (!task.plan_file.empty()) request.launched = request.required;
  request.constants.insert(task.constants.begin(), task.constants.end());
}

Candidate candidate_of(const CandidateOrigin& origin, GateRules rules,
                       const CompileRequest& request) {
  return start_candidate(origin, rules, request)();
}

CandidateQueue::CandidateQueue(std::vector<CandidateOrigin> origins, GateRules rules,
                               CompileRequest request, bool reads_ahead)
    : origins_(std::move(origins)),
      rules_(rules),
      request_(std::move(request)),
      reads_ahead_(reads_ahead) {}

std::optional<Candidate> CandidateQueue::take() {
  if (next_ == origins_.size()) return std::nullopt;
  const auto finish = pending_ ? std::exchange(pending_, nullptr)
                               : start_candidate(origins_[next_], rules_, request_);
  ++next_;
  if (reads_ahead_ && next_ < origins_.size() && reads_at_once(origins_[next_]))
    pending_ = start_candidate(origins_[next_], rules_, request_);
  return finish();
}

}  // namespace msci
