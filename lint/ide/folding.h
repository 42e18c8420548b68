// Folding: what an editor can collapse.
#pragma once

#include <vector>

#include "base/source.h"

namespace msci {

enum class FoldKind { comment, imports, region };

// Lines [first, last], counted from 1; first < last. `region` is everything between brackets, and
// between a directive such as `#if` and the next of its group.
struct Fold {
  unsigned first = 0;
  unsigned last = 0;
  FoldKind kind = FoldKind::region;
  bool operator==(const Fold&) const = default;
};

// By first line, and at most one for each. Of a text in any state: a bracket without a partner
// folds nothing.
std::vector<Fold> folds_of(const Source& source);

}  // namespace msci
