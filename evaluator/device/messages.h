// How the tool and its worker spell what they tell each other: JSON, with large contents beside it
// in shared memory.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "evaluator/device/channel.h"
#include "evaluator/device/device.h"

namespace msci {

using Json = nlohmann::json;

// Both ends are built together, so an enumerator travels as its number.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceInfo, name, vendor, platform, driver, platform_index,
                                   device_index, kind, compute_units, max_threads_per_threadgroup,
                                   threadgroup_memory, global_memory, max_buffer, in_reach)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Failure, cause, message)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Repeats, warmup, timed, warmup_seconds, timed_seconds,
                                   relative_error, cold)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Extent, x, y, z)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Binding, index, buffer, offset)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ThreadgroupMemory, index, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Launch, kernel, grid, threadgroup, bindings, threadgroup_memory)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Position, x, y, z)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Doing, place, access, thread, threadgroup)
void to_json(Json& json, const Fault& fault);
void from_json(const Json& json, Fault& fault);

// The plan without its buffers' initial contents; those follow one another in shared memory.
Json to_json(const Plan& plan);
Result<Fd> share_contents(const Plan& plan);
// The whole plan again. Throws what nlohmann throws where `json` is none of to_json's.
Result<Plan> plan_from(const Json& json, const Fd& contents);

// Bytes that a run's outputs take, one after another: after the last pass, then, if `repeats` times
// anything, after one of the timed ones.
std::size_t output_bytes(const Plan& plan, Repeats repeats);
void put_outputs(const Run& run, std::span<std::byte> to);
void take_outputs(const Plan& plan, Repeats repeats, std::span<const std::byte> from, Run& run);

}  // namespace msci
