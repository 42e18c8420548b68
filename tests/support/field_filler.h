// Gives every field of a result a value, through the result's own list of fields. So a new field is
// tested without a change here.
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>

#include "evaluator/result/json_fields.h"

namespace msci {

class FieldFiller : public Fields {
 public:
  // Leaves the fields of these keys as they are, for alternatives that exclude each other.
  explicit FieldFiller(std::set<std::string> left_out) : left_out_(std::move(left_out)) {}

  bool reads() const override { return true; }

 private:
  static constexpr std::size_t list_size = 12;  // rounds; fewer have no interval

  bool visit(const char* key, ValueRef value, Use use, const char*) override {
    if (use == Use::derived || left_out_.contains(key)) return false;
    fill(value);
    return true;
  }

  void fill(ValueRef value) {
    using enum ValueType::Kind;
    const auto& type = value.type;
    if (type.kind == boolean) *static_cast<bool*>(value.value) = true;
    if (type.kind == number) *static_cast<double*>(value.value) = ++count_ + 0.5;
    if (type.kind == integer) type.set(value.value, ++count_, false);
    if (type.kind == text)  // also a nonce
      *static_cast<std::string*>(value.value) = fmt::format("{:016x}", ++count_);
    if (type.kind == choice) type.set(value.value, type.names.size() - 1, false);
    if (type.kind == object) type.describe(*this, value.value);
    if (type.kind != list && type.kind != optional) return;
    type.resize(value.value, type.kind == list ? list_size : 1);
    for (std::size_t i = 0; i < type.size(value.value); ++i)
      fill({type.at(value.value, i), *type.element});
  }

  std::set<std::string> left_out_;
  unsigned count_ = 0;
};

}  // namespace msci
