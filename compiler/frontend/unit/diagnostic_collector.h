// Clang's diagnostics as those of a unit: Metal's words, the user's places, notes below what they
// explain.
#pragma once

#include <clang/Basic/Diagnostic.h>

#include <memory>

#include "compiler/frontend/unit.h"

namespace msci {

// Adds what Clang says to the unit, which must outlive it.
std::unique_ptr<clang::DiagnosticConsumer> collect_diagnostics(Unit::Impl& unit);

}  // namespace msci
