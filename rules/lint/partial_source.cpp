#include "lint/rule.h"

namespace msci {

// lint/run/lint_embedded.cpp speaks for it: it knows what surrounds a source.
extern constinit const Rule partial_source{.severity = Severity::note};

}  // namespace msci
