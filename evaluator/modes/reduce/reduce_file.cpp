#include "evaluator/modes/reduce/reduce_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "analysis/check/fault_table.h"
#include "base/files/read_file.h"
#include "base/files/write_file.h"
#include "base/io/terminal.h"
#include "base/text.h"
#include "compiler/frontend/unit/syntax_parts.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/modes/selected_candidates.h"
#include "lint/rule.h"

namespace msci {
namespace {

int report_absent(const Source& source, const std::string& wanted, const std::string& shown) {
  fmt::print(stderr, "msci-eval: {} does not show {}, so there is nothing to reduce{}\n",
             source.name, wanted, shown.empty() ? "" : "; it shows " + shown);
  return not_right;
}

// A word that is neither a finding of lint, nor a fault of the checked mode, nor one of the two
// others that a kernel can keep.
std::optional<Error> refuse_unknown(const std::string& wanted) {
  std::vector<std::string> faults;
  for (const auto& kind : all_fault_kinds()) faults.push_back(finding_id(kind.kind));
  std::vector<std::string_view> known(faults.begin(), faults.end());
  for (const auto& rule : gate_rules()) known.push_back(rule.id);
  known.insert(known.end(), {"refusal", "wrong"});
  if (std::ranges::find(known, wanted) != known.end()) return std::nullopt;
  const auto near = nearest_ids(wanted, known);
  return Error{fmt::format("no finding or fault is called \"{}\"{}", wanted,
                           near.empty() ? "; see msci-lint --list-rules and msci-eval --list-faults"
                                        : did_you_mean(near))};
}

// Whether a smaller source still shows what the reduction is for. Errors: ours.
using StillShows = std::function<Result<bool>(const Source&)>;

struct Reduction {
  Source source;
  std::size_t attempts = 0;
  bool is_smallest = false;  // no part can go; otherwise the time was over
};

// How a source is parsed, and how long the reduction may take.
struct ReductionLimits {
  CompileOptions compile;
  Limits parsing;
  std::chrono::milliseconds time{};
};

// The source without all parts that it can lack: the same for the same source, unless the time ends
// it. `tell` is called after each attempt with the bytes that are left.
//
// The parts of one parse are tried from the longest to the shortest; what goes takes along the
// parts in it. Then the smaller source is parsed again, until nothing goes any more.
Result<Reduction> reduce(Source source, const ReductionLimits& limits, const StillShows& shows,
                         const std::function<void(const Reduction&)>& tell) {
  const auto end = std::chrono::steady_clock::now() + limits.time;
  Reduction reduction{std::move(source)};
  for (bool again = true; again;) {
    again = false;
    const auto parts = syntax_parts(reduction.source, limits.compile, limits.parsing);
    if (!parts) return parts.error();
    const auto whole = reduction.source.text;
    std::vector<SyntaxPart> gone;
    for (const auto& part : *parts) {
      if (std::ranges::any_of(gone, [&](const auto& each) { return each.overlaps(part); }))
        continue;
      if (std::chrono::steady_clock::now() >= end) return reduction;
      auto more = gone;
      more.push_back(part);
      const Source smaller{reduction.source.name, without(whole, more)};
      ++reduction.attempts;
      const auto still = shows(smaller);
      if (!still) return still.error();
      if (*still) {
        gone = std::move(more);
        again = true;
        reduction.source = smaller;
      }
      tell(reduction);
    }
  }
  reduction.is_smallest = true;
  return reduction;
}

Result<Reduction> reduce_while(const EvaluatorOptions& options, const Source& source,
                               Interest& interest) {
  const auto request = compile_request_of(options);
  const ReductionLimits limits{.compile = request.compile,
                               .parsing = request.limits,
                               .time = std::chrono::seconds(options.mode.reduce_seconds)};
  TerminalLine line;
  return reduce(
      source, limits, [&](const Source& smaller) { return interest.shows(smaller); },
      [&](const Reduction& now) {
        line.draw(fmt::format("{} of {} bytes, {} attempts", now.source.text.size(),
                              source.text.size(), now.attempts));
      });
}

}  // namespace

int reduce_file(const EvaluatorOptions& options, const Task* task, Device* device) {
  const auto& wanted = options.mode.reduce;
  if (const auto refusal = refuse_unknown(wanted)) return report_error(*refusal);
  if (!task && Interest::needs_task(wanted))
    return report_error(
        Error{fmt::format("--reduce {} needs a --task or a --plan to run the kernel", wanted)});
  const auto source = read_source(options.candidates.files.front());
  if (!source) return report_error(source.error());
  const auto& saved = options.mode.save_kernel;
  auto before = text_before_update(saved);
  if (!before) return report_error(before.error());
  Interest interest(options, task, device);
  const auto shows = interest.shows(*source);
  if (!shows) return report_error(shows.error());
  if (!*shows) return report_absent(*source, wanted, interest.shown());
  const auto reduced = reduce_while(options, *source, interest);
  if (!reduced) return report_error(reduced.error());
  fmt::print(stderr, "msci-eval: {} of {} bytes are left after {} attempts{}\n",
             reduced->source.text.size(), source->text.size(), reduced->attempts,
             reduced->is_smallest ? "" : "; the time is over, --reduce-time gives more");
  if (saved.empty()) {
    std::fputs(reduced->source.text.c_str(), stdout);
    return all_right;
  }
  const auto error = update_file(
      {.path = saved, .before = *std::move(before), .program = "msci-eval"}, reduced->source.text);
  return error ? report_error(*error) : all_right;
}

}  // namespace msci
