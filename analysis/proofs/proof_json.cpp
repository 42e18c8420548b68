#include "analysis/proofs/proof_json.h"

#include <algorithm>

namespace msci {
namespace {

OrderedJson json_of(const ThreadPosition& position) {
  return OrderedJson::array({position.x, position.y, position.z});
}

OrderedJson json_of(const ProofThread& thread) {
  return {{"line", thread.line},
          {"thread", json_of(thread.thread)},
          {"threadgroup", json_of(thread.threadgroup)}};
}

OrderedJson json_of(const Counterexample& example) {
  OrderedJson json = {{"first", json_of(example.first)}};
  json["second"] = example.second ? json_of(*example.second) : OrderedJson();
  json["byte"] = example.offset;
  json["misaligned"] = example.misaligned;
  json["certain"] = example.is_certain;
  return json;
}

OrderedJson json_of(const ProofClaim& claim) {
  OrderedJson json = {{"subject", to_string(claim.subject)},
                      {"object", claim.object},
                      {"answer", to_string(claim.answer)},
                      {"reason", claim.reason},
                      {"line", claim.line}};
  json["counterexample"] = claim.counterexample ? json_of(*claim.counterexample) : OrderedJson();
  json["confirmed"] = claim.confirmed ? OrderedJson(*claim.confirmed) : OrderedJson();
  return json;
}

// A thread without a place is in the source itself.
FileLine line_of(const ProofThread& at, const std::vector<Place>& places) {
  const bool has_place = at.place != 0 && at.place < places.size();
  return {has_place ? places[at.place].file : "", at.line};
}

}  // namespace

OrderedJson json_of(const KernelProof& proof) {
  OrderedJson json = {{"kernel", proof.kernel},     {"launch", proof.launch},
                      {"launches", proof.launches}, {"first_launch", proof.first},
                      {"seconds", proof.seconds},   {"claims", OrderedJson::array()}};
  for (const auto& claim : proof.claims) json["claims"].push_back(json_of(claim));
  if (!proof.assumptions.empty()) json["assumptions"] = proof.assumptions;
  return json;
}

OrderedJson json_of(const AllSizesProofs& all) {
  auto list = OrderedJson::array();
  auto others = OrderedJson::object();
  for (const auto& [name, value] : all.others) others[name] = value;
  for (const auto& proof : all.proofs) {
    OrderedJson json = {{"kernel", proof.kernel},
                        {"parameter", all.parameter},
                        {"first", proof.first},
                        {"last", proof.last},
                        {"others", others},
                        {"launch", proof.launch},
                        {"claims", OrderedJson::array()}};
    for (const auto& claim : proof.claims)
      json["claims"].push_back({{"subject", to_string(claim.subject)}, {"object", claim.object}});
    list.push_back(std::move(json));
  }
  return list;
}

bool confirms(const Diagnostic& fault, const ProofClaim& claim, const std::vector<Place>& places) {
  const auto* kind = kind_of_finding(fault.id);
  if (!claim.counterexample || !kind || kind->proof != claim.subject) return false;
  if (is_of_arithmetic(claim.subject)) return true;  // a run keeps the first such fault only
  const auto lines = lines_of(fault);
  const auto& second = claim.counterexample->second;
  return lines.contains(line_of(claim.counterexample->first, places)) ||
         (second && lines.contains(line_of(*second, places)));
}

void note_faults(KernelProof& proof, const std::vector<Diagnostic>& faults,
                 const std::vector<Place>& places) {
  for (auto& claim : proof.claims) {
    if (!claim.counterexample) continue;
    claim.confirmed = std::any_of(faults.begin(), faults.end(), [&](const Diagnostic& fault) {
      return confirms(fault, claim, places);
    });
    if (*claim.confirmed) claim.answer = ProofAnswer::refuted;
  }
}

}  // namespace msci
