// msci-prove-projects: what is proved of the kernels of real projects, whose hosts are not known,
// in the launches that their source suggests.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include "analysis/instruments.h"
#include "analysis/proofs/proof_json.h"
#include "base/files/read_file.h"
#include "base/io/report.h"
#include "base/json.h"
#include "base/process/isolated_process.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"
#include "lint/proofs/suggested_proofs.h"
#include "tests/real_kernels/projects.h"
#include "tests/real_kernels/sample.h"

namespace msci {
namespace {

struct Options {
  std::string archive = default_archive().string();
  std::string project;
  std::string file;                     // a part of its path
  std::string kernel;                   // a part of its name
  std::size_t most_instantiations = 1;  // of one template
  unsigned jobs = 2;
  std::string results;  // a file
};

constexpr std::string_view program = "msci-prove-projects";
constexpr ProofLimits limits{.query_steps = 2'000'000, .launch_steps = 6'000'000};
// A process that exceeds this has met something that the steps do not count.
constexpr Limits process_limits{.seconds = 60, .memory_bytes = std::size_t{4} << 30};

const ProofClaim* find(const KernelProof& proof, const ProofClaim& claim) {
  for (const auto& other : proof.claims)
    if (other.subject == claim.subject && other.object == claim.object) return &other;
  return nullptr;
}

// A refutation that other launches could not confirm.
void doubt(KernelProof& proof, const std::string& reason) {
  for (auto& claim : proof.claims)
    if (claim.answer == ProofAnswer::refuted) {
      claim.answer = ProofAnswer::unknown;
      claim.reason = reason;
    }
}

// What becomes of a claim where the host binds other numbers: proved where one launch that the
// source suggests has a proof, and refuted where all have a fault.
void join(ProofClaim& claim, const ProofClaim* other) {
  if (!other || claim.answer == ProofAnswer::proved) return;
  if (other->answer == ProofAnswer::proved) {
    claim = *other;
  } else if (claim.answer == ProofAnswer::refuted && other->answer == ProofAnswer::unknown) {
    claim.answer = ProofAnswer::unknown;
    claim.reason = other->reason;
    claim.line = other->line;
  }
}

// The launches that the source suggests, the likeliest first: the threadgroup that msci-lint would
// choose, and those of other sizes, unless the kernel has a limit of threads: arrays and constants
// that name a size may mean something else. Each with several numbers.
std::vector<std::pair<std::size_t, LaunchSetting>> launches_of(SuggestedProofs& proofs,
                                                               bool has_limit) {
  if (!proofs.shape().tells_threads_apart()) return {{proofs.add({1}), proofs.usual()}};
  const auto chosen = proofs.choose().value_or(0);
  std::vector<std::size_t> threadgroups{chosen};
  if (!has_limit)
    for (auto i = chosen + 1; i < proofs.threadgroups().size(); ++i) threadgroups.push_back(i);
  std::vector<std::pair<std::size_t, LaunchSetting>> launches;
  for (const auto threadgroup : threadgroups)
    for (const auto numbers : {BoundNumbers::of_grid, BoundNumbers::rising, BoundNumbers::falling,
                               BoundNumbers::strides}) {
      launches.emplace_back(threadgroup, proofs.usual());
      launches.back().second.numbers = numbers;
    }
  return launches;
}

bool is_decided(const KernelProof& proof) {
  return !proof.has(ProofAnswer::refuted) && !proof.has(ProofAnswer::unknown);
}

// One kernel of a unit, of which it generates code.
class KernelAnswer {
 public:
  KernelAnswer(const Kernel& kernel, Unit& unit, prover::Z3& z3, const std::string& file,
               const std::filesystem::path& folder)
      : kernel_(kernel), unit_(unit), z3_(z3), file_(file), folder_(folder.string() + '/') {}

