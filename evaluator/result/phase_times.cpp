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

std::string to_json(const PhaseTimes& times) { return dumped(json_of(times)); }

}  // namespace msci
