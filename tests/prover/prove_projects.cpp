// msci-prove-projects: what is proved of the kernels of real projects, whose hosts are not known, in
// the launches that their source suggests.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/files/read_file.h"
#include "base/json.h"
#include "base/process/isolated_process.h"
#include "compiler/translate.h"
#include "frontend/preamble/precompiled_preamble.h"
#include "lint/proofs/suggested_launches.h"
#include "prover/proof_json.h"
#include "prover/prove.h"
#include "tests/real_kernels/projects.h"
#include "tests/real_kernels/sample.h"

namespace msci {
namespace {

struct Options {
  std::string archive = default_archive().string();
  std::string project;
  std::size_t most_instantiations = 1;  // of one template
  std::size_t part = 0, parts = 1;      // files part, part + parts, …
};

// Numbers that kernels limit by themselves have all values within; buffers are long, since only a
// host knows their lengths.
constexpr ProofScope scope{.bounds_of_buffers = false, .stops_outside = true};
constexpr ProofLimits limits{.query_steps = 1'000'000, .launch_steps = 4'000'000};
constexpr Limits process_limits{.seconds = 60, .memory_bytes = std::size_t{4} << 30};

bool leaves_threadgroup(const KernelProof& proof, const KernelSignature& signature) {
  return std::any_of(proof.claims.begin(), proof.claims.end(), [&](const ProofClaim& claim) {
    if (claim.subject != ProofSubject::bounds || claim.answer != ProofAnswer::refuted) return false;
    for (std::size_t i = 0; i < signature.objects.size(); ++i)
      if (signature.objects[i].name == claim.object)
        return i >= signature.arguments.size() ||
               signature.arguments[i].kind == ArgumentKind::threadgroup;
    return false;
  });
}

// In the first threadgroup that keeps all accesses within the threadgroup arrays.
Result<KernelProof> prove_suggested(const Kernel& kernel, Unit& unit) {
  const auto z3 = prover::Z3::open();
  if (!z3) return z3.error();
  const auto shape = shape_of(kernel, unit);
  const auto checked =
      translate(unit, {kernel.name}, typical_constants(unit), TranslationPurpose::checking);
  if (!checked) return checked.error();
  const auto* signature = checked->find(kernel.name);
  if (!signature) return Error{"the translation lacks it"};
  Result<KernelProof> last = Error{"no launch is suggested"};
  for (const auto& each : suggest_threadgroups(shape, *signature)) {
    const auto facts = facts_of(each.threads, {}, kernel, shape, *signature, unit);
    last = prove_launch(facts, *checked, **z3, limits, scope);
    if (!last || !leaves_threadgroup(*last, *signature)) break;
  }
  return last;
}

OrderedJson answer_for(const Kernel& kernel, Unit& unit) {
  OrderedJson line{{"kernel", kernel.name}};
  const auto outcome = run_isolated(
      [&] {
        const auto proof = prove_suggested(kernel, unit);
        return proof ? json_of(*proof).dump() : OrderedJson{{"error", proof.error().message}}.dump();
      },
      process_limits);
  if (!outcome)
    line["error"] = outcome.error().message;
  else if (const auto* failure = std::get_if<WorkFailure>(&*outcome))
    line["error"] = failure->reason;
  else
    line.update(OrderedJson::parse(std::get<std::string>(*outcome)));
  return line;
}

void prove_file(const std::filesystem::path& file, const Project& project, const Options& options) {
  const auto print = [&](OrderedJson line) {
    line["project"] = project.name;
    line["file"] = file.lexically_relative(project.folder).string();
    fmt::print("{}\n", line.dump());
    std::fflush(stdout);
  };
  const auto source = read_source(file.string());
  if (!source) return print({{"error", source.error().message}});
  auto unit = parse(*source, options_for(project, file));
  if (!unit) return print({{"error", unit.error().message}});
  if (!unit->compiled()) return print({{"error", "it does not compile"}});
  const auto chosen = sample(*unit, options.most_instantiations);
  for (const auto& kernel : unit->kernels())
    if (std::find(chosen.begin(), chosen.end(), kernel.name) != chosen.end())
      print(answer_for(kernel, *unit));
}

int run(const Options& options) {
  const auto projects = unpack_projects(options.archive);
  if (!projects) return fmt::print(stderr, "{}\n", projects.error().message), 2;
  std::size_t number = 0;
  for (const auto& project : projects->all)
    for (const auto& file : project.files)
      if ((options.project.empty() || project.name == options.project) &&
          number++ % options.parts == options.part)
        prove_file(file, project, options);
  return 0;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("Proves the kernels of real projects in launches that their sources suggest.",
               "msci-prove-projects");
  app.footer(
      "\nPrints a line of JSON for each kernel; tests/prover/projects_share.py counts them.\n"
      "Exit status: 0, or 2 if the archive cannot be read.");
  app.add_option("ARCHIVE", options.archive, "projects.tar.xz");
  app.add_option("--project", options.project, "only this one");
  app.add_option("--most", options.most_instantiations,
                 "at most so many instantiations of one template, evenly spaced; 0: all")
      ->capture_default_str();
  app.add_option("--parts", options.parts, "shares the files among so many runs")
      ->check(CLI::PositiveNumber);
  app.add_option("--part", options.part, "the number of this run among them, from 0");
  CLI11_PARSE(app, argc, argv);
  return msci::run(options);
}
