// Why a wrong kernel is wrong, as far as runs on the processor show it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace msci {

class Fields;

// Where a kernel begins to differ from the task's own.
struct FirstDifference {
  std::string size;   // its label
  std::string where;  // "at size 64x64, launch 1 of 50 (heat_step): u[65] is 0, not 1"
  std::vector<unsigned> lines = {};  // of the source; one of them is it. Empty: unknown
  std::string cause = {};  // a sentence without its first word's capital; names elements, no values
  bool operator==(const FirstDifference&) const = default;
};

struct Diagnosis {
  std::string device = {};                      // the processor's name
  std::optional<std::string> not_checked = {};  // why a run with checked accesses is missing
  // Of those runs, which have the inputs of the recorded verdict. Empty where the findings are
  // those of the strict verdict.
  std::vector<std::string> sizes = {};
  std::vector<Diagnostic> findings = {};  // of the last of them, the first of each kind
  std::size_t other_findings = 0;
  std::optional<FirstDifference> difference = {};  // none where a finding tells the cause

  // What a program that writes kernels may learn: nothing of the held-out size, and no values of
  // inputs. One of the lines is at fault.
  std::vector<unsigned> lines() const;
  std::string cause() const;  // empty where it is unknown
  bool operator==(const Diagnosis&) const = default;
};

void describe(Fields& field, FirstDifference& difference);
void describe(Fields& field, Diagnosis& diagnosis);

}  // namespace msci
