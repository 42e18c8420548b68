// The search: seed, prompt, generator, source, judge, promotion, and again.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/write_file.h"
#include "base/process/fd.h"
#include "base/process/redacted_command.h"
#include "base/process/run_command.h"
#include "base/result.h"
#include "evaluator/measure/paired_comparison.h"
#include "evaluator/result/evaluation_result.h"
#include "evaluator/result/gate_result.h"
#include "tasks/plan/task.h"

namespace msci::search {

// The history of a search: one record for each iteration.

// The usage of an answer as the generator reports it; 0 if it does not.
struct Usage {
  std::uint64_t input_tokens = 0;
  std::uint64_t output_tokens = 0;
  double cost = 0;  // in the currency of the generator's prices
  std::uint64_t tokens() const { return input_tokens + output_tokens; }
  Usage& operator+=(const Usage& other);
  bool operator==(const Usage&) const = default;
};

// How many times as fast an iteration is as an earlier one.
struct Speedup {
  unsigned over = 0;  // that iteration
  Ratio ratio;        // measured in turns with it, or that of one program
  bool operator==(const Speedup&) const = default;
};

struct Record {
  // skipped: the generator failed, or its answer held no usable source; nothing was judged.
  enum class Role { seed, candidate, skipped };
  unsigned iteration = 0;  // 0 is the seed
  Role role = Role::candidate;
  unsigned parent = 0;      // the iteration that it improves on
  unsigned generation = 0;  // iterations of one generation are independent
  bool checked = true;      // as in its judgement
  bool compile_ok = false;
  bool correct = false;
  std::optional<double> score;  // measured, or predicted, as the search says
  // Of a predicted score: the passes at the task's sizes, for claims, in units of the ceiling's
  // time; none of a measured one.
  std::optional<std::vector<PredictedPass>> predicted = {};
  std::optional<Claim> claim = {};  // of a predicted candidate, over the incumbent of that time
  std::optional<std::string> fail_reason;
  std::string no_source;           // why its answer holds no source; may be empty
  std::vector<PairedTimes> pairs;  // against the incumbent of that time; may be empty
  std::string regime;              // "tiles+vectors, 256 threads, 64 registers, 2^27 bytes"
  std::string source_path;         // relative to the search's folder; empty if skipped
  double elapsed_s = 0;            // generation and judging
  Usage usage;
  bool is_new_best = false;  // it became the incumbent
  std::string program = {};  // digest of what it translates to; empty where that is unknown
  // The first iteration with a score that has the same program; then the two are equally fast,
  // whatever their times say.
  std::optional<unsigned> same_program_as = {};
  std::optional<Speedup> speedup = {};  // none without enough rounds in turns

  // Whether its source was judged.
  bool is_judged() const { return role != Role::skipped && checked; }
};

// By iteration, without gaps; the first is the seed.
using History = std::vector<Record>;

std::string_view to_string(Record::Role role);

// The last that became the incumbent.
const Record& incumbent(const History& history);

// The first with a score that has the program.
std::optional<unsigned> find_same_program(const History& before, const std::string& program);

// The optimisations that a source uses, in a fixed order, joined by "+": "tiles"
// (threadgroup memory), "simdgroups", "vectors" (loads wider than a word); "plain" without any.
// Comments do not count.
std::string regime_of(const std::string& source);

// How a kernel uses a GPU, as its profile at the last size predicts: the threads of a threadgroup,
// the 16-bit registers of a thread (at most) and the bytes of device memory that a pass touches
// (about): ", 256 threads, 64 registers, 2^27 bytes". Empty without a prediction.
std::string features_of(const EvaluationResult& judgement);

// history.json: an array with the fields of the benchmark's records, and parent, generation,
// regime, usage and speedup.
std::string to_json(const History& history);

// summary.json: task, model (the generator's label or command), generator, chip (the device),
// scoring, n_iterations, seed_score, best_score, best_iteration, usage and the history.
struct HistorySummary {
  std::string task;
  std::string generator;  // its command, without secrets
  std::string label;      // may be empty
  std::string device;
  std::string scoring;  // "measured", or "predicted:m1-pro"
  std::string strategy;
  std::uint64_t seed = 0;
};
std::string to_json(const HistorySummary& summary, const History& history);

// Generators write candidates: any program that reads a prompt and prints an answer.
struct GeneratorRequest {
  unsigned iteration = 0;
  const History* history = nullptr;  // the iterations before its generation
  std::string prompt;
  std::string prompt_path;  // a file that holds it
  std::string usage_path;   // where the generator may write its Usage, as a JSON object
};

struct GeneratorReply {
  std::string text;
  std::optional<std::string> failure;  // why the text is not usable, for a person
  Usage usage;
  double seconds = 0;  // wall clock
};

// Called as soon as a request is answered.
using OnAnswer = std::function<std::optional<Error>(std::size_t request, GeneratorReply answer)>;

class Generator {
 public:
  virtual ~Generator() = default;
  // Whether its answers depend on prompts; otherwise, none are written.
  virtual bool reads_prompts() const { return true; }
  // Answers all requests, in any order. Errors: the generator cannot be run, or the Error of
  // `on_answer`.
  [[nodiscard]] virtual std::optional<Error> answer(std::span<const GeneratorRequest> requests,
                                                    const OnAnswer& on_answer) = 0;
};

// A program. It reads the prompt on standard input and prints the answer. Its environment holds
// MSCI_TASK, MSCI_ITERATION, MSCI_SEED (a number for this iteration), MSCI_PROMPT and MSCI_USAGE
// (paths). An exit status other than 0 is a failure; 126 and 127 mean that it cannot be run, and 78
// that it will never answer.
// Secrets in its command line are hidden in what it answers.
class ProgramGenerator : public Generator {
 public:
  struct Options {
    std::string line;  // for the shell
    std::string task;
    std::uint64_t seed = 0;
    std::chrono::milliseconds limit = std::chrono::minutes(10);  // for an answer
    unsigned at_once = 1;                                        // processes
  };
  explicit ProgramGenerator(Options options)
      : options_(std::move(options)), redacted_(redact_command(options_.line)) {}
  std::optional<Error> answer(std::span<const GeneratorRequest> requests,
                              const OnAnswer& on_answer) override;

