// msci-prove-recorded: what is proved of the tasks' seeds and of recorded right kernels.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>

#include "analysis/instruments.h"
#include "analysis/proofs/proof_json.h"
#include "analysis/proofs/prove.h"
#include "base/json.h"
#include "base/keyed_random.h"
#include "base/process/isolated_result.h"
#include "engine/device/worker.h"
#include "evaluator/check/checked_run.h"
#include "tasks/plan/task.h"
#include "tests/agreement/records.h"

namespace msci {
namespace {

struct Options {
  std::string candidates;
  std::vector<std::string> ids;
  unsigned every = 1, from = 0;
  bool json = false;
  bool seeds = false;
  bool runs = false;
  bool all_sizes = false;
  unsigned drawn = 0;  // further sizes of the contract
};

// How many kernels of a group have which answer on a subject, and why not.
struct Table {
  std::map<ProofSubject, std::map<ProofAnswer, unsigned>> answers;
  std::map<std::string, unsigned> reasons;
  std::vector<double> seconds;
  unsigned unconfirmed = 0, failed = 0;

  // The worst answer of a source's kernels counts.
  void add(const std::vector<KernelProof>& proofs) {
    std::map<ProofSubject, ProofAnswer> worst;
    double all = 0;
    for (const auto& proof : proofs) {
      all += proof.seconds;
      for (const auto& claim : proof.claims) {
        auto& answer = worst.try_emplace(claim.subject, ProofAnswer::proved).first->second;
        if (claim.answer == ProofAnswer::proved) continue;
        if (answer != ProofAnswer::refuted) answer = claim.answer;
        if (claim.answer == ProofAnswer::refuted && claim.confirmed == false) ++unconfirmed;
        ++reasons[fmt::format("{}: {}", to_string(claim.subject),
                              claim.answer == ProofAnswer::refuted ? "refuted" : claim.reason)];
      }
    }
    for (const auto& [subject, answer] : worst) ++answers[subject][answer];
    seconds.push_back(all);
  }

