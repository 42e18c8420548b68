#include "evaluator/subject.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "evaluator/measure/elapsed.h"
#include "evaluator/proof.h"
#include "lint/metal/read_file.h"

namespace msci {
namespace {

bool is_program_file(const Source& source) { return source.text.starts_with("/* msci-program"); }

// Checks are made on the way from Metal to text.
Result<Prepared> read_program(const Source& source, bool checked) {
  if (checked)
    return Error{source.name + ": --check needs the Metal source, not a translated program"};
  auto translation = from_program_file(source.text);
  if (!translation) return Error{source.name + ": " + translation.error().message};
  return Prepared{.translation = *std::move(translation)};
}

// Both ends of the work on a source: what this call starts, the returned function waits for.
std::function<Result<Prepared>()> begin_to_prepare(const Source& source, bool checked) {
  if (is_program_file(source)) return [=] { return read_program(source, checked); };
#ifdef MSCI_FRONTEND
  auto begun = std::make_shared<Result<PreparingApart>>(
      PreparingApart::start(source, checked ? prepare_checked : prepare));
  return [begun]() -> Result<Prepared> {
    if (!*begun) return begun->error();
    return (*begun)->finish();
  };
#else
  return [name = source.name]() -> Result<Prepared> {
    return Error{
        name +
        ": this build of msci-eval cannot read Metal; give it a translated program, printed by "
        "msci-eval --emit opencl in a build with MSCI_FRONTEND=ON"};
  };
#endif
}

// Whether reading it waits for nobody, as a pipe may.
bool is_at_hand(const Origin& origin) {
  std::error_code problem;
  return origin.task || std::filesystem::is_regular_file(origin.file, problem);
}

Result<Source> read(const Origin& origin) {
  if (origin.task)
    return Source{fmt::format("{}.metal", origin.task->name), std::string(origin.task->seed)};
  return read_source(origin.file);
}

}  // namespace

Subject subject_of(const std::string& file) {
  return SubjectLine({{.file = file}}, {}).take().value();
}

Subject seed_of(const Task& task) { return SubjectLine({{.task = &task}}, {}).take().value(); }

SubjectLine::SubjectLine(std::vector<Origin> origins, Preparation preparation)
    : origins_(std::move(origins)), preparation_(preparation) {}

SubjectLine::Begun SubjectLine::begin(const Origin& origin) const {
  auto source = read(origin);
  if (!source) return [name = origin.file, error = source.error()] { return Subject{name, error}; };
  return [source = *source, task = origin.task,
          finish = begin_to_prepare(*source, preparation_.checked)] {
    const auto start = std::chrono::steady_clock::now();
    Subject subject{source.name, finish(), source.text.size(), hash_of(source.text)};
    subject.prepare_seconds = seconds_since(start);
    subject.seed_of = task;
    return subject;
  };
}

std::optional<Subject> SubjectLine::take() {
  if (next_ == origins_.size()) return std::nullopt;
  const auto finish = begun_ ? std::exchange(begun_, nullptr) : begin(origins_[next_]);
  ++next_;
  if (preparation_.ahead && next_ < origins_.size() && is_at_hand(origins_[next_]))
    begun_ = begin(origins_[next_]);
  return finish();
}

}  // namespace msci
