#include "analysis/proofs/proof_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/text.h"

namespace msci {
namespace {

std::string text_of(const ThreadPosition& position) {
  return fmt::format("({}, {}, {})", position.x, position.y, position.z);
}

std::string text_of(const ProofThread& thread) {
  return fmt::format("thread {} of threadgroup {} at line {}", text_of(thread.thread),
                     text_of(thread.threadgroup), thread.line);
}

// "races on tile", "bounds of tile".
std::string subject_of(const ProofClaim& claim) {
  switch (claim.subject) {
    case ProofSubject::bounds:
      return "bounds of " + printable(claim.object);
    case ProofSubject::races:
      return "races on " + printable(claim.object);
    default:
      return std::string(to_string(claim.subject));
  }
}

std::string text_of(const Counterexample& example, ProofSubject subject) {
  auto text = text_of(example.first);
  if (example.second) text += " and " + text_of(*example.second);
  if (subject == ProofSubject::bounds || subject == ProofSubject::races)
    text += fmt::format(", at byte {}", example.offset);
  if (example.misaligned) text += ", which is misaligned";
  return text;
}

// The claims that are proved, in one line for each subject.
std::string proved_text(const std::vector<ProofClaim>& claims) {
  std::string text;
  const auto add = [&](ProofSubject subject, std::string_view before) {
    std::vector<std::string> objects;
    for (const auto& claim : claims)
      if (claim.subject == subject && claim.answer == ProofAnswer::proved)
        objects.push_back(printable(claim.object));
    if (!objects.empty())
      text += fmt::format("  proved   {}{}\n", before, fmt::join(objects, ", "));
  };
  add(ProofSubject::bounds, "bounds of ");
  add(ProofSubject::races, "races on ");
  add(ProofSubject::barriers, to_string(ProofSubject::barriers));
  for (const auto subject : arithmetic_subjects) add(subject, to_string(subject));
  return text;
}

std::string open_text(const ProofClaim& claim, const std::string& file) {
  auto text = fmt::format("  {:<8} {}", to_string(claim.answer), subject_of(claim));
  if (claim.answer == ProofAnswer::unknown) {
    text += ": " + printable(claim.reason);
    if (claim.line > 0) text += fmt::format(" ({}:{})", printable(file), claim.line);
    if (claim.confirmed == false) text += "; a run with the plan's data does not show a fault";
    return text + "\n";
  }
  if (claim.confirmed)
    text += *claim.confirmed ? ", confirmed by a checked run"
                             : ", not confirmed: a checked run does not show it";
  return text + fmt::format(": {}\n", text_of(*claim.counterexample, claim.subject));
}

std::string text_of(const std::vector<ProofClaim>& claims, const std::string& file) {
  auto text = proved_text(claims);
  for (const auto& claim : claims)
    if (claim.answer != ProofAnswer::proved) text += open_text(claim, file);
  return text;
}

}  // namespace

std::string to_text(const std::vector<SizeProofs>& sizes, const std::string& file) {
  // In the order of the first proof of each kernel.
  std::vector<std::string> kernels;
  for (const auto& size : sizes)
    for (const auto& proof : size.proofs)
      if (std::find(kernels.begin(), kernels.end(), proof.kernel) == kernels.end())
        kernels.push_back(proof.kernel);
  std::string text;
  for (const auto& kernel : kernels) {
    std::vector<std::string> answers;
    std::map<std::string, std::vector<std::string>> places;  // by answers
    for (const auto& size : sizes)
      for (const auto& proof : size.proofs) {
        if (proof.kernel != kernel) continue;
        auto answer = text_of(proof.claims, file);
        if (!places.contains(answer)) answers.push_back(answer);
        const auto launches = proof.launches > 1 ? fmt::format("{} launches", proof.launches)
                                                 : std::string("1 launch");
        std::string assumed;
        for (const auto& each : proof.assumptions) assumed += "; assuming " + printable(each);
        places[answer].push_back(
            fmt::format("{} ({}; {}{})", size.size, proof.launch, launches, assumed));
      }
    for (const auto& answer : answers)
      text += fmt::format("{}: {} at {}:\n{}", printable(file), printable(kernel),
                          fmt::join(places[answer], ", "), answer);
  }
  return text;
}

std::string to_text(const AllSizesProofs& all, const std::string& file) {
  std::string text, others;
  for (const auto& [name, value] : all.others) others += fmt::format(", {} = {}", name, value);
  for (const auto& proof : all.proofs)
    text += fmt::format("{}: {} for all {} from {} to {}{} ({}):\n{}", printable(file),
                        printable(proof.kernel), printable(all.parameter), proof.first, proof.last,
                        printable(others), printable(proof.launch), proved_text(proof.claims));
  return text;
}

}  // namespace msci