  void print() {
    for (auto& [subject, counts] : answers)
      fmt::print("{}: {} proved, {} refuted, {} unknown\n", to_string(subject),
                 counts[ProofAnswer::proved], counts[ProofAnswer::refuted],
                 counts[ProofAnswer::unknown]);
    std::vector<std::pair<unsigned, std::string>> sorted;
    for (const auto& [reason, count] : reasons) sorted.emplace_back(count, reason);
    std::sort(sorted.rbegin(), sorted.rend());
    for (const auto& [count, reason] : sorted) fmt::print("{:6} {}\n", count, reason);
    std::sort(seconds.begin(), seconds.end());
    if (!seconds.empty())
      fmt::print("median {:.2f} s, longest {:.2f} s; {} refuted and not confirmed, {} not proved\n",
                 seconds[seconds.size() / 2], seconds.back(), unconfirmed, failed);
  }
};

Result<Translation> checked_source(const std::string& id, const std::string& text) {
  auto unit = parse({id, text});
  if (!unit) return unit.error();
  if (!unit->compiled()) return Error{"it does not compile"};
  return translate(*unit, {}, {}, TranslationPurpose::checking);
}

// In a process of its own, because a kernel may bring LLVM or Z3 to its limits.
Result<std::vector<KernelProof>> isolated(
    const std::function<Result<std::vector<KernelProof>>()>& prove_them) {
  return run_isolated_for<std::vector<KernelProof>>(
      prove_them, {.seconds = 300, .memory_bytes = std::size_t{4} << 30}, {});
}

Result<std::vector<KernelProof>> prove_source(const std::string& id, const std::string& text,
                                              const Task& task, const Size& size, Device* device) {
  const auto checked = checked_source(id, text);
  if (!checked) return checked.error();
  const auto plan = task.plan(size, *checked);
  if (!plan) return plan.error();
  auto proofs = isolated([&] { return prove(*plan, *checked); });
  if (!proofs || !device) return proofs;
  const auto has_example = [](const KernelProof& proof) {
    return std::any_of(proof.claims.begin(), proof.claims.end(),
                       [](const auto& claim) { return claim.counterexample; });
  };
  if (!std::any_of(proofs->begin(), proofs->end(), has_example)) return proofs;
  const auto run = check(*plan, *checked, *device);
  if (!run) return run.error();
  for (auto& proof : *proofs) note_faults(proof, run->findings, checked->places);
  return proofs;
}

void print_json(const std::string& id, const std::string& size,
                const Result<std::vector<KernelProof>>& proofs) {
  OrderedJson line{{"id", id}, {"size", size}};
  if (!proofs) line["error"] = proofs.error().message;
  if (proofs)
    for (const auto& proof : *proofs) line["proofs"].push_back(json_of(proof));
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
}

void print(const std::string& id, const std::vector<KernelProof>& proofs) {
  for (const auto& proof : proofs)
    for (const auto& claim : proof.claims)
      if (claim.answer != ProofAnswer::proved)
        fmt::print("{} {} {} {}: {}{} ({})\n", id, proof.kernel, to_string(claim.subject),
                   claim.object, to_string(claim.answer),
                   claim.answer == ProofAnswer::refuted
                       ? (claim.confirmed == true ? ", confirmed" : ", not confirmed")
                       : ": " + claim.reason,
                   claim.line);
  std::fflush(stdout);
}

// Whether the sizes differ in no more than the number of steps, which only repeats launches.
bool are_alike(const Size& a, const Size& b, std::string_view steps) {
  return std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(),
                    b.parameters.end(), [&](const auto& one, const auto& other) {
                      return one == other || (one.first == steps && other.first == steps);
                    });
}

// The declared sizes, and drawn ones of the contract: all of it, where it has few.
std::vector<Size> sizes_of(const Task& task, const Options& options) {
  std::vector<Size> sizes{task.small};
  const auto add = [&](Size size) {
    const bool is_new = std::none_of(sizes.begin(), sizes.end(), [&](const Size& each) {
      return are_alike(each, size, task.stress.steps);
    });
    if (is_new) sizes.push_back(std::move(size));
    return is_new;
  };
  if (options.all_sizes) {
    for (const auto& size : task.sizes) add(size);
    if (task.held_out) add(*task.held_out);
  }
  constexpr unsigned most_draws = 1000;
  KeyedRandom random(Key{1, 2});
  for (unsigned draws = 0, drawn = 0; drawn < options.drawn && draws < most_draws; ++draws) {
    auto size = task.stress.random_size(random);
    size.label = "drawn";
    for (const auto& [name, value] : size.parameters)
      size.label += fmt::format(" {} {}", name, value);
    drawn += add(std::move(size));
  }
  return sizes;
}

int run(const Options& options) {
  Table table;
  std::unique_ptr<Device> device;
  if (options.runs) {
    auto opened = open_worker_device("cpu");
    if (!opened) return fmt::print(stderr, "{}\n", opened.error().message), 2;
    device = *std::move(opened);
  }
  unsigned seed_number = 0;
  const auto report = [&](const std::string& id, const std::string& size,
                          const Result<std::vector<KernelProof>>& proofs) {
    if (options.json) return print_json(id, size, proofs);
    if (!proofs) {
      ++table.failed;
      return fmt::print("{} {}: {}\n", id, size, proofs.error().message);
    }
    print(fmt::format("{} {}", id, size), *proofs);
    table.add(*proofs);
  };
  const auto prove_at = [&](const std::string& id, const std::string& text, const Task& task) {
    for (const auto& size : sizes_of(task, options)) {
      if (options.seeds && seed_number++ % options.every != options.from) continue;
      const bool is_small = size.label == task.small.label;
      const auto proofs = prove_source(id, text, task, size, is_small ? device.get() : nullptr);
      report(id, size.label, proofs);
    }
  };
  if (options.seeds)
    for (const auto* task : all_tasks())
      prove_at(std::string(task->name), std::string(task->seed), *task);
  if (!options.candidates.empty()) {
    const auto records = read_candidates(options.candidates);
    if (!records) return fmt::print(stderr, "{}\n", records.error().message), 2;
    unsigned number = 0;
    for (const auto& record : *records) {
      const bool is_wanted =
          options.ids.empty() ||
          std::find(options.ids.begin(), options.ids.end(), record.id) != options.ids.end();
      if (record.fate != Fate::right || !is_wanted || number++ % options.every != options.from)
        continue;
      prove_at(record.id, record.source, **find_task(record.task));
    }
  }
  if (!options.json) table.print();
  return table.unconfirmed > 0;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("Proves recorded right kernels and seeds, each at its task's small size.",
               "msci-prove-recorded");
  app.footer("\nExit status: 0 nothing refuted that no run shows, 1 otherwise, 2 could not prove.");
  app.add_option("FILE", options.candidates, "recorded_candidates.jsonl.gz");
  app.add_option("--id", options.ids, "only these kernels");
  app.add_option("--every", options.every, "only every so many-th")->check(CLI::Range(1, 1000));
  app.add_option("--from", options.from, "the first of these, from 0");
  app.add_flag("--json", options.json, "one line of JSON for each source and size");
  app.add_flag("--seeds", options.seeds, "the tasks' seed kernels");
  app.add_flag("--all-sizes", options.all_sizes, "also at all other sizes of the task");
  app.add_option("--drawn", options.drawn, "also at so many sizes that the task's contract allows");
  app.add_flag("--run", options.runs, "run what has a counterexample in the checked mode");
  CLI11_PARSE(app, argc, argv);
  return msci::run(options);
}
