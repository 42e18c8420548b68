#include "evaluator/result/phase_times.h"

#include "evaluator/result/json_fields.h"

namespace msci {

PhaseTimes& PhaseTimes::operator+=(const PhaseTimes& other) {
  front_end += other.front_end;
  inputs += other.inputs;
  references += other.references;
  build += other.build;
  run += other.run;
  judging += other.judging;
  strict += other.strict;
  comparison += other.comparison;
  return *this;
}

std::string to_json(const PhaseTimes& times) { return to_line(json_of(times)); }

void describe(Fields& field, PhaseTimes& times) {
  field("front_end", times.front_end, "seconds of reading Metal, rules and translation");
  field("inputs", times.inputs, "of making inputs");
  field("references", times.references, "of computing expected results");
  field("build", times.build, "of the driver's build");
  field("run", times.run, "of runs, with what the driver compiles late");
  field("judging", times.judging, "of comparing results");
  field("strict", times.strict, "of the strict verdict");
}

}  // namespace msci
