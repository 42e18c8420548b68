#include "compiler/instruments.h"

#include "compiler/numerics/numeric_passes.h"
#include "compiler/reading.h"
#include "instrument/check/passes/check_passes.h"
#include "instrument/coverage/passes/coverage_passes.h"
#include "instrument/profile/passes/profile_passes.h"

namespace msci {

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
    case TranslationPurpose::profiling:
      return profile_passes(locations);
    case TranslationPurpose::numerics:
      return numeric_passes(meaning, locations);
    case TranslationPurpose::reading:
      return reading_passes(locations);
  }
  return nullptr;
}

}  // namespace msci
