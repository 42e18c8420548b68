// Whether two kernels are one program, whatever their sources look like.
#pragma once

#include <string>

#include "tasks/plan/program.h"

namespace msci {

// The same text, the same signatures of kernels, and the same tables of functions. The IR counts
// where there is no text, as in translations for a profile.
bool is_same_program(const Translation& one, const Translation& other);

// SHA-256 of those, so that programs compare across processes; empty without text and IR.
std::string program_digest(const Translation& translation);

}  // namespace msci