  // What is known after each launch is kept, should a limit of the process end the work.
  OrderedJson find() {
    const auto failed = [](const Error& error) { return OrderedJson{{"error", error.message}}; };
    const auto constants = typical_constants(unit_);
    const auto checked = translated(constants);
    if (!checked) return failed(checked.error());
    const auto* signature = checked->find(kernel_.name);
    if (!signature) return failed({"the translation lacks it"});
    SuggestedProofs proofs(kernel_, *signature, unit_, *checked, z3_, limits,
                           LaunchPurpose::proving);
    if (proofs.threadgroups().empty()) return failed({"no launch is suggested"});
    const auto launches = launches_of(proofs, signature->thread_limit.has_value());
    proof_ = proofs.proof_of(launches.front().first, launches.front().second);
    if (proof_.kernel.empty())
      return failed({"LLVM's part alone uses up the steps for this kernel"});
    keep_so_far(proofs, *checked);
    if (!constants.empty() && proof_.has(ProofAnswer::refuted)) {
      doubt_constants();
      keep_so_far(proofs, *checked);
    }
    doubt_numbers(proofs, launches.front());
    for (const auto& [threadgroup, setting] : launches) {
      if (is_decided(proof_)) break;
      const auto& other = proofs.proof_of(threadgroup, setting);
      if (other.kernel.empty()) doubt(proof_, "the steps for this kernel are used up");
      for (auto& claim : proof_.claims) join(claim, msci::find(other, claim));
      keep_so_far(proofs, *checked);
    }
    return line_of(proofs, *checked);
  }

 private:
  Result<Translation> translated(const ConstantValues& constants) {
    return translate(unit_, {kernel_.name}, constants, TranslationPurpose::checking);
  }

  // A fault must not need our values of function constants.
  void doubt_constants() {
    const auto checked = translated(typical_constants(unit_, 0));
    const auto* signature = checked ? checked->find(kernel_.name) : nullptr;
    if (!signature) return;
    SuggestedProofs proofs(kernel_, *signature, unit_, *checked, z3_, limits,
                           LaunchPurpose::proving);
    if (proofs.threadgroups().empty()) return;
    const auto launch = launches_of(proofs, signature->thread_limit.has_value()).front();
    const auto& other = proofs.proof_of(launch.first, launch.second);
    for (auto& claim : proof_.claims) {
      const auto* same = msci::find(other, claim);
      if (claim.answer != ProofAnswer::refuted || (same && same->answer == ProofAnswer::refuted))
        continue;
      claim.answer = ProofAnswer::unknown;
      claim.reason = "it depends on function constants, whose values only the host has";
    }
  }

  // An access outside of an array must show whatever numbers the host binds.
  void doubt_numbers(SuggestedProofs& proofs, std::pair<std::size_t, LaunchSetting> launch) {
    const auto leaves_array = [](const ProofClaim& claim) {
      return claim.subject == ProofSubject::bounds && claim.answer == ProofAnswer::refuted;
    };
    if (std::none_of(proof_.claims.begin(), proof_.claims.end(), leaves_array)) return;
    launch.second.numbers = BoundNumbers::any;
    const auto& other = proofs.proof_of(launch.first, launch.second);
    for (auto& claim : proof_.claims)
      if (leaves_array(claim)) join(claim, msci::find(other, claim));
  }

  OrderedJson line_of(const SuggestedProofs& proofs, const Translation& checked) const {
    auto line = json_of(proof_);
    line["refuted_at"] = places(checked);
    line["steps"] = proofs.steps();
    return line;
  }

  // Counts if the process is stopped, before all launches have confirmed its refutations.
  void keep_so_far(const SuggestedProofs& proofs, const Translation& checked) const {
    auto so_far = *this;
    doubt(so_far.proof_, "the time for this kernel is used up");
    keep(so_far.line_of(proofs, checked).dump());
  }

  // Where the accesses of refutations are, which may lie in included files.
  OrderedJson places(const Translation& checked) const {
    auto all = OrderedJson::array();
    for (const auto& claim : proof_.claims) {
      if (claim.answer != ProofAnswer::refuted || !claim.counterexample) continue;
      auto of_claim = OrderedJson::array();
      const auto& example = *claim.counterexample;
      for (const auto& each : {std::optional(example.first), example.second}) {
        if (!each) continue;
        auto text = to_string(checked.places[each->place], file_);
        if (text.starts_with(folder_)) text.erase(0, folder_.size());
        of_claim.push_back(std::move(text));
      }
      all.push_back(std::move(of_claim));
    }
    return all;
  }

