// Where the time of an evaluation goes.
#pragma once

#include <string>

namespace msci {

class Fields;

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

void describe(Fields& field, PhaseTimes& times);

}  // namespace msci
