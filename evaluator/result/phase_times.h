// Where the time of an evaluation goes.
#pragma once

namespace msci {

// Wall-clock seconds of each phase.
struct PhaseTimes {
  double frontend = 0;  // reading Metal, rules and translation; the caller of evaluate() adds it
  double inputs = 0;
  double reference = 0;
  double build = 0;
  double run = 0;  // drivers that compile at the first launch do it here
  double judge = 0;
  double strict = 0;      // the whole strict verdict
  double comparison = 0;  // with a rival, including builds; the caller of evaluate() adds it
  PhaseTimes& operator+=(const PhaseTimes& other);
  bool operator==(const PhaseTimes&) const = default;
};

}  // namespace msci
