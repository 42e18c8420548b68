// Where Clang's locations lie in the user's files. Seen by the front end only; everybody else asks
// a Unit.
#pragma once

#include <clang/Basic/SourceLocation.h>

#include "compiler/frontend/unit.h"

namespace msci {

// The place of a range in the file of its beginning; unknown outside the user's text. A file that
// is located in for the first time joins the unit's included files.
Place locate(Unit::Impl& unit, clang::SourceRange range);

// The source of a place.
const Source& source_of(const Unit::Impl& unit, const Place& place);

}  // namespace msci
