// The parts of SARIF 2.1.0 that all our documents share.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/source.h"

namespace msci {

// The column of a location as SARIF counts it: in characters, from 1.
std::size_t sarif_column(std::string_view text, Location at);

// The "artifactLocation" of a file.
OrderedJson sarif_artifact(const std::string& file);

// The "suppressions" of a result that a comment with this reason suppresses.
OrderedJson sarif_suppressions(const std::string& reason);

// A document with one run, whose tool is `driver`.
std::string sarif_document(OrderedJson driver, OrderedJson invocation, OrderedJson results);

}  // namespace msci
