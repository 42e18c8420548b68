// The steps of a translation, for kernels of a unit that are translated together.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "compiler/constant_values.h"
#include "compiler/frontend/unit.h"
#include "compiler/instrument.h"
#include "compiler/print/print.h"
#include "tasks/plan/program.h"

namespace msci {

// Some kernels of a source, without their text where that is made of `parts`.
struct TranslatedKernels {
  Translation translation;
  std::optional<TextParts> parts = {};  // none for instruments whose kernels are not printed
};

// Kernels that cannot be translated are in Translation::refused. Errors: the code generator failed,
// or made code that is not valid.
Result<TranslatedKernels> translate_kernels(Unit& unit, const std::vector<Kernel>& kernels,
                                            std::vector<ConstantValue> constants,
                                            const Instrument& instrument = {});

}  // namespace msci
