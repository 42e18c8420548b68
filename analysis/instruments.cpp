#include "analysis/instruments.h"

#include "analysis/check/passes/check_passes.h"
#include "analysis/coverage/passes/cover_outcomes.h"
#include "analysis/profile/passes/count_work.h"
#include "compiler/numerics/numeric_passes.h"
#include "compiler/reading.h"

namespace msci {

namespace {

std::unique_ptr<InstrumentPasses> passes_for(TranslationPurpose purpose,
                                             const NumericMeaning& meaning,
                                             SourceLocations& locations) {
  switch (purpose) {
    case TranslationPurpose::running:
      return nullptr;
    case TranslationPurpose::covering:
      return coverage_passes(locations);
    case TranslationPurpose::checking:
      return check_passes(locations);
    case TranslationPurpose::tracing:
      return check_passes(locations, CheckedNumbers::traced);
    case TranslationPurpose::widening:
      return check_passes(locations, CheckedNumbers::widened);
    case TranslationPurpose::proving:
      return access_passes(locations);
    case TranslationPurpose::profiling:
      return profile_passes(locations);
    case TranslationPurpose::numerics:
      return numeric_passes(meaning, locations);
    case TranslationPurpose::reading:
      return reading_passes(locations);
  }
  return nullptr;
}

}  // namespace

Result<Translation> translate(Unit& unit, const KernelNames& names, const ConstantValues& constants,
                              TranslationPurpose purpose, const NumericMeaning& meaning) {
  return translate(unit, names, constants, [&](SourceLocations& locations) {
    return passes_for(purpose, meaning, locations);
  });
}

}  // namespace msci
