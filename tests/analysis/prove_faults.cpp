// msci-prove-faults: how many labelled faults proofs refute with the plan of each file, by kind,
// and what they refute of the fixed twins.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>

#include "analysis/instruments.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"
#include "engine/device/worker.h"
#include "tests/analysis/agreement_of_proofs.h"
#include "tests/compiler/fixture.h"

namespace msci {
namespace {

struct Row {
  unsigned kernels = 0, refuted = 0, false_answers = 0;
  std::vector<double> seconds = {};
};

bool has_confirmed(const std::vector<KernelProof>& proofs) {
  return std::any_of(proofs.begin(), proofs.end(), [](const KernelProof& proof) {
    return std::any_of(proof.claims.begin(), proof.claims.end(), [](const ProofClaim& claim) {
      return claim.answer == ProofAnswer::refuted && claim.confirmed == true;
    });
  });
}

bool has_refuted(const std::vector<KernelProof>& proofs) {
  return std::any_of(proofs.begin(), proofs.end(),
                     [](const KernelProof& proof) { return proof.has(ProofAnswer::refuted); });
}

Result<ProofsAndRun> prove_kernel(const char* kernel, Plan plan, const Translation& checked,
                                  Program& program) {
  for (auto& launch : plan.launches) launch.kernel = kernel;
  return compare_with_run(plan, checked, program, {"parallel"});
}

std::optional<Error> add(const std::string& path, Device& device, Row& row) {
  const auto fixture = read_fixture(path);
  if (!fixture) return fixture.error();
  auto unit = parse(fixture->source);
  if (!unit) return unit.error();
  if (!unit->compiled()) return Error{"it does not compile"};
  const auto checked = translate(*unit, {}, {}, TranslationPurpose::checking);
  if (!checked) return checked.error();
  const auto built = device.build(*checked);
  if (!built) return built.error();
  if (const auto* failure = std::get_if<Failure>(&*built)) return Error{failure->message};
  auto& program = *std::get<std::unique_ptr<Program>>(*built);
  const auto& plan = fixture->cases[0].plan;
  const auto faulty = prove_kernel("faulty", plan, *checked, program);
  if (!faulty) return faulty.error();
  const auto fixed = prove_kernel("fixed", plan, *checked, program);
  if (!fixed) return fixed.error();
  ++row.kernels;
  row.refuted += has_confirmed(faulty->proofs);
  row.false_answers += has_refuted(fixed->proofs);
  for (const auto* all : {&faulty->proofs, &fixed->proofs})
    for (const auto& proof : *all) row.seconds.push_back(proof.seconds);
  if (!has_confirmed(faulty->proofs)) fmt::print("{}: not refuted\n", path);
  if (has_refuted(fixed->proofs)) fmt::print("{}: the fixed twin is refuted\n", path);
  std::fflush(stdout);
  return std::nullopt;
}

int run(const std::vector<std::string>& files) {
  auto device = open_worker_device("cpu");
  if (!device) return fmt::print(stderr, "{}\n", device.error().message), 2;
  std::map<std::string, Row> table;
  bool is_complete = true;
  for (const auto& file : files) {
    const auto name = std::filesystem::path(file).stem().string();
    const auto error = add(file, **device, table[name.substr(0, name.find('_'))]);
    if (!error) continue;
    fmt::print(stderr, "{}: {}\n", file, error->message);
    is_complete = false;
  }
  fmt::print("{:16} {:>8} {:>8} {:>6} {:>8} {:>8}\n", "kind", "kernels", "refuted", "false",
             "median", "longest");
  for (auto& [kind, row] : table) {
    std::sort(row.seconds.begin(), row.seconds.end());
    if (row.seconds.empty()) continue;
    fmt::print("{:16} {:8} {:8} {:6} {:6.2f} s {:6.2f} s\n", kind, row.kernels, row.refuted,
               row.false_answers, row.seconds[row.seconds.size() / 2], row.seconds.back());
  }
  return is_complete ? 0 : 2;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  std::vector<std::string> files;
  CLI::App app("Counts the labelled faults that proofs refute, with a checked run, by kind.",
               "msci-prove-faults");
  app.add_option("FILE", files, "KIND_NAME.metal, with a plan and the kernels `faulty` and `fixed`")
      ->required();
  CLI11_PARSE(app, argc, argv);
  return msci::run(files);
}
