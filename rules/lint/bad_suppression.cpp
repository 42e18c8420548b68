#include "lint/rule.h"

namespace msci {

// lint/suppression.cpp speaks for it: it sees what all the other rules said.
extern constinit const Rule bad_suppression{.severity = Severity::warning};

}  // namespace msci
