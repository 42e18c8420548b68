#include "lint/host/interpreter/known_functions.h"

#include <map>

#include "lint/host/api_names.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {

const KnownFunction* known_function(std::string_view name) {
  static const auto by_name = [] {
    std::map<std::string_view, const KnownFunction*> all;
    for (const auto list :
         {gpu_functions(), memory_functions(), container_functions(), cpu_work_functions()})
      for (const auto& each : list) all[each.name] = &each;
    return all;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

Value call_math(const Call& call) {
  Value result;
  for (const auto& value : call.arguments) {
    result.loaded.insert(value.loaded.begin(), value.loaded.end());
    if (!result.computed) result.computed = value.computed;
  }
  if (!result.loaded.empty() && !result.computed)
    result.computed = Work{call.node->range, "a loop"};
  return result;
}

Value passed_on(const Call& call) {
  Value result;
  bool first = true;
  const auto take = [&](const Value& value) {
    for (const auto& each : alternatives(value)) {
      const bool worth = each.kind == Value::Kind::kernel || each.kind == Value::Kind::object ||
                         (each.kind == Value::Kind::string && passes_through(call.name));
      if (!worth) continue;
      result = first ? each : join(result, each);
      first = false;
    }
    result.loaded.insert(value.loaded.begin(), value.loaded.end());
    if (!result.computed) result.computed = value.computed;
  };
  if (call.receiver && passes_through(call.name)) {
    take(target_of(*call.receiver));
    if (call.name == "data" || call.name == "begin" || call.name == "end" ||
        call.name == "cbegin" || call.name == "cend" || call.name == "get")
      result.is_pointer = true;
    return result;
  }
  for (const auto& value : call.arguments) take(value);
  return result;
}

}  // namespace msci::host
