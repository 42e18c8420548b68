// Results as text: for terminals, and for the prompts of a search. Everything is decided before.
#pragma once

#include <string>

#include "evaluator/result/evaluation_result.h"
#include "evaluator/result/gate_result.h"

namespace msci {

// `strict_decides`: whether a kernel that fails the strict verdict counts as wrong.
std::string to_text(const EvaluationResult& result, bool colour, bool strict_decides = false);
std::string to_text(const GateResult& result);

// What follows a wrong result: its diagnosis, or nothing without one.
std::string diagnosis_text(const EvaluationResult& result, bool colour);

// In seconds: "front end 0.4, inputs 3.0, ..."
std::string to_text(const PhaseTimes& times);

// For prompts: one line a size, then the score or why it is missing, the diagnostics, and of the
// diagnosis what a program that writes kernels may learn.
std::string prompt_text(const EvaluationResult& result);

}  // namespace msci
