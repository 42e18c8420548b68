// What is worked out about something once, and asked for by many.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace msci {

// Values of any type, each kept under the address of what it is about; they live as long as this.
class AnalysisCache {
 public:
  // The value of this type about `subject`, made at the first call. What makes it may ask for
  // others, but not for itself.
  template <typename Value, typename Make>
  const Value& get(const void* subject, Make make) {
    const Key key{&type_mark<Value>, subject};
    auto found = values_.find(key);
    if (found == values_.end())
      found = values_.emplace(key, std::make_shared<const Value>(make())).first;
    return *static_cast<const Value*>(found->second.get());
  }

  // That value, if it has been made; null otherwise.
  template <typename Value>
  const Value* find(const void* subject) const {
    const auto found = values_.find({&type_mark<Value>, subject});
    return found == values_.end() ? nullptr : static_cast<const Value*>(found->second.get());
  }

 private:
  // One address for each type: run-time type information is disabled.
  template <typename Value>
  static inline char type_mark = 0;

  using Key = std::pair<const void*, const void*>;
  std::map<Key, std::shared_ptr<const void>> values_;
};

}  // namespace msci
