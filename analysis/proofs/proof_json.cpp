#include "analysis/proofs/proof_json.h"

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

}  // namespace msci