  const Kernel& kernel_;
  Unit& unit_;
  prover::Z3& z3_;
  const std::string& file_;
  const std::string folder_;
  KernelProof proof_;
};

OrderedJson answer_for(const Kernel& kernel, Unit& unit, const std::string& file,
                       const std::filesystem::path& folder) {
  const auto z3 = prover::Z3::open();
  if (!z3) return OrderedJson{{"error", z3.error().message}};
  return KernelAnswer(kernel, unit, **z3, file, folder).find();
}

// The lines of a run: those that a file has from an earlier one, and those that are written now,
// at once.
class Results {
 public:
  // Without a path, lines go to standard output. Errors: a line that no run has written; the file
  // cannot be written.
  static Result<Results> open(const std::string& path) {
    Results results;
    if (path.empty()) return results;
    if (auto error = results.read(path)) return *std::move(error);
    results.path_ = path;
    results.file_.reset(std::fopen(path.c_str(), "a"));
    if (!results.file_ || !results.write("\n")) return results.write_error();
    return results;
  }

  bool has(const OrderedJson& of) const { return known_.contains(key_of(of)); }

  void add(const OrderedJson& line) {
    if (!write(to_line(line) + "\n")) has_failed_ = true;
  }

  // Whether a line could not be written.
  bool has_failed() const { return has_failed_; }
  Error write_error() const { return Error{"cannot write " + path_}; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::optional<Error> read(const std::string& path) {
    std::ifstream earlier(path);
    unsigned number = 0;
    for (std::string text; std::getline(earlier, text);) {
      ++number;
      if (text.empty()) continue;
      const auto line = parse_json<OrderedJson>(text);
      if (!line && text.starts_with('{')) continue;  // half a line, where a run was ended
      if (!line || !is_result(*line))
        return Error{fmt::format(
            "{}:{}: not a line of results, which is an object with `project` and `file`; give "
            "--results another file",
            path, number)};
      known_.insert(key_of(*line));
    }
    return std::nullopt;
  }

  bool write(std::string_view text) {
    auto* file = file_ ? file_.get() : stdout;
    return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  }

  static bool is_text(const OrderedJson& line, const char* member) {
    return line.contains(member) && line[member].is_string();
  }
  static bool is_result(const OrderedJson& line) {
    return line.is_object() && is_text(line, "project") && is_text(line, "file") &&
           (!line.contains("kernel") || is_text(line, "kernel"));
  }
  static std::string key_of(const OrderedJson& line) {
    return line.value("project", "") + '\n' + line.value("file", "") + '\n' +
           line.value("kernel", "");
  }

  std::set<std::string> known_;
  std::string path_ = "the standard output";
  std::unique_ptr<std::FILE, Close> file_;
  bool has_failed_ = false;
};

// Proves kernels side by side, each in a process of its own, as soon as one is free.
class Queue {
 public:
  Queue(const Options& options, Results& results, std::size_t files)
      : options_(options), results_(results), files_(files) {}

  void prove_file(const std::filesystem::path& file, const Project& project) {
    ++read_;
    OrderedJson about{{"project", project.name},
                      {"file", file.lexically_relative(project.folder).string()}};
    // The line of a whole file says that it could not be read or compiled.
    if (results_.has(about)) return;
    const auto fail = [&](const std::string& why) {
      about["error"] = why;
      results_.add(about);
    };
    const auto source = read_source(file.string());
    if (!source) return fail(source.error().message);
    auto unit = parse(*source, options_for(project, file));
    if (!unit) return fail(unit.error().message);
    if (!unit->compiled()) return fail("it does not compile");
    const auto chosen = sample(*unit, options_.most_instantiations);
    for (const auto& kernel : unit->kernels())
      if (std::find(chosen.begin(), chosen.end(), kernel.name) != chosen.end() &&
          kernel.name.find(options_.kernel) != kernel.name.npos)
        prove(kernel, *unit, about, project.folder);
  }

