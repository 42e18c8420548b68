// Gives every field of a result a value, through the result's own list of fields. So a new field is
// tested without a change here.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace msci {

class FieldFiller {
 public:
  static constexpr bool reads = true;
  // Leaves the fields of these keys as they are, for alternatives that exclude each other.
  explicit FieldFiller(std::set<std::string> left_out) : left_out_(std::move(left_out)) {}

  template <typename T>
  void operator()(const char* key, T& value, const char* = "") {
    if (!left_out_.contains(key)) fill(value);
  }
  template <typename T>
  void required(const char* key, T& value, const char* = "") {
    (*this)(key, value);
  }
  template <typename T>
  void derived(const char*, const T&, const char* = "") {}
  void text(const char* key, std::string& value, const char* = "") { (*this)(key, value); }
  template <typename T>
  void if_present(const char* key, std::optional<T>& value, const char* = "") {
    (*this)(key, value);
  }
  template <typename Value, typename Enum>
  void choice(const char* key, Value& value, Enum last, const char* = "") {
    if (!left_out_.contains(key)) value = last;
  }
  template <typename Value, typename Enum>
  void required_choice(const char* key, Value& value, Enum last, const char* = "") {
    choice(key, value, last);
  }
  template <typename Whole, typename Member>
  void part(const char* key, std::optional<Whole>& whole, Member Whole::* member,
            const char* = "") {
    if (!whole) whole.emplace();
    (*this)(key, (*whole).*member);
  }
  template <typename T, typename Describe>
  void elements(const char*, std::vector<T>& values, Describe describe_element, const char* = "") {
    values.resize(vector_size);
    for (auto& value : values) describe_element(*this, value);
  }

 private:
  static constexpr std::size_t vector_size = 12;  // rounds; fewer have no interval

  void fill(bool& value) { value = true; }
  template <std::integral T>
  void fill(T& value) {
    value = static_cast<T>(++count_);
  }
  void fill(double& value) { value = ++count_ + 0.5; }
  void fill(std::string& value) { value = fmt::format("{:016x}", ++count_); }  // also a nonce
  template <typename T>
  void fill(std::optional<T>& value) {
    fill(value.emplace());
  }
  template <typename T>
  void fill(std::vector<T>& values) {
    values.resize(vector_size);
    for (auto& value : values) fill(value);
  }
  template <typename T>
  void fill(T& value) {
    describe(*this, value);
  }

  std::set<std::string> left_out_;
  unsigned count_ = 0;
};

}  // namespace msci
