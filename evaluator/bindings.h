// Whether a kernel takes the buffers that it is given for what they are.
#pragma once

#include <string>
#include <vector>

#include "evaluator/task.h"

namespace msci {

// A sentence for each buffer whose numbers the kernel reads as another kind than the task binds to
// it (at its first launch, where there are several)
// ("blur reads uint at [[buffer(2)]] ('w'), where the task binds ushort"). That is no error, for a
// kernel may know better; but it is most often what went wrong where one is not right. Silent on
// types that are not made of Metal's scalars, and on kernels that are missing.
std::vector<std::string> misread_buffers(const Task& task, const Translation& translation);

}  // namespace msci
