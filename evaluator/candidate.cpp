#include "evaluator/candidate.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "base/elapsed.h"
#include "base/files/read_file.h"
#include "base/sha256.h"

namespace msci {
namespace {

// Checks and counters come from translating Metal; a translated program has none.
Result<Prepared> read_program(const Source& source, TranslationPurpose purpose) {
  if (purpose != TranslationPurpose::running)
    return Error{fmt::format("{}: {} needs the Metal source, not a translated program", source.name,
                             purpose == TranslationPurpose::checking ? "--check" : "a profile")};
  auto translation = load_program_file(source.text);
  if (!translation) return Error{source.name + ": " + translation.error().message};
  return Prepared{.translation = *std::move(translation)};
}

// Starts to prepare a source; the returned function waits for the result.
std::function<Result<Prepared>()> start_preparing(const Source& source, bool is_program,
                                                  const Preparation& preparation) {
  const auto purpose = preparation.purpose;
  if (is_program) return [=] { return read_program(source, purpose); };
  auto started = std::make_shared<Result<IsolatedPreparation>>(
      IsolatedPreparation::start(source, preparation.rules,
                                 {.kernels = preparation.specialisation.kernels,
                                  .launched = preparation.specialisation.launched,
                                  .constants = preparation.specialisation.constants,
                                  .purpose = purpose,
                                  .compile = preparation.specialisation.compile,
                                  .limits = preparation.specialisation.limits}));
  return [started]() -> Result<Prepared> {
    if (!*started) return started->error();
    return (*started)->finish();
  };
}

// Says which option reads a translated program, which is not Metal.
void explain_program_file(Candidate& candidate, const Source& source) {
  if (candidate.prepared && !candidate.prepared->rejection.empty() && is_program_file(source.text))
    candidate.prepared->rejection += " (a translated program? --program reads one)";
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
  return read_source(origin.file);
}

}  // namespace

Candidate candidate_of(const CandidateOrigin& origin, GateRules rules,
                       const Specialisation& specialisation) {
  return CandidateQueue({origin}, {.rules = rules, .specialisation = specialisation})
      .take()
      .value();
}

Candidate candidate_of(const Source& source, GateRules rules, TranslationPurpose purpose,
                       const Specialisation& specialisation) {
  return CandidateQueue({{.source = source}},
                        {.rules = rules, .purpose = purpose, .specialisation = specialisation})
      .take()
      .value();
}

Candidate seed_of(const Task& task, GateRules rules) {
  return CandidateQueue({{.task = &task}}, {.rules = rules}).take().value();
}

CandidateQueue::CandidateQueue(std::vector<CandidateOrigin> origins, Preparation preparation)
    : origins_(std::move(origins)), preparation_(std::move(preparation)) {}

CandidateQueue::Pending CandidateQueue::start(const CandidateOrigin& origin) const {
  auto source = read(origin);
  if (!source)
    return [name = origin.file, error = source.error()] { return Candidate{name, error}; };
  auto preparation = preparation_;
  if (origin.task) preparation.specialisation = {.constants = origin.task->constants};
  const auto prepare_as = [source = *source, preparation](TranslationPurpose purpose) {
    auto other = preparation;
    other.purpose = purpose;
    return start_preparing(source, false, other)();
  };
  return [source = *source, origin,
          finish = start_preparing(*source, origin.is_program, preparation), prepare_as] {
    const auto start = std::chrono::steady_clock::now();
    Candidate candidate{source.name, finish(), source.text, sha256_of(source.text)};
    candidate.prepare_seconds = seconds_since(start);
    candidate.seed_of = origin.task;
    if (!origin.is_program) explain_program_file(candidate, source);
    if (!origin.is_program) candidate.prepare_as = prepare_as;
    return candidate;
  };
}

std::optional<Candidate> CandidateQueue::take() {
  if (next_ == origins_.size()) return std::nullopt;
  const auto finish = pending_ ? std::exchange(pending_, nullptr) : start(origins_[next_]);
  ++next_;
  if (preparation_.ahead && next_ < origins_.size() && reads_at_once(origins_[next_]))
    pending_ = start(origins_[next_]);
  return finish();
}

}  // namespace msci