 private:
  Options options_;
  RedactedCommand redacted_;
};

// Judges candidates with msci-eval, in processes of their own, here or on other machines.

// A file to judge. Names are relative to the search's folder.
struct JudgeRequest {
  std::string candidate;
  std::optional<std::string> rival;  // measured in alternation with the candidate
  bool gate = false;                 // the held-out gate; the rival is the seed
  // Programs with a score: an equal one is not judged again.
  std::vector<std::string> judged_programs = {};
};

// Called as soon as a request has its judgement: msci-eval's JSON, and the seconds that it took.
using OnJudgement =
    std::function<std::optional<Error>(std::size_t request, std::string json, double seconds)>;

class Judge {
 public:
  virtual ~Judge() = default;
  // Judges all requests, in any order. Errors are ours: no device, no driver; or the Error of
  // `on_judgement`.
  [[nodiscard]] virtual std::optional<Error> judge(std::span<const JudgeRequest> requests,
                                                   const OnJudgement& on_judgement) = 0;
};

// How to run msci-eval, or a replacement.
struct JudgeCall {
  std::string line;  // for the shell: the program, and first arguments
  std::string task;
  std::string folder;              // of the files; the working directory
  std::string verdict = "strict";  // as --verdict takes it
  std::string chip = {};           // to predict times on; empty: measure
  bool profiles = false;           // measured kernels, too, for features_of()
  bool explains = false;           // looks for the causes of wrong results, for prompts
  std::chrono::milliseconds limit = std::chrono::hours(1);  // for a request
};

// The arguments after `line`; `device` may be empty.
std::vector<std::string> arguments_of(const JudgeCall& call, const JudgeRequest& request,
                                      const std::string& device);

// The JSON that msci-eval printed. If it crashed or took too long, this is a result without a
// verdict, and a search goes on. Errors: msci-eval failed for a reason that is not the source.
Result<std::string> judgement_of(const CommandResult& result);

// Runs one process at a time on each device.
class LocalJudge : public Judge {
 public:
  // An empty name means msci-eval's first device.
  LocalJudge(JudgeCall call, std::vector<std::string> devices)
      : call_(std::move(call)), devices_(std::move(devices)) {}
  std::optional<Error> judge(std::span<const JudgeRequest> requests,
                             const OnJudgement& on_judgement) override;

 private:
  JudgeCall call_;
  std::vector<std::string> devices_;
};

// The folder of a search. Each result is a file, written atomically as soon as it is known, so that
// a killed search can be continued.

// "07_prompt.md": a file of one iteration; 0 is the seed.
std::string file_of(unsigned iteration, std::string_view what);
// The Metal source of an iteration.
std::string source_of(unsigned iteration);

class Store {
 public:
  // Creates the folder if needed, and removes the unfinished files of a killed search. Errors: it
  // cannot be written to, another search uses it, or it holds other files than those of a search.
  static Result<Store> open(const std::string& folder);

  const std::string& folder() const { return folder_; }
  std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }

  // Nothing if the file is missing.
  Result<std::optional<std::string>> read(std::string_view name) const;
  bool has(std::string_view name) const;
  // For files that cannot be recreated: answers and judgements. Errors: as of check_unaltered() of
  // this file, and of update_file().
  [[nodiscard]] std::optional<Error> write(std::string_view name, std::string_view text) const;
  // For files that follow from others; a power failure may lose them.
  [[nodiscard]] std::optional<Error> write_derived(std::string_view name,
                                                   std::string_view text) const;
  // Removes the file, if it exists.
  void remove(std::string_view name) const;
  // The last iteration that a generator answered; 0 before the first.
  unsigned last_iteration() const;
  // Whether all files of the search are still as they were opened or written. An Error names the
  // first that another program, such as the generator, has altered, removed or added.
  [[nodiscard]] std::optional<Error> check_unaltered() const;

