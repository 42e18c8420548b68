#include "evaluator/result/phase_times.h"

namespace msci {

PhaseTimes& PhaseTimes::operator+=(const PhaseTimes& other) {
  frontend += other.frontend;
  inputs += other.inputs;
  reference += other.reference;
  build += other.build;
  run += other.run;
  judge += other.judge;
  strict += other.strict;
  comparison += other.comparison;
  return *this;
}

}  // namespace msci
