#include "analysis/proofs/proof_json.h"

#include <array>

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

template <typename Enumeration, std::size_t count>
Enumeration value_of(const std::array<Enumeration, count>& all, const OrderedJson& json) {
  for (const auto each : all)
    if (json == to_string(each)) return each;
  return all.back();
}

ThreadPosition position_from(const OrderedJson& json) {
  return {json.at(0).get<unsigned>(), json.at(1).get<unsigned>(), json.at(2).get<unsigned>()};
}

ProofThread thread_from(const OrderedJson& json) {
  return {.thread = position_from(json.at("thread")),
          .threadgroup = position_from(json.at("threadgroup")),
          .line = json.at("line").get<unsigned>()};
}

Counterexample example_from(const OrderedJson& json) {
  Counterexample example{.first = thread_from(json.at("first")),
                         .offset = json.at("byte").get<std::int64_t>(),
                         .misaligned = json.at("misaligned").get<bool>(),
                         .is_certain = json.at("certain").get<bool>()};
  if (!json.at("second").is_null()) example.second = thread_from(json.at("second"));
  return example;
}

ProofClaim claim_from(const OrderedJson& json) {
  constexpr std::array subjects = {ProofSubject::races, ProofSubject::barriers,
                                   ProofSubject::divisors, ProofSubject::bounds};
  constexpr std::array answers = {ProofAnswer::proved, ProofAnswer::refuted, ProofAnswer::unknown};
  ProofClaim claim{.subject = value_of(subjects, json.at("subject")),
                   .object = json.at("object").get<std::string>(),
                   .answer = value_of(answers, json.at("answer")),
                   .reason = json.at("reason").get<std::string>(),
                   .line = json.at("line").get<unsigned>()};
  if (!json.at("counterexample").is_null())
    claim.counterexample = example_from(json.at("counterexample"));
  if (!json.at("confirmed").is_null()) claim.confirmed = json.at("confirmed").get<bool>();
  return claim;
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

std::string proofs_to_json(const std::vector<KernelProof>& proofs) {
  auto json = OrderedJson::array();
  for (const auto& proof : proofs) json.push_back(json_of(proof));
  return to_line(json);
}

Result<std::vector<KernelProof>> proofs_from_json(std::string_view text) {
  const auto json = parse_json<OrderedJson>(text);
  if (!json) return json.error();
  std::vector<KernelProof> proofs;
  try {
    for (const auto& each : *json) {
      auto& proof =
          proofs.emplace_back(KernelProof{.kernel = each.at("kernel").get<std::string>(),
                                          .launch = each.at("launch").get<std::string>()});
      proof.launches = each.at("launches").get<std::size_t>();
      proof.first = each.at("first_launch").get<std::size_t>();
      proof.seconds = each.at("seconds").get<double>();
      if (each.contains("assumptions"))
        proof.assumptions = each.at("assumptions").get<std::vector<std::string>>();
      for (const auto& claim : each.at("claims")) proof.claims.push_back(claim_from(claim));
    }
  } catch (const OrderedJson::exception& malformed) {
    return Error{std::string("these are no proofs: ") + malformed.what()};
  }
  return proofs;
}

}  // namespace msci
