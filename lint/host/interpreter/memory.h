// Reads and writes of memory: items of containers, and what is computed from what.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "lint/host/interpreter/state.h"

namespace msci::host {

// The value that a pointer to a variable leads to; any other value itself.
Value target_of(const Value& value);
Value pointer_to(Value value);

// The items of a list, or the pairs of a map.
std::vector<Value> items_of(const Object& object);
// The items that may stand at this index or key.
Value item_of(const Object& object, const Value& at);
// The same for every object that `base` may be; the result counts as loaded from them.
Value load_item(const Value& base, const Value& at);
// Only the first of so many items are kept.
constexpr std::size_t most_items = 256;
void store_item(const State& state, Object& object, const Value& at, const Value& value);

// Notes that a value is loaded from this memory.
void load(Value& value, const std::shared_ptr<Object>& object);
// What a pointer cast says about the elements of the memory: "float*". Contradictory casts make
// the type unknown.
void learn_element_type(const Value& value, const std::string& type);

// The CPU computes what this memory holds from now on.
void compute(State& state, Object& object, Work work,
             const std::set<std::shared_ptr<Object>>& from);
// Copies data without arithmetic.
void copy(State& state, Object& object, const std::set<std::shared_ptr<Object>>& from);
// The first of these values that is memory.
Value first_memory(const std::vector<Value>& values);
// Copies between what two values point to.
void copy_between(State& state, const Value& to, const Value& from);
// Adds the memory's CPU work to the result. `remains`: no kernel uses the memory afterwards.
void report_cpu_work(State& state, const Object& object, bool remains);

}  // namespace msci::host
