// Translations for each purpose, with the passes of the instruments that it needs.
#pragma once

#include "analysis/purpose.h"
#include "compiler/numeric_meaning.h"
#include "compiler/translate.h"

namespace msci {

// The same as translate() without instruments (compiler/translate.h), for a purpose.
//
// For the checked mode, the text has checks, whose device must be told (Device::build) by the
// translation: it has places, and its kernels have objects. For a profile, the IR calls counters,
// and Translation::code says what they count; loops are unrolled where the source asks for it, as
// Apple's compiler does; the text is empty. For reading, it is the code for running (reading.h).
// For numerics, arithmetic has `meaning`, and the text is empty.
Result<Translation> translate(Unit& unit, const KernelNames& names, const ConstantValues& constants,
                              TranslationPurpose purpose, const NumericMeaning& meaning = {});

}  // namespace msci
