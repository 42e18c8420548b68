// Error: what kept us from doing our part. A function that gives something back returns Result<T>;
// one that gives nothing back returns std::optional<Error>: `if (auto error = …) return *error;`.
// What a kernel or a source did wrong is another matter ("Failures" in
// docs/developer/inner_workings.md).
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace msci {

// What kept us from doing our part, as one sentence for a person: what failed and what to do.
struct Error {
  std::string message;
  bool operator==(const Error&) const = default;
};

// A T, or the Error that stood in its way. Member names are std::expected's.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return assert(has_value()), *std::get_if<0>(&state_); }
  const T& value() const& { return assert(has_value()), *std::get_if<0>(&state_); }
  T&& value() && { return assert(has_value()), std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const { return assert(!has_value()), *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace msci
