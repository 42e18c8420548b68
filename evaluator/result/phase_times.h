// Where the time of an evaluation goes.
#pragma once

#include <string>

#include "evaluator/result/described.h"

namespace msci {

// Wall-clock seconds of each phase.
struct PhaseTimes {
  double front_end = 0;  // reading Metal, rules and translation; the caller of evaluate() adds it
  double inputs = 0;
  double references = 0;
  double build = 0;
  double run = 0;  // drivers that compile at the first launch do it here
  double judging = 0;
  double strict = 0;      // the whole strict verdict
  double comparison = 0;  // with a rival, including builds; the caller of evaluate() adds it
  PhaseTimes& operator+=(const PhaseTimes& other);
  bool operator==(const PhaseTimes&) const = default;
};

std::string to_json(const PhaseTimes& times);  // one line

template <typename Fields, Described<PhaseTimes> Value>
void describe(Fields& field, Value& times) {
  field("front_end", times.front_end, "seconds of reading Metal, rules and translation");
  field("inputs", times.inputs, "of making inputs");
  field("references", times.references, "of computing expected results");
  field("build", times.build, "of the driver's build");
  field("run", times.run, "of runs, with what the driver compiles late");
  field("judging", times.judging, "of comparing results");
  field("strict", times.strict, "of the strict verdict");
}

}  // namespace msci
