// A device that several processes share: a run whose passes are timed has it alone, and other runs
// go beside each other.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/device/device.h"

namespace msci {

// The same device, whose runs wait for their turns. All processes that name the same files, which
// lie in a folder of theirs and begin with `files`, share it. Everything but runs (a program's
// build, the checks of results) goes on meanwhile, and so do the processors.
std::unique_ptr<Device> with_turns(std::unique_ptr<Device> device, std::filesystem::path files);

}  // namespace msci