 private:
  Store(std::string folder, Fd lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}
  void remember(std::string_view name, std::string_view text) const;
  Error altered(std::string_view name, std::string_view how) const;
  std::optional<Error> put(std::string_view name, std::string_view text, Sync sync) const;

  std::string folder_;  // absolute
  Fd lock_;
  mutable std::map<std::string, std::string> digests_;  // of the files of the search, by name
};

// Search strategies: which kernels the next candidates improve on, and which candidate becomes the
// incumbent. A strategy has no state: it decides from the history alone, so that a killed search
// continues as if it had never stopped.

// The basis of one candidate.
struct CandidateRequest {
  unsigned parent = 0;    // the iteration to improve on
  unsigned previous = 0;  // the attempt that its prompt shows first; often the parent
  bool operator==(const CandidateRequest&) const = default;
};

// What the predictions tell of two records; none where one has no prediction, or no score.
std::optional<Claim> claim_over(const Record& candidate, const Record& best);
// Why a predicted record is unlike what the model was fitted to; empty if it is not.
std::string why_unlike(const Record& record);

class Strategy {
 public:
  virtual ~Strategy() = default;
  // The next generation; its members are judged together.
  virtual std::vector<CandidateRequest> next(const History& history) const = 0;
  // Whether a candidate with a score becomes the incumbent. `before` are the iterations before it.
  // By default: a measured score that is higher, or a predicted one whose ratio to the incumbent's
  // is claimed to be above 1 (analysis/profile/claim.h).
  virtual bool promotes(const History& before, const Record& candidate) const;
  // Whether candidates are measured in alternation with the incumbent.
  virtual bool wants_pairs() const { return false; }
};

struct StrategyOptions {
  std::string name = "strict";  // one of strategy_names()
  unsigned lambda = 4;          // candidates a generation: comma, plus, archive
  unsigned mu = 2;              // survivors: plus
  unsigned islands = 4;
  unsigned migrate_every =
      5;  // generations, between which the worst island takes the best's kernel
  std::uint64_t seed = 0;
};

// strict, paired, comma, plus, islands, archive.
std::vector<std::string> strategy_names();

// Errors: no such name, or a number that makes no sense.
Result<std::unique_ptr<Strategy>> make_strategy(const StrategyOptions& options);

// A number that only `seed` and `position` decide.
std::uint64_t draw(std::uint64_t seed, std::uint64_t position);

// The limits of a search. It ends at the first one, after the current generation.
struct Budget {
  unsigned iterations = 10;
  std::optional<double> seconds;        // of generators and judges together
  std::optional<std::uint64_t> tokens;  // as generators report them
};

// The option whose limit is reached; nothing if the search can continue, or made all iterations.
std::optional<std::string_view> ended_by(const Budget& budget, const History& history);

struct Search {
  const Task& task;
  Generator& generator;
  Judge& judge;
  const Strategy& strategy;
  const Store& store;
  Budget budget;
  bool is_strict = false;                                  // the strict verdict decides, too
  bool is_predicted = false;                               // the judge predicts scores
  std::function<void(const Record&)> on_record = nullptr;  // called after each iteration
  // Told what the search waits for: "judging, iteration 3 of 10"; then an empty text.
  std::function<void(std::string_view)> on_activity = nullptr;
};

// Runs the search. What is in the store is not run again, so repeating a search with the same
// inputs gives the same history. Errors: the store holds more iterations than the budget has, which
// would leave an earlier kernel as the best one; the seed is wrong, or unlike what
// the model was fitted to, so that nothing could be promoted; those of generator, judge and store.
Result<History> run(const Search& search);

// The prompt of a generator. It holds in-distribution information only: the held-out size is in
// none of the inputs, so it is not in the prompt.

// A judged kernel.
struct PromptAttempt {
  std::string source;
  EvaluationResult judgement;
};

// The fixed instructions, the task, the previous attempt, the parent if its text differs, the last
// eight records, a notice if the search stagnates, and the request. Before the first judged
// candidate, the seed replaces the attempts. The Metal rules are those of our catalogue that models
// break most.
std::string write_prompt(const Task& task, const PromptAttempt& previous,
                         const PromptAttempt& parent, const History& history);

// Whether the last three candidates with a score were not promoted and stayed within 15 % of the
// incumbent's.
bool stagnates(const History& history);

// The result of a search, in words.

// Why no candidate was judged; nothing if one was, or without an iteration.
[[nodiscard]] std::optional<Error> made_nothing(const History& history);

// "score 0.1234  *": the score of an iteration, with a star if it became the incumbent, or the
// reason for having none.
std::string score_text(const Record& record);

// "10 iterations: 62.1 s in generators and judges; 12345 tokens read, 678 written; cost 0.12".
std::string totals_text(const History& history);

// "best: iteration 4, score 0.1234 (the seed: 0.0472), 2.58 times the seed's speed (99 %: 2.51 to
// 2.66)"; the ratio only where the two were measured in turns. The seed itself if nothing was
// better.
std::string best_text(const History& history);

// "held out 512_10: generalises, 3.02 times the seed's speed (99 %: 2.97 to 3.06)".
std::string gate_text(const GateResult& gate);

}  // namespace msci::search
