// A CheckRecord as JSON, between the processes of one build: it contains the numbers of
// enumerators.
#pragma once

#include "analysis/check/check_record.h"
#include "base/json.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ThreadPosition, x, y, z)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Access, location_id, kind, thread, threadgroup)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BenignRaces, stores, location_id)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelMessage, call, thread, threadgroup, words)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelMessages, kept, left_out)

inline void to_json(Json& json, const Fault& fault) {
  json = {{"kind", fault.kind},
          {"kernel", fault.kernel},
          {"access", fault.access},
          {"object", fault.object},
          {"offset", fault.offset},
          {"bytes", fault.bytes},
          {"other_kernel", fault.other_kernel},
          {"numbers", fault.numbers}};
  if (fault.conflicting_access) json["conflicting_access"] = *fault.conflicting_access;
}

inline void from_json(const Json& json, Fault& fault) {
  // The kernel may have written it, and the kind is an index into the table of faults.
  const auto kind = json.at("kind").get<unsigned>();
  if (kind >= fault_kinds)
    throw Json::out_of_range::create(406, "no kind of fault: " + json.at("kind").dump(), &json);
  fault.kind = static_cast<Fault::Kind>(kind);
  json.at("kernel").get_to(fault.kernel);
  json.at("access").get_to(fault.access);
  json.at("object").get_to(fault.object);
  json.at("offset").get_to(fault.offset);
  json.at("bytes").get_to(fault.bytes);
  json.at("other_kernel").get_to(fault.other_kernel);
  json.at("numbers").get_to(fault.numbers);
  if (json.contains("conflicting_access"))
    fault.conflicting_access = json.at("conflicting_access").get<Access>();
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CheckRecord, faults, messages, benign_races, has_not_finite,
                                   coverage)

}  // namespace msci