  void finish() {
    while (pool_.running() > 0 && !results_.has_failed()) wait();
  }

 private:
  void prove(const Kernel& kernel, Unit& unit, OrderedJson about,
             const std::filesystem::path& folder) {
    about["kernel"] = kernel.name;
    if (results_.has(about)) return;
    while (pool_.running() >= options_.jobs) wait();
    const auto file = about["file"].get<std::string>();
    const auto work = [&] { return answer_for(kernel, unit, file, folder).dump(); };
    const auto number = count_++;
    if (const auto error = pool_.start(number, work, process_limits)) {
      about["error"] = error->message;
      results_.add(about);
      return;
    }
    open_[number] = std::move(about);
  }

  void wait() {
    pool_.wait([&](std::size_t number, const Result<IsolatedOutcome>& outcome) {
      auto line = std::move(open_[number]);
      open_.erase(number);
      if (!outcome)
        line["error"] = outcome.error().message;
      else if (const auto* failure = std::get_if<WorkFailure>(&*outcome))
        line.update(failure->kept.empty() ? OrderedJson{{"error", failure->reason}}
                                          : OrderedJson::parse(failure->kept));
      else
        line.update(OrderedJson::parse(std::get<std::string>(*outcome)));
      results_.add(line);
      ++done_;
      fmt::print(stderr, "{} kernels, {} of {} files: {} {}\n", done_, read_, files_,
                 line["file"].get<std::string>(), line["kernel"].get<std::string>());
    });
  }

  const Options& options_;
  Results& results_;
  const std::size_t files_;
  std::size_t read_ = 0, done_ = 0, count_ = 0;
  std::map<std::size_t, OrderedJson> open_;
  IsolatedPool pool_;
};

Error no_project(const std::string& wanted, const std::vector<Project>& projects) {
  std::vector<std::string> names;
  for (const auto& project : projects) names.push_back(project.name);
  return Error{
      fmt::format("the archive has no project {}; it has {}", wanted, fmt::join(names, ", "))};
}

int run(const Options& options) {
  const auto projects = unpack_projects(options.archive);
  if (!projects) return report_error(program, projects.error());
  if (!options.project.empty() && std::ranges::none_of(projects->all, [&](const Project& each) {
        return each.name == options.project;
      }))
    return report_error(program, no_project(options.project, projects->all));
  auto results = Results::open(options.results);
  if (!results) return report_error(program, results.error());
  std::vector<std::pair<std::filesystem::path, const Project*>> files;
  for (const auto& project : projects->all)
    for (const auto& file : project.files)
      if ((options.project.empty() || project.name == options.project) &&
          file.string().find(options.file) != std::string::npos)
        files.emplace_back(file, &project);
  Queue queue(options, *results, files.size());
  for (const auto& [file, project] : files) {
    queue.prove_file(file, *project);
    if (results->has_failed()) break;
  }
  queue.finish();
  return results->has_failed() ? report_error(program, results->write_error()) : 0;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("Proves the kernels of real projects in launches that their sources suggest.",
               "msci-prove-projects");
  app.footer(
      "\nPrints a line of JSON for each kernel; tests/analysis/projects_share.py counts them.\n"
      "Exit status: 0, or 2 if the archive cannot be read or lacks the project,\n"
      "or the results cannot be read or written.");
  app.add_option("ARCHIVE", options.archive, "projects.tar.xz");
  app.add_option("--project", options.project, "only this one");
  app.add_option("--file", options.file, "only files with this in their paths");
  app.add_option("--kernel", options.kernel, "only kernels with this in their names");
  app.add_option("--most", options.most_instantiations,
                 "at most so many instantiations of one template, evenly spaced; 0: all")
      ->capture_default_str();
  app.add_option("--jobs", options.jobs, "kernels at a time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--results", options.results,
                 "appends the lines to this file, and leaves out the kernels that it has");
  CLI11_PARSE(app, argc, argv);
  return msci::run(options);
}
