// The held-out gate's words on the best of a search, read back from msci-eval's JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "evaluator/measure/ratio.h"
#include "lint/metal/result.h"

namespace msci {

struct GateRecord {
  std::string size;                   // the held-out size's label
  std::string verdict;                // as to_string(GateVerdict) has it
  std::optional<Ratio> speed_up;      // over the seed there; none unless both ran
  bool same_program = false;          // as the seed's, and so never measured against it
  std::optional<unsigned> iteration;  // of the search that it is about
  bool operator==(const GateRecord&) const = default;

  bool generalises() const { return verdict == "generalises"; }
  // Whether it is right at the held-out size; none where a shown size kept it from there.
  std::optional<bool> is_right() const {
    if (verdict == "incorrect") return std::nullopt;
    return verdict != "silent-incorrect";
  }
};

// From one JSON object as docs/json.md tells. Errors: it is no such thing.
Result<GateRecord> read_gate(std::string_view json);

}  // namespace msci
